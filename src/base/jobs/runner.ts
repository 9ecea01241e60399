/**
 * Each background job runs in one process at a time, under a lease on its row in `jobs` that is renewed during the run.
 * Clocks may differ, so jobs must tolerate a brief overlap.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/store/database.ts';
import { type UuidSource, uuidv7 } from '../../platform/store/uuid.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { endRun, findJob, type JobState, type Lease, renewLease, takeLease } from './queries.ts';

export interface Job {
  /** In English, as stored. Pages show it with `storedText`. */
  readonly name: string;
  /** Time between two starts, across all processes. A run may start slightly early (`EARLY`). */
  readonly intervalMs: number;
  /** Must not write, so that an idle service writes nothing. If omitted, there is always work. */
  readonly isDue?: (() => Promise<boolean>) | undefined;
  /** Whether `start` checks the job immediately, because pages are slow until its first run. */
  readonly checksAtStart?: true;
  /** Checks `signal` before each short transaction: the process stops, or has lost the lease. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** How long a lease lasts without renewal. After a crash, a job can't start again until its lease expires. */
const LEASE_MS = 30_000;
/** Number of renewals per `LEASE_MS`. Two renewals may fail before the lease is lost. */
const RENEWALS_A_LEASE = 3;
/** Between two checks of a job with a longer interval: another process may have stopped running it. */
const MAX_CHECK_INTERVAL_MS = MINUTE_MS;
/** How early a job may start: a check that is on time after a late one comes less than an interval later. */
const EARLY = { shareOfInterval: 0.1, mostMs: 1_000 } as const;

/** A larger difference is not explained by processes whose clocks differ. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

interface JobRunnerContext extends UuidSource {
  readonly db: Database;
}

interface Holding {
  readonly holder: string;
  readonly leaseMs: number;
}

interface JobRunnerOptions {
  readonly jobs: readonly Job[];
  /** Corrects stored times after the clock was set back, such as the times of jobs. */
  readonly onClockSetBack?: () => Promise<void>;
  readonly onRun?: (job: Job, hasFailed: boolean) => void;
  /** Called with each error from a run or from the database. */
  readonly onFailure: (job: Job, error: unknown) => void;
  readonly leaseMs?: number;
}

export interface JobRunner {
  readonly jobs: readonly Job[];
  /**
   * Starts checking each job at its interval, but at least every minute. The first check is immediate only with
   * `checksAtStart`.
   */
  start(): void;
  /** Runs the job if it is due and no process is running it. Resolves to whether it ran; never rejects. */
  runIfDue(job: Job): Promise<boolean>;
  /** Stops checking, aborts the current runs and waits for them to end. */
  close(): Promise<void>;
}

