/** The PostgreSQL engine: small pools for batches, for other writes and for reads. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { BatchOvertaken, type BatchProgram, type PostgresProgram } from '../batch.ts';
import { type Database, DatabaseUnavailable, type Node, type Nodes, requireInTime } from '../database.ts';
import type { Schema } from '../schema.ts';
import { createSemaphore } from '../semaphore.ts';
import { urlOfNode, withoutPassword } from './connection-options.ts';
import { isDistributed } from './distribution.ts';
import { isLockTimeout, isRetryable, isStale, isUnplannable, translated } from './errors.ts';
import { type Connections, createConnections } from './following-pool.ts';
import { migratePostgres } from './migrate.ts';
import { createPartitions } from './partitions.ts';
import { durabilitySettings } from './pool.ts';
import { watchHosts } from './primary-watch.ts';
import { openPostgresReader } from './reader.ts';
import { startFailure } from './start-failure.ts';

const WRITE_CONNECTIONS = 4;
/** For each node of Citus: two batches of each of its shards. */
const NODE_CONNECTIONS = 8;
/** A node that does not answer a look within this is away. Two looks in a row end before the caller's own wait does. */
const NODE_TIMEOUT_MS = 800;
/** Batches are large, so two at once carry all redemptions of a process. */
const BATCH_CONNECTIONS = 2;
const MAX_TRANSACTION_RUNS = 10;

export interface PostgresOptions {
  readonly url: string;
  readonly programs: readonly BatchProgram[];
  readonly mustExist?: boolean | undefined;
  /** See `MigrateOptions`. */
  readonly shards?: number | undefined;
  /** Milliseconds since the epoch; see `MigrateOptions`. */
  readonly now?: () => number;
}

