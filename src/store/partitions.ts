/**
 * Tables that grow for years are partitioned by month where the engine can, so that old rows go as a whole, without a
 * delete for each. `null` in place of `Partitions`: the tables of the engine are whole.
 */

/** Events, and the calls of the request log. */
export const PARTITIONED_TABLES = ['event_rows', 'attempts'] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/** The rows of a table from one time until before another; both are starts of months, ISO 8601 UTC. */
export interface Partition {
  readonly table: PartitionedTable;
  /** The name of its table. */
  readonly name: string;
  readonly from: string;
  readonly until: string;
}

/** How many months ahead have their partition in advance, so that no rows go to the default partition. */
export const MONTHS_AHEAD = 3;

/** Most rows of a default partition that are counted. */
export const STRAYS_COUNTED = 10_000;

export interface Partitions {
  /** In order of time; without the default partitions. */
  list(table: PartitionedTable): Promise<readonly Partition[]>;
  /** How many rows a default partition has, which are from times without a partition; at most `STRAYS_COUNTED`. */
  countStrays(table: PartitionedTable): Promise<number>;
  /**
   * Makes the partitions of this month and the next ones. Events in the default partition get partitions of their
   * own. Does nothing while another process does it. No redemption waits for longer than `LOCK_TIMEOUT_MS`; throws
   * `DatabaseUnavailable` where a lock was not given in several tries of that length. `nowMs`: milliseconds since the
   * epoch.
   */
  makeRoom(nowMs: number): Promise<void>;
  /**
   * Deletes a partition with its rows. `upTo`: only if none of its events has a higher number. False where one has, where
   * a reader held it for too long, or another process is at work: try again later.
   */
  drop(partition: Partition, upTo?: number): Promise<boolean>;
}

/** The start of the month of a time, or of the month `monthsLater` months after it: ISO 8601 UTC. */
export function monthStart(ms: number, monthsLater = 0): string {
  const date = new Date(ms);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater)).toISOString();
}

/** Those whose rows are all from before a time (ISO 8601 UTC), the oldest first. */
export const partsBefore = (partitions: readonly Partition[], time: string): readonly Partition[] =>
  partitions.filter(({ until }) => until <= time);

/** The months that should have a partition and have none: their starts. */
export function missingMonths(partitions: readonly Partition[], nowMs: number): readonly string[] {
  const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, later) => monthStart(nowMs, later));
  return wanted.filter((start) => !partitions.some(({ from, until }) => from <= start && start < until));
}

/** Whether `makeRoom` would find work; writes nothing. */
export async function needRoom(partitions: Partitions | null, nowMs: number): Promise<boolean> {
  if (partitions === null) return false;
  for (const table of PARTITIONED_TABLES) {
    if (missingMonths(await partitions.list(table), nowMs).length > 0) return true;
  }
  return (await partitions.countStrays('event_rows')) > 0;
}
