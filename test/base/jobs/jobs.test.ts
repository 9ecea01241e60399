/** Background jobs: a job runs in one process at a time, close() waits for running jobs, and every run is counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { hasFailed, readJobReports } from '../../../src/base/jobs/queries.ts';
import { createJobRunner, type Job, type JobRunner, runNow } from '../../../src/base/jobs/runner.ts';
import { ENGINES } from '../../support/engines.ts';
import { shareDatabase } from '../../support/shared.ts';

const START = Date.UTC(2026, 10, 20, 10);
const HOUR_MS = 3_600_000;

describe.each(ENGINES)('background jobs on %s', (engine) => {
  const database = shareDatabase(engine);
  let nowMs = START;
  const runners: JobRunner[] = [];
  const failures: unknown[] = [];

  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.close()));
    await database.db.transaction((tx) => tx.deleteFrom('jobs').execute());
    failures.length = 0;
    nowMs = START;
  });

  /** Creates a runner for the job. Each runner has its own ID, so each runner acts as a separate process. */
  const processOf = (job: Job, leaseMs?: number) => {
    const runner = createJobRunner(
      { ...database.context, now: () => nowMs },
      {
        jobs: [job],
        onFailure: (_, error) => failures.push(error),
        ...(leaseMs !== undefined && { leaseMs }),
      },
    );
    runners.push(runner);
    return runner;
  };
  const reportOf = async (name: string) =>
    (await readJobReports(database.db.read, new Date(nowMs).toISOString())).find((job) => job.name === name);

  test('a job that is due runs in only one of several concurrent processes', async () => {
    let atOnce = 0;
    let most = 0;
    let runs = 0;
    const job: Job = {
      name: 'count',
      intervalMs: 1_000,
      run: async () => {
        atOnce += 1;
        runs += 1;
        most = Math.max(most, atOnce);
        await sleep(20);
        atOnce -= 1;
      },
    };
    const processes = Array.from({ length: 8 }, () => processOf(job));
    for (let round = 1; round <= 5; round += 1) {
      const ran = await Promise.all(processes.map((runner) => runner.runIfDue(job)));
      expect(ran.filter(Boolean)).toHaveLength(1);
      nowMs += 1_000;
    }
    expect({ most, runs, failures }).toEqual({ most: 1, runs: 5, failures: [] });
    expect(await reportOf('count')).toMatchObject({ runs: 5, failures: 0, isRunning: false });
  });

  test('a command runs a job that is not due, after the run of another process, and throws its error', async () => {
    const started = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    const order: string[] = [];
    const job: Job = {
      name: 'back up',
      intervalMs: HOUR_MS,
      run: async () => {
        started.resolve();
        await ending.promise;
        order.push('job');
      },
    };
    const running = processOf(job).runIfDue(job);
    await started.promise;
    const command = runNow(
      { ...database.context, now: () => nowMs },
      {
        ...job,
        run: async () => {
          order.push('command');
          throw new Error('disk full');
        },
      },
      () => {
        order.push('wait');
        ending.resolve();
      },
    );
    await expect(command).rejects.toThrow('disk full');
    expect([await running, order]).toEqual([true, ['wait', 'job', 'command']]);
    expect(await reportOf('back up')).toMatchObject({ runs: 2, failures: 1, isRunning: false });
  });

  test('a job can be checked when the process starts, before its interval has passed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    processOf({ name: 'sum', intervalMs: HOUR_MS, checksAtStart: true, run: async () => resolve() }).start();
    await promise;
  });

  test('a job may start early by up to a tenth of its interval, but by at most one second', async () => {
    for (const [intervalMs, earlyMs] of [
      [HOUR_MS, 1_000],
      [1_000, 100],
    ] as const) {
      const job: Job = { name: `wait ${intervalMs}`, intervalMs, run: async () => {} };
      expect(await processOf(job).runIfDue(job)).toBe(true);
      nowMs += intervalMs - earlyMs - 1;
      expect(await processOf(job).runIfDue(job)).toBe(false);
      nowMs += 1;
      expect(await processOf(job).runIfDue(job)).toBe(true);
    }
  });

  test('a job without work writes nothing to the database', async () => {
    let isDue = false;
    const job: Job = { name: 'idle', intervalMs: 0, isDue: async () => isDue, run: async () => {} };
    expect(await processOf(job).runIfDue(job)).toBe(false);
    expect(await reportOf('idle')).toBeUndefined();
    isDue = true;
    expect(await processOf(job).runIfDue(job)).toBe(true);
  });

  test('a long run renews its lease', async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const job: Job = {
      name: 'long',
      intervalMs: 0,
      run: async () => {
        started.resolve();
        await finish.promise;
      },
    };
    const working = processOf(job, 60).runIfDue(job);
    await started.promise;
    const first = await leaseOf('long');
    nowMs += 50;
    while ((await leaseOf('long')) === first) await sleep(5);
    // The first lease would have expired by now.
    nowMs += 50;
    expect(await processOf(job).runIfDue(job)).toBe(false);
    finish.resolve();
    expect(await working).toBe(true);
    expect(await leaseOf('long')).toBeNull();
  });

  test('another process takes over the job of a killed process when the lease expires', async () => {
    const job: Job = { name: 'orphan', intervalMs: 1_000, run: async () => {} };
    await leaseTo('orphan', nowMs + 30_000);
    nowMs += 29_999;
    expect(await processOf(job).runIfDue(job)).toBe(false);
    nowMs += 1;
    expect(await processOf(job).runIfDue(job)).toBe(true);
  });

  test('a run that loses its lease is aborted and does not overwrite the state of the new run', async () => {
    const started = Promise.withResolvers<void>();
    const job: Job = {
      name: 'lost',
      intervalMs: 0,
      run: async (signal) => {
        started.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    };
    const working = processOf(job, 90).runIfDue(job);
    await started.promise;
    await leaseTo('lost', nowMs + 30_000);
    await working;
    expect(await reportOf('lost')).toMatchObject({ isRunning: true, runs: 0 });
  });

  test('a failed run is counted and reported, and the job runs again after its interval', async () => {
    let fails = true;
    const job: Job = {
      name: 'fragile',
      intervalMs: 1_000,
      run: async () => {
        if (fails) throw new Error('no luck');
      },
    };
    const runner = processOf(job);
    await runner.runIfDue(job);
    expect(failures).toEqual([new Error('no luck')]);
    const failed = (await reportOf('fragile'))!;
    expect(failed).toMatchObject({ runs: 1, failures: 1, finishedAt: null, isRunning: false });
    expect(hasFailed(failed)).toBe(true);
    fails = false;
    nowMs += 1_000;
    await runner.runIfDue(job);
    const mended = (await reportOf('fragile'))!;
    expect(mended).toMatchObject({ runs: 2, failures: 1 });
    expect(hasFailed(mended)).toBe(false);
  });

  test('close() aborts a running job and waits for it', async () => {
    const started = Promise.withResolvers<void>();
    let ended = false;
    const job: Job = {
      name: 'drained',
      intervalMs: 0,
      run: async (signal) => {
        started.resolve();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await sleep(20);
        ended = true;
      },
    };
    const runner = processOf(job);
    void runner.runIfDue(job);
    await started.promise;
    await runner.close();
    expect(ended).toBe(true);
    expect(await reportOf('drained')).toMatchObject({ isRunning: false, runs: 1 });
  });

  test('a recorded start time far in the future does not delay a job', async () => {
    const job: Job = { name: 'ahead', intervalMs: 1_000, run: async () => {} };
    nowMs += 10 * 24 * HOUR_MS;
    await processOf(job).runIfDue(job);
    nowMs = START;
    expect(await processOf(job).runIfDue(job)).toBe(true);
  });

  const leaseOf = async (name: string) =>
    (
      await database.db.read
        .selectFrom('jobs')
        .select('leased_until')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
    ).leased_until;

  /** Stores a lease that another process holds. */
  const leaseTo = (name: string, untilMs: number) =>
    database.db.transaction(async (tx) => {
      await tx.deleteFrom('jobs').where('name', '=', name).execute();
      await tx
        .insertInto('jobs')
        .values({
          name,
          interval_ms: 0,
          holder: '00000000-0000-7000-8000-000000000001',
          leased_until: new Date(untilMs).toISOString(),
          started_at: new Date(nowMs).toISOString(),
          runs: 0,
          failures: 0,
        })
        .execute();
    });
});
