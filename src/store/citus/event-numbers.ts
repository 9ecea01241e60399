/**
 * Each node draws its own event numbers, but all events form one log, in which a reader's position is a number. The
 * numbers are divided into steps of 32. Each node uses one number of every step: the one whose position in the step
 * (from 0) equals the node's group ID, the number that Citus assigned to the node. Before a read, nodes that are behind
 * draw numbers until they reach the foremost node, so that no node can use a number below the reader's position. A new
 * node starts after the foremost one.
 */
import type { ClientBase, PoolClient } from 'pg';
import { DatabaseUnavailable, DatabaseUnusable, type EventNumbers } from '../database.ts';

/** Numbers in a step, and thus the maximum number of groups. Every node that was ever added has used up a group. */
export const EVENT_STEP = 32;

/** Citus starts a node's sequence at its group shifted by this many bits. */
const GROUP_BITS = 48;
const OWN_PART = 2 ** GROUP_BITS - 1;

export const EVENT_SEQUENCE_NAME = 'event_rows_seq_seq';
export const EVENT_SEQUENCE = `'${EVENT_SEQUENCE_NAME}'::regclass`;
const stepOf = (drawn: string) => `((${drawn}) & ${OWN_PART}) / ${EVENT_STEP}`;

/** SQL of a node's next number; `group` is SQL too. */
export const EVENT_NUMBER = (group: string) =>
  `${stepOf(`nextval(${EVENT_SEQUENCE})`)} * ${EVENT_STEP} + ${group}::int`;

/** SQL of the last step in which this node has drawn a number; null if it never has. */
const LAST_STEP = `select ${stepOf(`pg_sequence_last_value(${EVENT_SEQUENCE})`)}`;

/** Maximum number of steps that one statement draws, which takes about a second. */
const MOST_STEPS = 1_000_000;

/** SQL that draws numbers up to a step and returns the last step drawn. A node that never drew a number draws none. */
const drawUpTo = (step: number): string =>
  `select max(${stepOf('drawn')}) from (
    select pg_sequence_last_value(${EVENT_SEQUENCE}) as drawn
    union all
    select nextval(${EVENT_SEQUENCE}) from generate_series(1, least(${MOST_STEPS}, coalesce(${step} - (${LAST_STEP}), 0)))
  ) numbers`;

interface OfNode {
  readonly value: string | number | null;
}

/** Runs a statement that returns one value on each active node. Throws `DatabaseUnavailable` if a node is down. */
type OnEachNode = (statement: string) => Promise<readonly OfNode[]>;
/** The same, with the group of each node. */
export type OnEach = (statement: string) => Promise<readonly (OfNode & { readonly group: number })[]>;

/**
 * Makes nodes that are behind draw numbers until they reach the foremost one. Returns the last number of the last step
 * that all nodes have drawn, or 0 if none has drawn a number; new numbers are higher. Nodes that have never drawn a
 * number are skipped: they start after the foremost one. Throws like `onEach`.
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

/** Key of the lock: an arbitrary number, the same in every process. */
const ADVISORY_LOCK = 2524624327;

/**
 * Makes a node that has never drawn a number start after all others. Throws `DatabaseUnavailable` if a node is down,
 * and `DatabaseUnusable` if the groups are used up.
 */
export async function joinNumbers(client: PoolClient): Promise<void> {
  const { rows } = await client.query('select groupid from pg_dist_local_group');
  const group: number = rows[0].groupid;
  if (group >= EVENT_STEP) {
    throw new DatabaseUnusable(
      `This Citus node has group ${group}, but event numbers only support groups up to ${EVENT_STEP - 1}. Every node that was ever added has used up a group.`,
    );
  }
  await client.query('begin');
  // Longer than for batches, because connections that join at the same time wait here for each other.
  await client.query('set local lock_timeout to 2000');
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
  if ((await lastStep(client)) === null) {
    const first = (await foremostStep(client)) + 1;
    await client.query(`select setval(${EVENT_SEQUENCE}, $1::bigint)`, [
      String(group * 2 ** GROUP_BITS + 1 + first * EVENT_STEP),
    ]);
    // A reader that read the log before this node drew its first number may already be past the step `first`.
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
  // Null is returned as an empty string.
  return rows.map(({ result }) => ({ value: result === '' ? null : result }));
}

export const createEventNumbers = (onEach: OnEach): EventNumbers => ({
  lastDrawn: () => drawTogether(onEach),
  writers: async (among) => {
    const writers = (await writersOf(onEach)).filter((writer) => among?.has(writer) ?? true);
    if (writers.length > 0) return new Set(writers);
    // A transaction that wrote on several nodes may no longer be listed on the coordinator while it is still prepared
    // on those nodes, under a different name. If a node goes down at that moment, the transaction stays prepared there
    // until the node is back.
    return new Set((await writersOf(onEach)).filter((writer) => writer.endsWith(PREPARED)));
  },
});

const PREPARED = '-prepared';

/**
 * The transactions of a node that are writing events or drawing numbers. They hold locks on the table's shards and
 * partitions, or on its sequence. The query finds these by name, because Citus omits shards from what it shows of a
 * worker's catalogue. A lock without a pid belongs to a prepared transaction, whose ID stays the same until PostgreSQL
 * restarts.
 */
const WRITERS_OF_NODE = `select string_agg(distinct virtualtransaction || case when pid is null then '${PREPARED}' else '' end, ' ')
  from pg_locks
  where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())
    and relation::regclass::text like '%event\\_rows%'`;

async function writersOf(onEach: OnEach): Promise<string[]> {
  const found = await onEach(WRITERS_OF_NODE);
  return found.flatMap(({ group, value }) =>
    value === null
      ? []
      : String(value)
          .split(' ')
          .map((id) => `${group} ${id}`),
  );
}
