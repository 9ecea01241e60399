/** SQLite errors by primary result code (sqlite.org/rescode.html), the low byte of an extended code. */

/** Codes for a database that cannot be read or written at the moment. All other codes are errors in the statement. */
export const SQLITE = {
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;
const CONSTRAINT = 19;

export const primaryCode = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;

export const isUnavailable = (error: unknown): boolean =>
  Object.values<number | null>(SQLITE).includes(primaryCode(error));

export const isBusy = (error: unknown): boolean => primaryCode(error) === SQLITE.BUSY;

/** Whether SQLite found malformed content: the file is damaged, or the disk returned wrong data. */
export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB;
}

/** Compares the message, because the worker reports only primary codes, which are the same for all constraints. */
export const isUniqueViolation = (error: unknown): boolean =>
  primaryCode(error) === CONSTRAINT &&
  error instanceof Error &&
  error.message.startsWith('UNIQUE constraint failed');
