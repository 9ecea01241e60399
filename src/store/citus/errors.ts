/** Errors that Citus reports in other words than PostgreSQL. */
import * as plain from '../postgres/errors.ts';

/** Name of the unique constraint or index that was violated; `null` for any other failure. A shard's name has its number. */
export function violatedConstraint(error: unknown): string | null {
  if (!plain.isUniqueViolation(error)) return null;
  return VIOLATED.exec(error.message)?.[1]?.replace(SHARD_NUMBER, '') ?? '';
}

const VIOLATED = /unique constraint "([^"]+)"/;
const SHARD_NUMBER = /_\d+$/;

/** A lock was not given in time. For one on a worker, Citus only reports that it lost a connection that it needs. */
export const isLockTimeout = (error: unknown): boolean =>
  plain.isLockTimeout(error) || (error instanceof Error && ESSENTIAL_CONNECTION.test(error.message));

const ESSENTIAL_CONNECTION = /^failure on connection marked as essential/;
