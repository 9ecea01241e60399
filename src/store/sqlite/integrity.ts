/** Checks the integrity of a database file. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { READER_BUSY_TIMEOUT_MS } from './connection.ts';
import { isDamaged } from './errors.ts';

/** Up to this size every index entry is compared with its row, which takes a few seconds. */
const FULL_CHECK_BYTES = 256 * 1024 * 1024;
const MAX_FINDINGS = 5;

export interface IntegrityOptions {
  /** Compare the indexes of a large file too, which may take minutes. */
  readonly full: boolean;
  readonly fullUpToBytes?: number;
}

export interface IntegrityReport {
  /** Whether indexes were compared with tables. */
  readonly isFull: boolean;
  /** SQLite's messages; empty for an intact database. */
  readonly findings: readonly string[];
}

/** Reads the whole file, even while a server uses it. Throws SQLite's error if it cannot be opened. */
export function checkIntegrity(
  file: string,
  { full, fullUpToBytes = FULL_CHECK_BYTES }: IntegrityOptions,
): IntegrityReport {
  const isFull = full || statSync(file).size <= fullUpToBytes;
  using connection = new DatabaseSync(file, { readOnly: true, timeout: READER_BUSY_TIMEOUT_MS });
  try {
    const check = isFull ? 'integrity_check' : 'quick_check';
    const rows = connection.prepare(`pragma ${check}(${MAX_FINDINGS})`).all();
    const findings = rows.map((row) => String(Object.values(row)[0])).filter((finding) => finding !== 'ok');
    return { isFull, findings };
  } catch (error) {
    if (!(error instanceof Error) || !isDamaged(error)) throw error;
    return { isFull, findings: [error.message] };
  }
}
