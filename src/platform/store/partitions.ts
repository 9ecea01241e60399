/** Months of growing tables, which can be dropped instead of deleted row by row. `null` on SQLite. */

export const PARTITIONED_TABLES = ['event_rows', 'attempts'] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/** Holds the rows with `from` <= time < `until`. Both are starts of months, ISO 8601 UTC. */
export interface Partition {
  readonly table: PartitionedTable;
  readonly name: string;
  readonly from: string;
  readonly until: string;
}

/** Number of future months to create partitions for. Rows without a monthly partition go to the default partition. */
export const MONTHS_AHEAD = 3;

/** `countDefaultRows` stops counting at this number. */
export const MAX_DEFAULT_ROWS = 10_000;

export interface Partitions {
  /** Sorted by time. Excludes the default partition. */
  list(table: PartitionedTable): Promise<readonly Partition[]>;
  /** Number of rows in the default partition, at most `MAX_DEFAULT_ROWS`. */
  countDefaultRows(table: PartitionedTable): Promise<number>;
  /**
   * Creates this month and the next `MONTHS_AHEAD`, and moves events out of the default partition, unless another
   * process works on partitions. Throws `DatabaseUnavailable` if every attempt to lock a table timed out.
   */
  create(nowMs: number): Promise<void>;
  /**
   * With `upTo`, only if no event in it has a higher number. `false`: it has such an event, a reader holds a lock, or
   * another process is working on partitions.
   */
  drop(partition: Partition, upTo?: number): Promise<boolean>;
}

/** Start of the month that contains `ms`, plus `monthsLater` months. ISO 8601 UTC. */
export function monthStart(ms: number, monthsLater = 0): string {
  const date = new Date(ms);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater)).toISOString();
}

export const partitionsBefore = (partitions: readonly Partition[], time: string): readonly Partition[] =>
  partitions.filter(({ until }) => until <= time);

export function missingMonths(partitions: readonly Partition[], nowMs: number): readonly string[] {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, later) => monthStart(nowMs, later));
  return months.filter((start) => !partitions.some(({ from, until }) => from <= start && start < until));
}

export async function arePartitionsMissing(partitions: Partitions | null, nowMs: number): Promise<boolean> {
  if (partitions === null) return false;
  for (const table of PARTITIONED_TABLES) {
    if (missingMonths(await partitions.list(table), nowMs).length > 0) return true;
  }
  return (await partitions.countDefaultRows('event_rows')) > 0;
}
