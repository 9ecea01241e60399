import { messageOf } from '../../process/failure.ts';
import { DatabaseUnavailable } from '../database.ts';

/** The SQLSTATE, or the code of a system error such as `ECONNREFUSED`. `null` if the error has neither. */
export const sqlState = (error: unknown): string | null =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';
/** Raised, for example, if a migration by another process changed the result columns of a prepared statement. */
const FEATURE_NOT_SUPPORTED = '0A000';
/** The server function that raises `FEATURE_NOT_SUPPORTED` for a stale plan. The message is localized. */
const PLAN_CHECK = 'RevalidateCachedQuery';
/** The prepared statement no longer exists, for example after `discard all`. */
const INVALID_STATEMENT_NAME = '26000';

export const isRetryable = (error: unknown): boolean =>
  [DEADLOCK, SERIALIZATION_FAILURE].includes(sqlState(error) ?? '');

/** Whether the connection's prepared statements are stale. A retry on a new connection succeeds. */
export const isStale = (error: unknown): boolean => {
  const state = sqlState(error);
  if (state === FEATURE_NOT_SUPPORTED)
    return error instanceof Error && 'routine' in error && error.routine === PLAN_CHECK;
  return state === INVALID_STATEMENT_NAME;
};

export const isLockTimeout = (error: unknown): boolean => sqlState(error) === LOCK_NOT_AVAILABLE;

export const isUniqueViolation = (error: unknown): error is Error =>
  error instanceof Error && sqlState(error) === UNIQUE_VIOLATION;

export const violatedConstraint = (error: unknown): string | null =>
  isUniqueViolation(error) && 'constraint' in error ? String(error.constraint) : null;

/**
 * SQLSTATEs of an unavailable server: classes 08 connection, 53 resources, 57P shutdown and recovery, 58 system, XX
 * internal; read-only server, lock and statement timeouts, what a failover rejects, stale prepared statement.
 */
const AWAY_STATES = /^(?:08|53|57P|58|XX|25006|55P03|57014|28000|28P01|3D000|0A000)/;

const AWAY_MESSAGES =
  /connection terminated|timeout exceeded|query read timeout|client has encountered|not queryable|cannot use a pool/i;

export function isAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^E[A-Z_]+$/.test(state) || AWAY_STATES.test(state);
  return error instanceof Error && AWAY_MESSAGES.test(error.message);
}

/** Error message of `pg-pool` when no connection was released in time. It does not mean that the server failed. */
const ALL_IN_USE = /^timeout exceeded when trying to connect/;

export const isAllInUse = (error: unknown): boolean =>
  error instanceof Error && ALL_IN_USE.test(error.message);

/** For `catch`: throws `DatabaseUnavailable` if the server is unavailable, else `error`. */
export const throwTranslated = (error: unknown): never => {
  throw isAway(error) ? new DatabaseUnavailable(`PostgreSQL: ${messageOf(error)}`, { cause: error }) : error;
};
