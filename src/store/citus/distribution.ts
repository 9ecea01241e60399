/**
 * Placement of tables on Citus. Owners' rows are distributed by account, so that a redemption needs one node only.
 * Tables that every node needs are on every node, the others on the coordinator. `docs/decisions/0018-citus.md` says
 * why.
 */
import type pg from 'pg';
import { DatabaseUnusable } from '../database.ts';
import { ENGINE_MARK } from '../postgres/event-numbers.ts';
import { EVENT_SEQUENCE, EVENT_SEQUENCE_NAME, EVENT_STEP } from './event-numbers.ts';

/** In an order that satisfies foreign keys. */
const ON_EVERY_NODE = ['accounts', 'listings', 'offer_wordings', 'offers', 'api_keys'] as const;

/** Those of them with numbered rows. */
const NUMBERED = ['accounts', 'offer_wordings', 'offers', 'api_keys'] as const;

/** When Citus converts a table because of a foreign key, its numbers restart at 1; this restores the last number. */
const CONTINUE_NUMBERS = (table: string) =>
  `select setval(pg_get_serial_sequence('${table}', 'number'), max(number)) from ${table} having max(number) is not null`;

/** Tables by distribution column. Within a group, an account's rows are on one node. */
const BY_OWNER: readonly (readonly [column: string, tables: readonly string[]])[] = [
  [
    'account_number',
    [
      'claim_rows',
      'event_rows',
      'label_deltas',
      'label_counts',
      'label_days',
      'unreadable_labels',
      'offer_claims',
      'claim_openings',
      'offer_codes',
      'mailbox_marks',
    ],
  ],
  ['account_id', ['attempts', 'unrecorded_calls', 'first_verifications', 'api_key_uses']],
];

/** Shards of each group per node; few, because the redemptions of a shard share batches. */
const SHARDS_A_NODE = 4;

export async function hasCitus(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query("select 1 from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

export async function isDistributed(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rows } = await client.query(
    "select 1 from pg_dist_partition where logicalrelid = to_regclass('claim_rows')",
  );
  return rows.length > 0;
}

/** Blocks writers until all tables are distributed. */
export async function lockAll(client: Pick<pg.Client, 'query'>): Promise<void> {
  const tables = [...BY_OWNER.flatMap(([, ofGroup]) => ofGroup), ...ON_EVERY_NODE];
  await client.query(`lock table ${tables.join(', ')} in share row exclusive mode`);
}

/**
 * Distributes the tables and their rows inside a transaction, which blocks writers. `shards`: of each group, by default
 * four for each node that takes shards. Throws `DatabaseUnusable` if Citus is not ready. Processes that still use plain
 * PostgreSQL detect the change by the engine mark.
 */
export async function distribute(client: Pick<pg.Client, 'query'>, shards?: number): Promise<void> {
  const nodes = await client.query(
    'select groupid, nodename, shouldhaveshards from pg_dist_node where isactive order by groupid',
  );
  const workers = nodes.rows.filter(({ shouldhaveshards }) => shouldhaveshards);
  if (workers.length === 0) throw new DatabaseUnusable(NO_WORKERS);
  if (nodes.rows[0].groupid !== 0) throw new DatabaseUnusable(NO_COORDINATOR);
  // Citus also converts tables that refer to these, with a notice for each step.
  await client.query('set local client_min_messages to warning');
  await client.query(`set local citus.shard_count to ${shards ?? SHARDS_A_NODE * workers.length}`);
  for (const table of ON_EVERY_NODE) await client.query('select create_reference_table($1)', [table]);
  for (const table of NUMBERED) await client.query(CONTINUE_NUMBERS(table));
  // Readers may have passed numbers that were drawn but never used.
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
  "Citus does not know the address of its coordinator, which local tables need; set it with select citus_set_coordinator_host('HOST', PORT).";