export function createJobRunner(context: JobRunnerContext, options: JobRunnerOptions): JobRunner {
  const { leaseMs = LEASE_MS } = options;
  const holder = uuidv7(context);
  const stopping = new AbortController();
  const running = new Map<Job, Promise<boolean>>();
  const timers: NodeJS.Timeout[] = [];

  /** The latest time that this process has seen. */
  let latestMs = Number.NEGATIVE_INFINITY;
  const readState = async (job: Job): Promise<JobState | undefined> => {
    const nowMs = context.now();
    const seen = await findJob(context.db.read, job.name);
    const seenMs = seen === undefined ? latestMs : Math.max(latestMs, Date.parse(seen.started_at));
    latestMs = nowMs;
    if (options.onClockSetBack === undefined || seenMs <= nowMs + CLOCK_SKEW_MS) return seen;
    await options.onClockSetBack();
    return await findJob(context.db.read, job.name);
  };

  const attempt = async (job: Job): Promise<boolean> => {
    try {
      const seen = await readState(job);
      const lease = await leaseIfDue(context, job, seen, { holder, leaseMs });
      if (lease === null) return false;
      await runUnderLease(context, job, lease, { leaseMs, stopping: stopping.signal, ...options });
      return true;
    } catch (error) {
      options.onFailure(job, error);
      return false;
    }
  };
  const runIfDue = (job: Job): Promise<boolean> => {
    const current = running.get(job);
    if (current !== undefined) return current;
    const run = attempt(job).finally(() => running.delete(job));
    running.set(job, run);
    return run;
  };
  return {
    jobs: options.jobs,
    start: () => {
      for (const job of options.jobs) {
        const timer = setInterval(() => void runIfDue(job), Math.min(job.intervalMs, MAX_CHECK_INTERVAL_MS));
        timers.push(timer.unref());
        if (job.checksAtStart) void runIfDue(job);
      }
    },
    runIfDue,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

/** Between two attempts of `runNow`. */
const POLL_MS = 1_000;

/**
 * Runs `job` in a command, also if it is not due. While another process is running it, calls `onWait` once and waits: a
 * process that was killed loses its lease after `LEASE_MS`. Throws the error of the run.
 */
export async function runNow(
  context: JobRunnerContext,
  job: Omit<Job, 'isDue'>,
  onWait: () => void,
): Promise<void> {
  const holder = uuidv7(context);
  let lease: Lease | null = null;
  for (let isWaiting = false; lease === null; isWaiting = true) {
    if (isWaiting) await sleep(POLL_MS);
    const seen = await findJob(context.db.read, job.name);
    const isFree = seen === undefined || !isLeased(seen, job.intervalMs, context.now());
    lease = isFree ? await lend(context, job, seen, { holder, leaseMs: LEASE_MS }) : null;
    if (lease === null && !isWaiting) onWait();
  }
  const failures: unknown[] = [];
  const run = async (signal: AbortSignal) => {
    try {
      await job.run(signal);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const stopping = new AbortController().signal;
  const options = { jobs: [], leaseMs: LEASE_MS, stopping, onFailure: () => {} };
  await runUnderLease(context, { ...job, run }, lease, options);
  if (failures.length > 0) throw failures[0];
}

/** `null` if the job is not due or another process has the lease. */
async function leaseIfDue(
  context: JobRunnerContext,
  job: Job,
  seen: JobState | undefined,
  holding: Holding,
): Promise<Lease | null> {
  if (seen !== undefined && !mayStart(seen, job.intervalMs, context.now())) return null;
  if (job.isDue !== undefined && !(await job.isDue())) return null;
  return await lend(context, job, seen, holding);
}

/** `null` if another process has changed the job since it was `seen`. */
async function lend(
  { db, now }: JobRunnerContext,
  { name, intervalMs }: Pick<Job, 'name' | 'intervalMs'>,
  seen: JobState | undefined,
  { holder, leaseMs }: Holding,
): Promise<Lease | null> {
  const nowMs = now();
  const lease: Lease = { name, intervalMs, holder, at: toIso(nowMs), until: toIso(nowMs + leaseMs) };
  return (await db.transaction((tx) => takeLease(tx, seen, lease))) ? lease : null;
}

/**
 * If the start time is more than an interval in the future, a wrong clock wrote the start time and the lease, so both
 * are ignored, here and in `mayStart`.
 */
const isLeased = ({ started_at, leased_until }: JobState, intervalMs: number, nowMs: number): boolean =>
  leased_until !== null && Date.parse(leased_until) > nowMs && Date.parse(started_at) <= nowMs + intervalMs;

/** Whether the interval has passed and no process has the lease. */
function mayStart(seen: JobState, intervalMs: number, nowMs: number): boolean {
  const startedMs = Date.parse(seen.started_at);
  if (startedMs > nowMs) return startedMs > nowMs + intervalMs;
  if (isLeased(seen, intervalMs, nowMs)) return false;
  const earlyMs = Math.min(intervalMs * EARLY.shareOfInterval, EARLY.mostMs);
  return nowMs - startedMs >= intervalMs - earlyMs;
}

async function runUnderLease(
  { db, now }: JobRunnerContext,
  job: Job,
  lease: Lease,
  options: JobRunnerOptions & { readonly leaseMs: number; readonly stopping: AbortSignal },
): Promise<void> {
  const lost = new AbortController();
  let untilMs = Date.parse(lease.until);
  const renew = async () => {
    const nextMs = now() + options.leaseMs;
    try {
      const isOurs = await db.transaction((tx) => renewLease(tx, { ...lease, until: toIso(nextMs) }));
      if (isOurs) untilMs = nextMs;
      else lost.abort();
    } catch (error) {
      // If the lease is still valid, the next renewal tries again.
      if (now() >= untilMs) lost.abort();
      options.onFailure(job, error);
    }
  };
  const renewing = setInterval(() => void renew(), options.leaseMs / RENEWALS_A_LEASE).unref();
  const startedMs = performance.now();
  let hasFailed = false;
  try {
    await job.run(AbortSignal.any([options.stopping, lost.signal]));
  } catch (error) {
    hasFailed = true;
    options.onFailure(job, error);
  } finally {
    clearInterval(renewing);
  }
  const tookMs = Math.round(performance.now() - startedMs);
  options.onRun?.(job, hasFailed);
  await db.transaction((tx) => endRun(tx, lease, { at: toIso(now()), tookMs, hasFailed }));
}
