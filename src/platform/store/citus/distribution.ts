/**
 * Owners' rows are distributed by account, so that a redemption needs only one node. Tables that every node needs are
 * reference tables. All other tables stay on the coordinator (`docs/decisions/0018-citus.md`).
 */
import type pg from 'pg';
import { COMMAND_NAME } from '../../process/version.ts';
import { HOUR_MS } from '../../text/durations.ts';
import { DatabaseUnusable } from '../database.ts';
import { withoutPassword } from '../postgres/connection-options.ts';
import { isRetryable } from '../postgres/errors.ts';
import { ENGINE_MARK, readEngineMark } from '../postgres/event-numbers.ts';
import { runSeparately } from '../postgres/separate-connection.ts';
import { EVENT_SEQUENCE, EVENT_SEQUENCE_NAME, EVENT_STEP } from './event-numbers.ts';

const READ_TIMEOUT_MS = 10_000;
/** Long, because millions of claims are copied in one transaction. */
const DISTRIBUTION_TIMEOUT_MS = 6 * HOUR_MS;
/** Maximum number of attempts if the table locks cause a deadlock. */
const TRIES = 5;

/** Reference tables, in an order that satisfies foreign keys. */
const ON_EVERY_NODE = ['accounts', 'listings', 'offer_wordings', 'offers', 'api_keys'] as const;

/** The reference tables with an identity column (`number`). */
const NUMBERED = ['accounts', 'offer_wordings', 'offers', 'api_keys'] as const;

/** If Citus converts a table because of a foreign key, the sequence of its `number` restarts at 1. */
const CONTINUE_NUMBERS = (table: string) =>
  `select setval(pg_get_serial_sequence('${table}', 'number'), max(number)) from ${table} having max(number) is not null`;

/** Groups of colocated tables. Within a group, all rows of an account are on the same node. */
const BY_OWNER: readonly (readonly [column: string, tables: readonly string[]])[] = [
  [
    'account_number',
    [
      'claim_rows',
      'event_rows',
      'label_deltas',
      'label_counts',
      'label_days',
      'label_months',
      'unreadable_labels',
      'offer_claims',
      'claim_networks',
      'claim_openings',
      'claim_references',
      'offer_codes',
      'mailbox_marks',
    ],
  ],
  ['account_id', ['attempts', 'unrecorded_calls', 'first_verifications', 'api_key_uses']],
];

/** Shards per node for each group of tables. A batch sends two or three statements for each shard it uses. */
const SHARDS_A_NODE = 4;

async function hasCitus(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query("select 1 from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/** For a move from the embedded database, which fills local tables. `location`: URL without a password. */
export async function requireSingleServer(client: Pick<pg.Client, 'query'>, location: string): Promise<void> {
  if (!(await hasCitus(client))) return;
  throw new DatabaseUnusable(
    `The database at DATABASE_URL ${location} has the extension citus. Move to a database without it; then create the extension there and run ${COMMAND_NAME} migrate --distribute.`,
  );
}

async function isDistributed(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rows } = await client.query(
    "select 1 from pg_dist_partition where logicalrelid = to_regclass('claim_rows')",
  );
  return rows.length > 0;
}

async function lockAll(client: Pick<pg.Client, 'query'>): Promise<void> {
  const tables = [...BY_OWNER.flatMap(([, ofGroup]) => ofGroup), ...ON_EVERY_NODE];
  await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`);
}

/**
 * Must run in a transaction that has locked or created the tables. `shards`: per group of tables; by default four for
 * each node that takes shards. Changes the engine mark, so that processes with the plain PostgreSQL engine detect it.
 * Throws `DatabaseUnusable` if Citus is not set up completely.
 */
async function distribute(client: Pick<pg.Client, 'query'>, shards?: number): Promise<void> {
  const nodes = await client.query(
    'select groupid, nodename, shouldhaveshards from pg_dist_node where isactive order by groupid',
  );
  const workers = nodes.rows.filter(({ shouldhaveshards }) => shouldhaveshards);
  if (workers.length === 0) throw new DatabaseUnusable(NO_WORKERS);
  if (nodes.rows[0].groupid !== 0) throw new DatabaseUnusable(NO_COORDINATOR);
  // Suppresses the notices that Citus sends for each step.
  await client.query('set local client_min_messages to warning');
  await client.query(`set local citus.shard_count to ${shards ?? SHARDS_A_NODE * workers.length}`);
  for (const table of ON_EVERY_NODE) await client.query('select create_reference_table($1)', [table]);
  for (const table of NUMBERED) await client.query(CONTINUE_NUMBERS(table));
  // Continues above all numbers drawn so far, even unused ones, because readers' cursors may already be past them.
  await client.query(
    `select setval(${EVENT_SEQUENCE}, ${EVENT_STEP} *
       (1 + greatest(max(seq), pg_sequence_last_value(${EVENT_SEQUENCE}), 0) / ${EVENT_STEP})) from event_rows`,
  );
  await client.query(`alter sequence ${EVENT_SEQUENCE_NAME} increment by ${EVENT_STEP}`);
  for (const [column, tables] of BY_OWNER) {
    for (const [index, table] of tables.entries()) {
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
        table,
        column,
        index === 0 ? 'none' : tables[0],
      ]);
    }
  }
  await client.query(
    `insert into settings (name, value) values ($1, clock_timestamp()::text)
     on conflict (name) do update set value = excluded.value`,
    [ENGINE_MARK],
  );
}

const NO_WORKERS =
  "The database has the extension citus, but no node for its tables; add the workers with select citus_add_node('HOST', PORT), or drop the extension.";
const NO_COORDINATOR =
  "Citus does not know its coordinator's address, which is required for local tables; set it with select citus_set_coordinator_host('HOST', PORT).";

/** For `MigrateOptions.onNew`: distributes the tables if the extension citus is installed. */
export const distributeNew =
  (shards?: number) =>
  async (client: pg.Client): Promise<void> => {
    if (await hasCitus(client)) await distribute(client, shards);
  };

/** Reads the engine mark and whether the tables are distributed. Throws like `openPostgres`. */
export async function readDistribution(
  url: string,
): Promise<{ readonly areDistributed: boolean; readonly mark: string | null }> {
  return await runSeparately(
    url,
    { name: 'claimcheck start', timeoutMs: READ_TIMEOUT_MS },
    async (client) => {
      // Reads the mark first. In the opposite order, a distribution between the two reads would go unnoticed.
      const mark = await readEngineMark(client);
      return { areDistributed: await isDistributed(client), mark };
    },
  );
}

/**
 * Distributes existing tables. While rows are copied, reads continue and writes get 503. Throws `DatabaseUnusable` if
 * Citus is not installed or the tables are already distributed.
 */
export async function distributeDatabase(url: string, shards?: number): Promise<void> {
  const options = { name: 'claimcheck distribute', timeoutMs: DISTRIBUTION_TIMEOUT_MS };
  await runSeparately(url, options, async (client) => {
    if (!(await hasCitus(client))) {
      throw new DatabaseUnusable(
        `The database at DATABASE_URL ${withoutPassword(url)} lacks the extension citus; add it with "create extension citus".`,
      );
    }
    if (await isDistributed(client)) {
      throw new DatabaseUnusable(
        `The tables at DATABASE_URL ${withoutPassword(url)} are already distributed.`,
      );
    }
    for (let tries = 1; ; tries += 1) {
      try {
        await client.query('begin');
        await lockAll(client);
        await distribute(client, shards);
        await client.query('commit');
        return;
      } catch (error) {
        await client.query('rollback');
        if (!isRetryable(error) || tries === TRIES) throw error;
      }
    }
  });
}
