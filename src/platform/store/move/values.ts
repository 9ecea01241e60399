/** Values of rows as text that both databases return alike, and that PostgreSQL accepts. */
import { hash } from 'node:crypto';
import type { ColumnKind } from './tables.ts';

/** A value that PostgreSQL can't store. The message completes “column …: ”. */
export class Unstorable extends Error {
  override name = 'Unstorable';
}

const INTEGER_LIMITS = { smallint: 2 ** 15, integer: 2 ** 31 } as const;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_DIGITS = /^[0-9a-f]{32}$/;
const MILLISECONDS = /^-?\d+$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const YEAR_ZERO = '0000';

/**
 * The text of a value of the embedded database, as PostgreSQL will return it (`readBack`). `text`: from `asText` of the
 * column. Throws `Unstorable`.
 */
export function textFor(kind: ColumnKind, text: string): string {
  switch (kind) {
    case 'bigint':
      return text;
    case 'integer':
    case 'smallint': {
      const limit = INTEGER_LIMITS[kind];
      const value = Number(text);
      if (value >= limit || value < -limit) throw new Unstorable(`${text} is out of range`);
      return text;
    }
    case 'bytea':
      return `\\x${text}`;
    case 'uuid':
      if (UUID.test(text)) return text;
      if (UUID_DIGITS.test(text)) return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      throw new Unstorable('is not a UUID in lowercase');
    case 'timestamp with time zone':
      return timeFor(text);
    case 'jsonb':
      return jsonFor(text);
    case 'text':
      return plainText(text);
  }
}

/** A row of a table, as a line of PostgreSQL's `copy`. */
export const lineOf = (values: readonly (string | null)[]): string => {
  let line = '';
  for (const value of values) line += `${line === '' ? '' : '\t'}${value === null ? '\\N' : escaped(value)}`;
  return `${line}\n`;
};

const SPECIAL = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string => text.replace(SPECIAL, (character) => ESCAPES[character]!);

/** JSON with sorted names: PostgreSQL stores neither their order nor spaces. Throws `Unstorable`. */
export const sortedJson = (text: string): string =>
  JSON.stringify(JSON.parse(text), (_name, value) => {
    if (typeof value === 'string') return plainText(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1));
    return Object.fromEntries(members.map(([name, member]) => [plainText(name), member]));
  });

/** A compact row has milliseconds since the epoch; other rows have ISO 8601. */
function timeFor(text: string): string {
  const ms = MILLISECONDS.test(text) ? Number(text) : Date.parse(text);
  const time = Number.isFinite(new Date(ms).getTime()) ? new Date(ms).toISOString() : '';
  if (!TIME.test(time) || time.startsWith(YEAR_ZERO) || (!MILLISECONDS.test(text) && time !== text)) {
    throw new Unstorable('is not a time in UTC with milliseconds, from the year 1 to 9999');
  }
  return time;
}

function jsonFor(text: string): string {
  try {
    return sortedJson(text);
  } catch (error) {
    if (error instanceof Unstorable) throw error;
    throw new Unstorable('is not JSON');
  }
}

function plainText(text: string): string {
  if (text.includes('\0')) throw new Unstorable('contains a NUL character');
  // Only an escape in JSON can be half of a pair here.
  if (!text.isWellFormed()) throw new Unstorable('contains half of a surrogate pair');
  return text;
}

/** The sum is the same for every order of the rows. */
export interface Checksum {
  readonly rows: number;
  readonly sum: string;
}

const PART_BYTES = 6;
const PART_SIZE = 2 ** (8 * PART_BYTES);

/** Adds the hashes of lines: two sums of 48 bits, which numbers represent exactly. */
export function createChecksum() {
  let rows = 0;
  let low = 0;
  let high = 0;
  return {
    add(line: string): void {
      const digest = hash('sha256', line, 'buffer');
      low = (low + digest.readUIntBE(0, PART_BYTES)) % PART_SIZE;
      high = (high + digest.readUIntBE(PART_BYTES, PART_BYTES)) % PART_SIZE;
      rows += 1;
    },
    result: (): Checksum => ({ rows, sum: `${high.toString(16)}-${low.toString(16)}` }),
  };
}

export const areEqual = (first: Checksum, second: Checksum): boolean =>
  first.rows === second.rows && first.sum === second.sum;
