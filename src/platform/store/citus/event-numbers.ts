/**
 * All events form one log with a number as cursor, but each node draws numbers independently. In every step of 32, a
 * node uses only the number at the position of its Citus group ID. Before a read, nodes that are behind draw up to the
 * foremost node, so none can use a number below the reader's cursor. A new node starts after the foremost one.
 */
import type { ClientBase, PoolClient } from 'pg';
import { DatabaseUnavailable, DatabaseUnusable, type EventNumbers } from '../database.ts';

/** Numbers per step, and thus the maximum number of groups. Citus doesn't reuse the group IDs of removed nodes. */
export const EVENT_STEP = 32;

/** Citus starts a node's sequence at the group ID, shifted left by this many bits. */
const GROUP_BITS = 48;
const OWN_PART = 2 ** GROUP_BITS - 1;

export const EVENT_SEQUENCE_NAME = 'event_rows_seq_seq';
export const EVENT_SEQUENCE = `'${EVENT_SEQUENCE_NAME}'::regclass`;
const stepOf = (drawn: string) => `((${drawn}) & ${OWN_PART}) / ${EVENT_STEP}`;

/** SQL expression that draws a node's next event number. `group`: SQL expression for the node's group ID. */
export const EVENT_NUMBER = (group: string) =>
  `${stepOf(`nextval(${EVENT_SEQUENCE})`)} * ${EVENT_STEP} + ${group}::int`;

/** SQL query for the last step in which a node has drawn a number; null if the node has never drawn a number. */
const LAST_STEP = `select ${stepOf(`pg_sequence_last_value(${EVENT_SEQUENCE})`)}`;

/** Maximum number of steps drawn by one statement. Drawing them takes about a second. */
const MOST_STEPS = 1_000_000;

/**
 * SQL query that draws numbers until the node reaches `step`, but at most `MOST_STEPS` numbers. Returns the step that
 * the node has reached. On a node that has never drawn a number, draws nothing and returns null.
 */
const drawUpTo = (step: number): string =>
  `select max(${stepOf('drawn')}) from (
    select pg_sequence_last_value(${EVENT_SEQUENCE}) as drawn
    union all
    select nextval(${EVENT_SEQUENCE}) from generate_series(1, least(${MOST_STEPS}, coalesce(${step} - (${LAST_STEP}), 0)))
  ) numbers`;

interface OfNode {
  readonly value: string | number | null;
}

/** Runs a statement on each active node. Returns a value per node. Throws `DatabaseUnavailable` if a node is down. */
type OnEachNode = (statement: string) => Promise<readonly OfNode[]>;
/** `OnEachNode`, with the group ID of each node. */
export type OnEach = (statement: string) => Promise<readonly (OfNode & { readonly group: number })[]>;

/**
 * Advances nodes to the foremost step, except those that have never drawn a number. Returns the last number of the last
 * step that all have reached, or 0; new events get higher numbers. Throws like `onEach`.
 */
async function drawTogether(onEach: OnEachNode): Promise<number> {
  const drawn = await stepsOf(onEach, LAST_STEP);
  const foremost = Math.max(...drawn);
  const isBehind = drawn.some((step) => step < foremost);
  const steps = isBehind ? await stepsOf(onEach, drawUpTo(foremost)) : drawn;
  return steps.length === 0 ? 0 : (Math.min(...steps) + 1) * EVENT_STEP - 1;
}

const stepsOf = async (onEach: OnEachNode, statement: string): Promise<number[]> =>
  (await onEach(statement)).flatMap(({ value }) => (value === null ? [] : [Number(value)]));

/** Arbitrary key of the advisory lock, the same in every process. */
const ADVISORY_LOCK = 2524624327;

/**
 * If the node of `client` has never drawn a number, makes the node start after all other nodes. Throws
 * `DatabaseUnavailable` if any node is down, and `DatabaseUnusable` if the group ID of this node is too high.
 */
export async function joinNumbers(client: PoolClient): Promise<void> {
  const { rows } = await client.query('select groupid from pg_dist_local_group');
  const group: number = rows[0].groupid;
  if (group >= EVENT_STEP) {
    throw new DatabaseUnusable(
      `This Citus node has group ${group}, but event numbers only support groups up to ${EVENT_STEP - 1}. Citus does not reuse the groups of removed nodes.`,
    );
  }
  await client.query('begin');
  // This timeout is longer than for batches, because connections that join concurrently wait for this lock.
  await client.query('set local lock_timeout to 2000');
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
  if ((await lastStep(client)) === null) {
    const first = (await foremostStep(client)) + 1;
    await client.query(`select setval(${EVENT_SEQUENCE}, $1::bigint)`, [
      String(group * 2 ** GROUP_BITS + 1 + first * EVENT_STEP),
    ]);
    // Until `setval`, readers skipped this node, so their cursors may already be past the step `first`.
    await client.query(drawUpTo((await foremostStep(client)) + 1));
  }
  await client.query('commit');
}

async function lastStep(client: PoolClient): Promise<number | null> {
  const { rows } = await client.query(`${LAST_STEP} as step`);
  return rows[0].step;
}

const foremostStep = async (client: PoolClient): Promise<number> =>
  Math.max(0, ...(await stepsOf((statement) => onAllNodes(client, statement), LAST_STEP)));

export const drawTogetherThrough = (client: Pick<ClientBase, 'query'>): Promise<number> =>
  drawTogether((statement) => onAllNodes(client, statement));

async function onAllNodes(client: Pick<ClientBase, 'query'>, statement: string): ReturnType<OnEachNode> {
  const { rows } = await client.query('select success, result from run_command_on_all_nodes($1)', [
    statement,
  ]);
  if (rows.some(({ success }) => !success)) {
    throw new DatabaseUnavailable(
      'PostgreSQL: event numbers need all Citus nodes, and one of them cannot be reached.',
    );
  }
  // Citus returns null as an empty string.
  return rows.map(({ result }) => ({ value: result === '' ? null : result }));
}

export const createEventNumbers = (onEach: OnEach): EventNumbers => ({
  lastDrawn: () => drawTogether(onEach),
  writers: async (among) => {
    const writers = (await writersOf(onEach)).filter((writer) => among?.has(writer) ?? true);
    if (writers.length > 0) return new Set(writers);
    // A transaction may have left the coordinator while it is still prepared on the nodes, under a different ID. If a
    // node goes down then, it stays prepared until the node is back.
    return new Set((await writersOf(onEach)).filter((writer) => writer.endsWith(PREPARED)));
  },
});

const PREPARED = '-prepared';

/**
 * A writing transaction has locked shards or partitions of `event_rows`, or the sequence. Matches relations by name,
 * because Citus hides shards in a worker's catalog. A lock without a pid belongs to a prepared transaction, whose ID
 * stays the same until PostgreSQL restarts.
 */
const WRITERS_OF_NODE = `select string_agg(distinct virtualtransaction || case when pid is null then '${PREPARED}' else '' end, ' ')
  from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())
    and relation::regclass::text like '%event\\_rows%'`;

async function writersOf(onEach: OnEach): Promise<string[]> {
  const writers = await onEach(WRITERS_OF_NODE);
  return writers.flatMap(({ group, value }) =>
    value === null
      ? []
      : String(value)
          .split(' ')
          .map((id) => `${group} ${id}`),
  );
}
