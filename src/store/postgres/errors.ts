/** Classifies errors of PostgreSQL: try again, database away, or programming error. */
import { DatabaseUnavailable } from '../database.ts';

/** The SQLSTATE, or the code of a system error; `null` where the error has none. */
export const sqlState = (error: unknown): string | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';
/** The statement does not fit the tables: another process has changed them since this one started. */
const FEATURE_NOT_SUPPORTED = '0A000';
/** The function of the server that reports a changed plan; the message is in the server's language. */
const PLAN_CHECK = 'RevalidateCachedQuery';
/** The prepared statement is gone, after `discard all` by something in between. */
const INVALID_STATEMENT_NAME = '26000';

/** The engine rolled the transaction back; it can run again. */
export const isRetryable = (error: unknown): boolean => {
  const state = sqlState(error);
  return state === DEADLOCK || state === SERIALIZATION_FAILURE;
};

/** The connection's prepared statements no longer match the database; a new connection works. */
export const isStale = (error: unknown): boolean => {
  const state = sqlState(error);
  if (state === FEATURE_NOT_SUPPORTED)
    return error instanceof Error && 'routine' in error && error.routine === PLAN_CHECK;
  return state === INVALID_STATEMENT_NAME;
};

/** A lock was not given in time. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === LOCK_NOT_AVAILABLE;

export const isUniqueViolation = (error: unknown): error is Error =>
  error instanceof Error && sqlState(error) === UNIQUE_VIOLATION;

/** Name of the unique constraint or index that was violated; `null` for any other failure. */
export const violatedConstraint = (error: unknown): string | null =>
  isUniqueViolation(error) && 'constraint' in error ? String(error.constraint) : null;

/**
 * SQLSTATE classes that mean a fault of the server, not of the statement
 * (postgresql.org/docs/current/errcodes-appendix):
 * 08 connection, 53 resources, 57P shutdown and recovery, 58 system, XX internal; and single states: a read-only
 * standby, a lock that was not given in time, a statement cut off by its timeout, wrong credentials or database
 * during a fail-over, tables that were changed by another process.
 */
const AWAY_CLASSES = ['08', '53', '57P', '58', 'XX'];
const AWAY_STATES = new Set([
  '25006',
  LOCK_NOT_AVAILABLE,
  '57014',
  '28000',
  '28P01',
  '3D000',
  FEATURE_NOT_SUPPORTED,
]);

/** Messages of `pg` itself, which have no code. */
const AWAY_MESSAGES =
  /connection terminated|timeout exceeded|query read timeout|client has encountered|not queryable|cannot use a pool/i;

export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) {
    if (/^E[A-Z_]+$/.test(state)) return true;
    return AWAY_STATES.has(state) || AWAY_CLASSES.some((prefix) => state.startsWith(prefix));
  }
  return error instanceof Error && AWAY_MESSAGES.test(error.message);
}

/** The pool's error after a wait in which every connection stayed in use. It is not a failure of the server. */
const ALL_IN_USE = /^timeout exceeded when trying to connect/;

export const isAllInUse = (error: unknown): boolean =>
  error instanceof Error && ALL_IN_USE.test(error.message);

/** The error for the rest of the program: `DatabaseUnavailable` where the database is away. */
export const translated = (error: unknown): unknown =>
  isAway(error)
    ? new DatabaseUnavailable(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    : error;

/** For `catch`. */
export const throwTranslated = (error: unknown): never => {
  throw translated(error);
};

/** A host with several addresses fails with one error for each address and no message. */
export const messageOf = (error: Error): string =>
  error instanceof AggregateError && error.errors[0] instanceof Error
    ? error.errors[0].message
    : error.message;
