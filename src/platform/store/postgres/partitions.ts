/**
 * Rows of a month without a partition go to the default partition, `<table>_rest`. Redemptions queue behind a pending
 * lock request on their tables, so every lock request times out after `LOCK_TIMEOUT_MS`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { HOUR_MS } from '../../text/durations.ts';
import {
  MAX_DEFAULT_ROWS,
  missingMonths,
  monthStart,
  PARTITIONED_TABLES,
  type Partition,
  type PartitionedTable,
  type Partitions,
} from '../partitions.ts';
import { sqlState, throwTranslated } from './errors.ts';
import { connectSeparately } from './separate-connection.ts';

/** Maximum time that a lock request waits. A transaction that redeems takes less than half of this time. */
export const LOCK_TIMEOUT_MS = 100;
const TRIES = 5;
const PAUSE_MS = 500;
/** Copies in rounds without a lock until at most this many rows, or `ROUNDS`, are left; the rest under the lock. */
const ROWS_UNDER_LOCK = 1_000;
const ROUNDS = 10;
/** Key of the advisory lock for work on partitions: the key in `migrate.ts` plus one. */
const ADVISORY_LOCK = 2524624326;
/** Long, because one statement may copy most of a large default partition. */
const STATEMENT_TIMEOUT_MS = HOUR_MS;
/** SQLSTATE of a failed `attach`: the default partition has rows that belong to the new partition. */
const CHECK_VIOLATION = '23514';

/** Bounds are in UTC. With `read committed`, statements after a lock see everything committed before it. */
const SETTINGS = [
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
  "default_transaction_isolation = 'read committed'",
];

type Row = Readonly<Record<string, unknown>>;
export type Run = (text: string) => Promise<readonly Row[]>;

export const runOn =
  (client: pg.ClientBase): Run =>
  async (text) =>
    (await client.query(text)).rows;

const defaultOf = (table: PartitionedTable): string => `${table}_rest`;

const nameOf = (table: PartitionedTable, month: string): string =>
  `${table}_${month.slice(0, 7).replace('-', '_')}`;

const nextMonth = (month: string): string => monthStart(Date.parse(month), 1);

