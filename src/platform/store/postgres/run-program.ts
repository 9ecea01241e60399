import type pg from 'pg';
import { BatchOvertaken, type PostgresProgram } from '../batch.ts';
import { DatabaseUnavailable, requireInTime } from '../database.ts';
import { isLockTimeout, isRetryable, isStale, throwTranslated } from './errors.ts';
import type { Connections } from './following-pool.ts';

const MAX_RUNS = 10;

/** Retries after a deadlock, a serialization failure, a stale prepared statement or `BatchOvertaken`, ten times. */
export async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) && !isStale(error) && !(error instanceof BatchOvertaken))
        return throwTranslated(error);
      if (run >= MAX_RUNS) {
        throw new DatabaseUnavailable('PostgreSQL: the transaction kept conflicting with others.', {
          cause: error,
        });
      }
    }
  }
}

/**
 * Runs a batch and retries it after conflicts. Starts no write after `deadlineMs` (`monotonicMs`). Throws
 * `DatabaseUnavailable` if the connection breaks during the commit. The batch may have been written in that case.
 */
export async function runProgram<Input, Output>(
  pool: Connections,
  program: PostgresProgram<Input, Output>,
  input: Input,
  deadlineMs: number,
): Promise<Output> {
  let skipLocked = false;
  const run = () => runOnce(pool, program, { input, deadlineMs, skipLocked });
  return await withRetries(async () => {
    requireInTime(deadlineMs);
    try {
      return await run();
    } catch (error) {
      if (!isLockTimeout(error) || skipLocked) throw error;
      skipLocked = true;
      return await run();
    }
  });
}

/**
 * A single writing statement needs no explicit transaction. Several statements are sent in one round trip with `begin`
 * and `commit`. With `skipLocked`, the transaction includes the reads, because they lock rows.
 */
async function runOnce<Input, Output>(
  pool: Connections,
  { read, hasOneWrite }: PostgresProgram<Input, Output>,
  { input, deadlineMs, skipLocked }: { input: Input; deadlineMs: number; skipLocked: boolean },
): Promise<Output> {
  const client = await pool.connect();
  let broken = false;
  // If the connection breaks between two statements, the next statement reports the error.
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  try {
    requireInTime(deadlineMs);
    if (!skipLocked) {
      const write = await read(client, input, false);
      requireInTime(deadlineMs);
      if (hasOneWrite) return await write();
      const begun = client.query('begin');
      return await committed(client, write(), begun);
    }
    const [, write] = await allOrFirstError([client.query('begin'), read(client, input, true)]);
    requireInTime(deadlineMs);
    return await committed(client, write());
  } catch (error) {
    // The connection is reused only after these errors. Any other error may come from the connection's state, such as a
    // statement prepared before a migration.
    const isOrdinary =
      isRetryable(error) ||
      isLockTimeout(error) ||
      error instanceof BatchOvertaken ||
      error instanceof DatabaseUnavailable;
    if (!isOrdinary) broken = true;
    else if ((skipLocked || !hasOneWrite) && !broken) {
      await client.query('rollback').catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

async function committed<Output>(
  client: pg.PoolClient,
  writing: Promise<Output>,
  begun: Promise<unknown> = Promise.resolve(),
): Promise<Output> {
  const [, result, commit] = await allOrFirstError([begun, writing, client.query('commit')]);
  // After a failed statement, PostgreSQL rolls back on `commit` without reporting an error.
  if (commit.command !== 'COMMIT') throw new Error('the batch was rolled back');
  return result;
}

async function allOrFirstError<T extends readonly unknown[] | []>(promises: T) {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}
