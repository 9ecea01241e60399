/** SQLite errors by result code. */

/** The primary result code of a SQLite error; `null` for any other error. */
export const primaryCode = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;

/** Primary SQLite result codes (sqlite.org/rescode.html), the low byte of an extended code. */
export const SQLITE_BUSY = 5;
export const SQLITE_LOCKED = 6;
export const SQLITE_NOMEM = 7;
export const SQLITE_READONLY = 8;
export const SQLITE_IOERR = 10;
export const SQLITE_CORRUPT = 11;
export const SQLITE_FULL = 13;
export const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
export const SQLITE_NOTADB = 26;

/** SQLite's codes for malformed content, whether the file is damaged or the disk failed to read. */
export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

/** The worker passes on primary result codes, which do not say which constraint failed. */
export const isUniqueViolation = (error: unknown): boolean =>
  primaryCode(error) === SQLITE_CONSTRAINT &&
  error instanceof Error &&
  error.message.startsWith('UNIQUE constraint failed');