/**
 * Runs `attempt` again, ten times in all, after a deadlock, a serialization failure, a prepared statement that is out
 * of date, or `BatchOvertaken`. Throws `DatabaseUnavailable` after the last one.
 */
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
 * One run of a batch program. A single statement that writes commits by itself. Several are sent in one transaction, in
 * the same round trip. With `skipLocked` the transaction also contains the reads. A connection in an uncertain state is
 * closed. If it broke during the commit, it is unknown whether the batch was written, and the error is
 * `DatabaseUnavailable`.
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
      if (program.hasOneWrite) return await program.write(client, read);
      const begun = client.query('begin');
      return await committed(client, program.write(client, read), begun);
    }
    const [, read] = await allOrFirstError([client.query('begin'), program.read(client, batch, true)]);
    requireInTime(deadlineMs);
    return await committed(client, program.write(client, read));
  } catch (error) {
    // Any other error may belong to the connection, such as a statement prepared before a migration.
    const isOrdinary =
      isRetryable(error) ||
      isLockTimeout(error) ||
      error instanceof BatchOvertaken ||
      error instanceof DatabaseUnavailable;
    if (!isOrdinary) broken = true;
    else if ((skipLocked || !program.hasOneWrite) && !broken) {
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

const LIST_NODES =
  "select groupid, nodename, nodeport from pg_dist_node where isactive and noderole = 'primary' order by groupid";

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = AbortSignal.timeout(ms);
  const { promise, reject } = Promise.withResolvers<never>();
  late.addEventListener('abort', () =>
    reject(new DatabaseUnavailable(`PostgreSQL: no answer within ${ms} ms.`)),
  );
  return await Promise.race([work, promise]);
}

/** The rows of a statement as arrays. */
async function valuesOf(pool: Connections, text: string) {
  try {
    const client = await pool.connect();
    try {
      return (await client.query({ text, rowMode: 'array' })).rows;
    } finally {
      client.release();
    }
  } catch (error) {
    throw translated(error);
  }
}

/** The result of what was sent in a transaction, once that is committed. */
async function committed(
  client: pg.PoolClient,
  writing: Promise<unknown>,
  begun: Promise<unknown> = Promise.resolve(),
): Promise<unknown> {
  const [, result, commit] = await allOrFirstError([begun, writing, client.query('commit')]);
  // PostgreSQL answers the commit of a failed transaction with a rollback.
  if (commit.command !== 'COMMIT') throw new Error('the batch was rolled back');
  return result;
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

/**
 * Connects, migrating the database. Throws `DatabaseUnfit` when it must not be used as it is, and `DatabaseUnavailable`
 * when the server cannot be used.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  await migratePostgres(options.url, options);
  const { url, watch } = watchHosts(options.url);
  const writePool = createConnections(watch, { url, purpose: 'write', size: WRITE_CONNECTIONS });
  const batchPool = createConnections(watch, { url, purpose: 'batch', size: BATCH_CONNECTIONS });
  const write = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: writePool }) });
  const reader = openPostgresReader(url, watch);
  const nodePools = new Map<string, Connections>();
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
    const pools = [writePool, batchPool, ...nodePools.values()];
    await Promise.all([...pools.map((pool) => pool.end()), reader.close()]);
  };

  let areDistributed = false;
  const lookForNodes = async () => {
    areDistributed ||= await onWriter(isDistributed);
  };
  /** Finds out whether a statement failed because the tables were distributed meanwhile. */
  const lookAfter = async (error: unknown) => {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error;
    if (!areDistributed && isUnplannable(cause)) await lookForNodes().catch(() => {});
  };
  /** Runs a batch until it does not collide with another, within its time. */
  const run = async (pool: Connections, program: PostgresProgram, batch: unknown, deadlineMs: number) => {
    let skipLocked = false;
    return await withRetries(async () => {
      requireInTime(deadlineMs);
      const attempt = { program, batch, deadlineMs };
      try {
        return await runProgram(pool, { ...attempt, skipLocked });
      } catch (error) {
        if (!isLockTimeout(error) || skipLocked) throw error;
        skipLocked = true;
        return await runProgram(pool, { ...attempt, skipLocked });
      }
    });
  };
  const programNamed = (name: string): BatchProgram => {
    const program = programs.get(name);
    if (program === undefined) throw new Error(`unknown batch program ${name}`);
    return program;
  };
  const poolOf = (node: Node): Connections => {
    const nodeUrl = urlOfNode(url, node);
    let pool = nodePools.get(nodeUrl);
    if (pool === undefined) {
      pool = createConnections(null, { url: nodeUrl, purpose: 'node', size: NODE_CONNECTIONS });
      nodePools.set(nodeUrl, pool);
    }
    return pool;
  };
  const listNodes = async (): Promise<readonly Node[]> => {
    const rows = await valuesOf(writePool, LIST_NODES);
    known = rows.map(([group, host, port]) => ({ group, host, port }));
    return known;
  };
  /** The nodes as they were last listed. */
  let known: readonly Node[] = [];
  /** Whether a node takes writes, or why it cannot be used. */
  const lookAt = async (node: Node): Promise<{ readonly node: Node; readonly failure: string | null }> => {
    try {
      const pool = node.group === 0 ? writePool : poolOf(node);
      const [row] = await inTime(valuesOf(pool, 'show transaction_read_only'), NODE_TIMEOUT_MS);
      return { node, failure: row![0] === 'on' ? 'PostgreSQL: the server is read-only.' : null };
    } catch (error) {
      return { node, failure: error instanceof Error ? error.message : String(error) };
    }
  };
  const nodes: Nodes = {
    locate: async (name, batch, deadlineMs) =>
      await run(batchPool, programNamed(name).citus.locate, batch, deadlineMs),
    onEach: async (statement) => {
      const listed = await listNodes();
      return await Promise.all(
        listed.map(async (node) => {
          const [row] = await valuesOf(node.group === 0 ? writePool : poolOf(node), statement);
          return { group: node.group, value: row![0] };
        }),
      );
    },
    runBatch: async (name, batch, deadlineMs, node) => {
      // The coordinator may be another server by now.
      const pool = node.group === 0 ? batchPool : poolOf(node);
      return await run(pool, programNamed(name).citus.run, batch, deadlineMs);
    },
  };

  try {
    await settings();
    await lookForNodes();
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
    transaction: async (work) => {
      try {
        return await withRetries(() => write.transaction().execute(work));
      } catch (error) {
        await lookAfter(error);
        throw error;
      }
    },
    nodes: () => (areDistributed ? nodes : null),
    findNodes: async () => {
      if (!areDistributed) await lookForNodes();
      return areDistributed ? nodes : null;
    },
    runBatch: async (name, batch, deadlineMs) => {
      const program = programNamed(name);
      if (areDistributed) return await run(batchPool, program.citus.run, batch, deadlineMs);
      try {
        return await run(batchPool, program.postgres, batch, deadlineMs);
      } catch (error) {
        await lookAfter(error);
        if (!areDistributed) throw error;
        throw new DatabaseUnavailable('PostgreSQL: the tables were distributed just now.', { cause: error });
      }
    },
    hasOtherWriters: async () => true,
    checkWritable: async () => {
      if (areDistributed) {
        const listed = await inTime(listNodes(), NODE_TIMEOUT_MS).catch(() => known);
        const found = await Promise.all(listed.map(lookAt));
        // Claims are on the workers, unless there is none.
        const workers = found.filter(({ node }) => node.group !== 0 || found.length === 1);
        if (workers.every(({ failure }) => failure !== null)) {
          throw new DatabaseUnavailable(
            `No worker of Citus takes writes: ${workers[0]?.failure ?? 'none is known'}`,
          );
        }
        return found.every(({ failure }) => failure === null);
      }
      const result = await onWriter((client) => client.query('show transaction_read_only')).catch(
        (error: unknown) => {
          throw translated(error);
        },
      );
      if (result.rows[0].transaction_read_only === 'on') {
        throw new DatabaseUnavailable('PostgreSQL: the server is read-only.');
      }
      return true;
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
        nodes: areDistributed
          ? (await Promise.all((await listNodes()).map(lookAt))).map(({ node, failure }) => ({
              host: `${node.host}:${node.port}`,
              isCoordinator: node.group === 0,
              failure,
            }))
          : [],
      };
    },
    close,
  };
}
