import { sql } from 'kysely';
import { isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import type { JobsTable } from '../../platform/store/tables/service.ts';

export type JobState = Pick<JobsTable, 'started_at' | 'leased_until'>;

export const findJob = (db: Queryable, name: string): Promise<JobState | undefined> =>
  db.selectFrom('jobs').select(['started_at', 'leased_until']).where('name', '=', name).executeTakeFirst();

export interface Lease {
  readonly name: string;
  readonly intervalMs: number;
  readonly holder: string;
  readonly at: string;
  readonly until: string;
}

/** `seen`: the result of `findJob`. Returns false if another process has changed the job since. */
export async function takeLease(tx: Transaction, seen: JobState | undefined, lease: Lease): Promise<boolean> {
  const leased = { interval_ms: lease.intervalMs, holder: lease.holder, leased_until: lease.until };
  if (seen === undefined) {
    const added = tx
      .insertInto('jobs')
      .values({ name: lease.name, started_at: lease.at, runs: 0, failures: 0, ...leased })
      .onConflict((conflict) => conflict.doNothing());
    return await isFound(added.returning('name'));
  }
  const updated = tx
    .updateTable('jobs')
    .set({ started_at: lease.at, ...leased })
    .where('name', '=', lease.name)
    .where('started_at', '=', seen.started_at)
    .where('leased_until', seen.leased_until === null ? 'is' : '=', seen.leased_until);
  return await isFound(updated.returning('name'));
}

/** False if another process has the lease. */
export const renewLease = (tx: Transaction, lease: Lease): Promise<boolean> =>
  isFound(
    tx
      .updateTable('jobs')
      .set({ leased_until: lease.until })
      .where('name', '=', lease.name)
      .where('holder', '=', lease.holder)
      .returning('name'),
  );

/** Releases the lease and records the run. Does nothing if another process has the lease. */
export async function endRun(
  tx: Transaction,
  { name, holder }: Lease,
  { at, tookMs, hasFailed }: { at: string; tookMs: number; hasFailed: boolean },
): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({
      holder: null,
      leased_until: null,
      took_ms: tookMs,
      runs: sql<number>`runs + 1`,
      ...(hasFailed ? { failed_at: at, failures: sql<number>`failures + 1` } : { finished_at: at }),
    })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute();
}

/** `finishedAt`: end of the last successful run. `failedAt`: end of the last failed run. `at`: the current time. */
export async function readJobReports(db: Queryable, at: string) {
  const rows = await db
    .selectFrom('jobs')
    .select(['name', 'started_at as startedAt', 'finished_at as finishedAt', 'failed_at as failedAt'])
    .select(['took_ms as tookMs', 'runs', 'failures', 'leased_until'])
    .orderBy('name')
    .execute();
  return rows.map(({ leased_until, ...job }) => ({
    ...job,
    isRunning: leased_until !== null && leased_until > at,
  }));
}

export type JobReport = Awaited<ReturnType<typeof readJobReports>>[number];

export const hasFailed = ({ failedAt, finishedAt }: Pick<JobReport, 'failedAt' | 'finishedAt'>): boolean =>
  failedAt !== null && (finishedAt === null || failedAt > finishedAt);
