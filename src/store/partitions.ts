/**
 * Growing tables are partitioned by month, so that old months can be dropped instead of deleted row by row.
 * `Partitions` is `null` on engines that don't support this.
 */

export const PARTITIONED_TABLES = ['event_rows', 'attempts'] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/** The rows of a table with `from` <= time < `until`; both are starts of months, ISO 8601 UTC. */
export interface Partition {
  readonly table: PartitionedTable;
  readonly name: string;
  readonly from: string;
  readonly until: string;
}

/** Partitions are created this many months ahead, so that normally no rows go to the default partition. */
export const MONTHS_AHEAD = 3;

export const STRAYS_COUNTED = 10_000;

export interface Partitions {
  /** In order of time, without the default partition. */
  list(table: PartitionedTable): Promise<readonly Partition[]>;
  /** Rows in the default partition, counted up to `STRAYS_COUNTED`. */
  countStrays(table: PartitionedTable): Promise<number>;
  /**
   * Creates partitions for this month and the next ones, and moves events out of the default partition. Does nothing
   * while another process is doing this. Throws `DatabaseUnavailable` if several tries got no lock.
   */
  makeRoom(nowMs: number): Promise<void>;
  /**
   * Deletes a partition; with `upTo`, only if none of its events has a higher number. `false`: it wasn't deleted,
   * because of such an event, a reader's lock, or another process that works on partitions. Try again later.
   */
  drop(partition: Partition, upTo?: number): Promise<boolean>;
}

/** Start of the month of `ms`, or of the month `monthsLater` months after it: ISO 8601 UTC. */
export function monthStart(ms: number, monthsLater = 0): string {
  const date = new Date(ms);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater)).toISOString();
}

export const partsBefore = (partitions: readonly Partition[], time: string): readonly Partition[] =>
  partitions.filter(({ until }) => until <= time);

export function missingMonths(partitions: readonly Partition[], nowMs: number): readonly string[] {
  const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, later) => monthStart(nowMs, later));
  return wanted.filter((start) => !partitions.some(({ from, until }) => from <= start && start < until));
}

export async function needRoom(partitions: Partitions | null, nowMs: number): Promise<boolean> {
  if (partitions === null) return false;
  for (const table of PARTITIONED_TABLES) {
    if (missingMonths(await partitions.list(table), nowMs).length > 0) return true;
  }
  return (await partitions.countStrays('event_rows')) > 0;
}
