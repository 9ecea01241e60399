/** The PostgreSQL engine: small pools for batches, for other writes and for reads. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { BatchOvertaken, type BatchProgram, type PostgresProgram } from '../batch.ts';
import { type Database, DatabaseUnavailable, requireInTime } from '../database.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import { withoutPassword } from './connection-options.ts';
import { isLockTimeout, isRetryable, isStale, translated } from './errors.ts';
import { type Connections, createConnections } from './following-pool.ts';
import { migratePostgres } from './migrate.ts';
import { createPartitions } from './partitions.ts';
import { durabilitySettings } from './pool.ts';
import { watchHosts } from './primary-watch.ts';
import { openPostgresReader } from './reader.ts';
import { startFailure } from './start-failure.ts';

const WRITE_CONNECTIONS = 4;
/** Batches are large, so two at once carry all redemptions of a process. */
const BATCH_CONNECTIONS = 2;
const MAX_TRANSACTION_RUNS = 10;

export interface PostgresOptions {
  readonly url: string;
  readonly programs: readonly BatchProgram[];
  readonly mustExist?: boolean | undefined;
  /** Milliseconds since the epoch; see `MigrateOptions`. */
  readonly now?: () => number;
}

/** Runs `attempt` again while the engine rolls it back for a deadlock or serialization failure. */
async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) && !isStale(error) && !(error instanceof BatchOvertaken))
        throw translated(error);
      if (run >= MAX_TRANSACTION_RUNS) {
        throw new DatabaseUnavailable('PostgreSQL: the transaction kept colliding with others.', {
          cause: error,
        });
      }
    }
  }
}

interface ProgramRun {
  readonly program: PostgresProgram;
  readonly batch: unknown;
  /** After this time nothing is written (`monotonicMs`). */
  readonly deadlineMs: number;
  readonly skipLocked: boolean;
}

/**
 * One run of a batch program. What it writes is one statement, which PostgreSQL commits before it says that it is done;
 * only locked rows need a transaction around reading and writing. A connection in an uncertain state is closed. If it
 * broke during the commit, it is unknown whether the batch was written, and the error is `DatabaseUnavailable`.
 */
async function runProgram(pool: Connections, run: ProgramRun): Promise<unknown> {
  const { program, batch, deadlineMs, skipLocked } = run;
  const client = await pool.connect();
  let broken = false;
  // A server that goes away between two statements is reported here; the next statement fails too.
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  try {
    requireInTime(deadlineMs);
    if (!skipLocked) {
      const read = await program.read(client, batch, false);
      requireInTime(deadlineMs);
      return await program.write(client, read);
    }
    const [, read] = await allOrFirstError([client.query('begin'), program.read(client, batch, true)]);
    requireInTime(deadlineMs);
    const [result, committed] = await allOrFirstError([program.write(client, read), client.query('commit')]);
    // PostgreSQL answers the commit of a failed transaction with a rollback.
    if (committed.command !== 'COMMIT') throw new Error('the batch was rolled back');
    return result;
  } catch (error) {
    // Any other error may belong to the connection, such as a statement prepared before a migration.
    const isOrdinary =
      isRetryable(error) ||
      isLockTimeout(error) ||
      error instanceof BatchOvertaken ||
      error instanceof DatabaseUnavailable;
    if (!isOrdinary) broken = true;
    else if (skipLocked && !broken) {
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

/** Waits for all, then throws the first error or returns the results. */
async function allOrFirstError<T extends readonly unknown[]>(
  promises: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const settled = await Promise.allSettled(promises);
  for (const outcome of settled) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  return settled.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/** Connects, migrating the database. Throws `DatabaseUnfit` when it must not be used as it is. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  await migratePostgres(options.url, options);
  const { url, watch } = watchHosts(options.url);
  const writePool = createConnections(watch, { url, purpose: 'write', size: WRITE_CONNECTIONS });
  const batchPool = createConnections(watch, { url, purpose: 'batch', size: BATCH_CONNECTIONS });
  const write = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: writePool }) });
  const reader = openPostgresReader(url, watch);
  const programs = new Map(options.programs.map((program) => [program.name, program]));

  const onWriter = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await writePool.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  };
  const settings = () => onWriter(durabilitySettings);
  const close = async () => {
    watch?.close();
    await Promise.all([writePool.end(), batchPool.end(), reader.close()]);
  };

  try {
    await settings();
  } catch (error) {
    await close();
    throw startFailure(error, options.url);
  }

  return {
    engine: 'postgres',
    read: reader.read,
    source: reader.source,
    admission: createSemaphore(WRITE_CONNECTIONS),
    partitions: createPartitions(options.url, async (text) => {
      const { rows } = await sql.raw<Record<string, unknown>>(text).execute(reader.read);
      return rows;
    }),
    transaction: (work) => withRetries(() => write.transaction().execute(work)),
    runBatch: (name, batch, deadlineMs) => {
      const program = programs.get(name);
      if (program === undefined) throw new Error(`unknown batch program ${name}`);
      let skipLocked = false;
      return withRetries(async () => {
        requireInTime(deadlineMs);
        const run = { program: program.postgres, batch, deadlineMs };
        try {
          return await runProgram(batchPool, { ...run, skipLocked });
        } catch (error) {
          if (!isLockTimeout(error) || skipLocked) throw error;
          skipLocked = true;
          return await runProgram(batchPool, { ...run, skipLocked });
        }
      });
    },
    hasOtherWriters: async () => true,
    checkWritable: async () => {
      const result = await onWriter((client) => client.query('show transaction_read_only')).catch(
        (error: unknown) => {
          throw translated(error);
        },
      );
      if (result.rows[0].transaction_read_only === 'on') {
        throw new DatabaseUnavailable('PostgreSQL: the server is read-only.');
      }
    },
    report: async () => {
      const found = await settings();
      return {
        engine: 'postgres',
        version: found['server_version'] ?? 'unknown',
        location: withoutPassword(options.url),
        settings: found,
        hosts:
          watch === null
            ? []
            : (await watch.look()).map(({ url, role }) => ({ host: new URL(url).host, role })),
      };
    },
    close,
  };
}