const BOUND = /FROM \('([^']+)'\) TO \('([^']+)'\)/;

async function listPartitions(run: Run, table: PartitionedTable): Promise<readonly Partition[]> {
  const rows = await run(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = '${table}'::regclass`,
  );
  const partitions = rows.flatMap(({ name, bound }) => {
    const [, from, until] = BOUND.exec(String(bound)) ?? [];
    if (from === undefined || until === undefined) return [];
    return [{ table, name: String(name), from: timeOf(from), until: timeOf(until) }];
  });
  return partitions.sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** Parses a bound, which is in UTC: `2026-11-01 00:00:00+00`. */
const timeOf = (bound: string): string => new Date(`${bound.replace(' ', 'T')}:00`).toISOString();

const countRows = async (run: Run, table: string): Promise<number> => {
  const [counted] = await run(
    `select count(*) as rows from (select 1 from ${table} limit ${MAX_DEFAULT_ROWS}) counted`,
  );
  return Number(counted!['rows']);
};

/** Skips months with rows in the default partition. */
export async function createMonths(
  run: Run,
  transaction: (work: () => Promise<void>) => Promise<void>,
  nowMs: number,
): Promise<void> {
  for (const table of PARTITIONED_TABLES) {
    for (const month of missingMonths(await listPartitions(run, table), nowMs)) {
      await transaction(async () => {
        await createPartition(run, table, month);
        // Without this lock, a concurrent write that was already routed to the default partition would fail.
        await run(`lock table only ${table} in share row exclusive mode`);
        await attach(run, table, month);
      }).catch((error) => {
        if (sqlState(error) !== CHECK_VIOLATION) throw error;
      });
    }
  }
}

/** Creates partitions for rows that are about to be copied into new tables. `months`: starts of months. */
export async function addMonths(run: Run, table: PartitionedTable, months: readonly string[]): Promise<void> {
  const existing = new Set((await listPartitions(run, table)).map(({ from }) => from));
  for (const month of months) {
    if (existing.has(month)) continue;
    await createPartition(run, table, month);
    await attach(run, table, month);
  }
}

/** Creates the indexes too, because `attach` would build missing indexes under its lock. */
const createPartition = (run: Run, table: PartitionedTable, month: string) =>
  run(
    `create table ${nameOf(table, month)} (like ${table} including defaults including constraints including indexes)`,
  );

const attach = (run: Run, table: PartitionedTable, month: string) =>
  run(
    `alter table ${table} attach partition ${nameOf(table, month)} for values from ('${month}') to ('${nextMonth(month)}')`,
  );

export interface PartitionRules {
  readonly settings: readonly string[];
  /** Returns the last event number drawn. Call only while a lock prevents transactions from drawing numbers. */
  lastDrawn(client: pg.ClientBase): Promise<number>;
  /** Throws `DatabaseUnavailable` if the database was moved to another engine. */
  check(client: pg.ClientBase): Promise<void>;
  isLockTimeout(error: unknown): boolean;
}

export function createPartitions(url: string, read: Run, rules: PartitionRules): Partitions {
  /** Runs `work` on a separate connection. Returns `null` if another process is working on partitions. */
  const exclusively = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T | null> => {
    const client = await connectSeparately(url, {
      name: 'claimcheck partitions',
      timeoutMs: STATEMENT_TIMEOUT_MS,
    }).catch(throwTranslated);
    try {
      for (const setting of [...SETTINGS, ...rules.settings, `lock_timeout = ${LOCK_TIMEOUT_MS}`]) {
        await client.query(`set ${setting}`);
      }
      const [lock] = await runOn(client)(`select pg_try_advisory_lock(${ADVISORY_LOCK}) as is_ours`);
      if (!lock!['is_ours']) return null;
      await rules.check(client);
      return await work(client);
    } catch (error) {
      return throwTranslated(error);
    } finally {
      await client.end().catch(() => {});
    }
  };
  return {
    list: (table) => listPartitions(read, table),
    countDefaultRows: (table) => countRows(read, defaultOf(table)),
    create: async (nowMs) => {
      await exclusively(async (client) => {
        const run = runOn(client);
        const transaction = (work: () => Promise<void>) => inTransaction(client, rules, work);
        // Rows of `attempts` may stay in the default partition, because they are deleted one by one within weeks.
        if ((await countRows(run, defaultOf('event_rows'))) > 0) await emptyDefault(client, rules);
        await createMonths(run, transaction, nowMs);
      });
    },
    drop: async ({ table, name }, upTo) => {
      const isGone = await exclusively(async (client) => {
        const run = runOn(client);
        return await inTransaction(client, rules, async () => {
          if (upTo !== undefined) {
            await run(`lock table only ${table} in access exclusive mode`);
            const [row] = await run(`select max(seq) as last from ${name}`);
            if (Number(row!['last']) > upTo) return false;
          }
          await run(`drop table if exists ${name}`);
          return true;
        }).catch((error) => {
          if (rules.isLockTimeout(error)) return false;
          throw error;
        });
      });
      return isGone ?? false;
    },
  };
}

/** Retries after a lock timeout, with pauses, so that redemptions queued behind the lock request can run. */
async function inTransaction<T>(
  client: pg.Client,
  { isLockTimeout }: PartitionRules,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const result = await work();
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      if (!isLockTimeout(error) || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Moves events from the default partition to monthly partitions. Copies most rows while reads and writes continue.
 * Then, under a short lock, copies the new rows, truncates the default partition and attaches the copies.
 */
async function emptyDefault(client: pg.Client, rules: PartitionRules): Promise<void> {
  const run = runOn(client);
  const table = 'event_rows';
  const rest = defaultOf(table);
  const copies = new Set<string>();
  /** Copies rows with `after` < number <= `upTo` (`null`: no limit). Returns the number of rows copied. */
  const copy = async (after: number, upTo: number | null): Promise<number> => {
    const added = `seq > ${after}${upTo === null ? '' : ` and seq <= ${upTo}`}`;
    const months = await run(
      `select date_trunc('month', at at time zone 'UTC')::date::text as month, count(*)::int as rows
       from ${rest} where ${added} group by 1 order by 1`,
    );
    for (const { month: day } of months) {
      const month = new Date(String(day)).toISOString();
      const name = nameOf(table, month);
      if (!copies.has(month)) {
        await createPartition(run, table, month);
        // With this constraint, `attach` does not scan the rows.
        await run(
          `alter table ${name} add constraint ${name}_time check (at >= '${month}' and at < '${nextMonth(month)}')`,
        );
        copies.add(month);
      }
      await run(
        `insert into ${name} select * from ${rest} where ${added} and at >= '${month}' and at < '${nextMonth(month)}'`,
      );
    }
    return months.reduce((sum, { rows }) => sum + Number(rows), 0);
  };

  await dropCopies(run, table);
  let copied = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const upTo = await settledNumber(client, table, rules);
    const rows = await copy(copied, upTo);
    copied = upTo;
    if (rows <= ROWS_UNDER_LOCK) break;
  }
  for (const month of copies) await run(`analyze ${nameOf(table, month)}`);
  const monthsBefore = new Set(copies);
  await inTransaction(client, rules, async () => {
    // Forget tables whose creation was rolled back by a failed try.
    for (const month of copies) if (!monthsBefore.has(month)) copies.delete(month);
    // Block all other statements: a statement planned before the move would not find the moved rows.
    await run(`lock table only ${table} in access exclusive mode`);
    await rules.check(client);
    await copy(copied, null);
    await run(`truncate ${rest}`);
    for (const month of copies) {
      await attach(run, table, month);
      await run(`alter table ${nameOf(table, month)} drop constraint ${nameOf(table, month)}_time`);
    }
  });
}

/** A number up to which all rows are visible: the share lock waits for writes in progress. */
const settledNumber = (client: pg.Client, table: PartitionedTable, rules: PartitionRules): Promise<number> =>
  inTransaction(client, rules, async () => {
    await client.query(`lock table only ${table} in share mode`);
    return await rules.lastDrawn(client);
  });

/** Drops tables that a killed process created but did not attach. */
async function dropCopies(run: Run, table: PartitionedTable): Promise<void> {
  const leftovers = await run(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
     and not relispartition and relname ~ '^${table}_[0-9]{4}_[0-9]{2}$'`,
  );
  for (const { name } of leftovers) await run(`drop table ${String(name)}`);
}
