import { sweepSignIn } from '../accounts/sweep.ts';
import { attemptsNeedSweep, sweepAttempts } from '../attempts/sweep.ts';
import { foldAllLabelDeltas, isFoldDue } from '../campaigns/count.ts';
import { createPace } from '../claims/bulk/pace.ts';
import { type EventSweep, eventsNeedSweep, sweepEvents } from '../events/sweep.ts';
import { createJobRunner, type Job, type JobRunner } from '../jobs/runner.ts';
import { linksNeedProbe, PROBE_INTERVAL_MS, probeSubmittedLinks } from '../listings/probe-links.ts';
import { areNoticesDue, writeNotices } from '../notices/of-events.ts';
import { watchForNotices } from '../notices/watch.ts';
import { applyRetention, retentionNeedsWork } from '../people/apply-retention.ts';
import { deletionsAreDue, eraseDueAccounts } from '../people/erase.ts';
import { readRetention } from '../people/retention.ts';
import { picturesNeedSweep, sweepPictures } from '../pictures/store.ts';
import { needRoom } from '../store/partitions.ts';
import { examine } from '../system/checks.ts';
import { needsReencryption, reencrypt } from '../system/secret-keys.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../text/durations.ts';
import { createDeliverer, type Deliverer } from '../webhooks/deliver.ts';
import { findLastEndpoint } from '../webhooks/endpoint-queries.ts';
import { deliveriesNeedSweep, sweepDeliveries } from '../webhooks/sweep.ts';
import { deploymentOf, type OpenContext } from './open-context.ts';
import type { ServingParts } from './parts.ts';

const MAIL_INTERVAL_MS = 5_000;
const NOTICE_INTERVAL_MS = 5_000;
const WATCH_INTERVAL_MS = HOUR_MS;
const FOLD_INTERVAL_MS = 5_000;
const ATTEMPT_SWEEP_INTERVAL_MS = MINUTE_MS;
const DELIVERY_INTERVAL_MS = 1_000;
const DELIVERY_SWEEP_INTERVAL_MS = 10 * MINUTE_MS;
const UPKEEP_INTERVAL_MS = MINUTE_MS;
const EVENT_SWEEP_INTERVAL_MS = HOUR_MS;
const PARTITION_INTERVAL_MS = HOUR_MS;
const SIGN_IN_SWEEP_INTERVAL_MS = HOUR_MS;
const DELETION_INTERVAL_MS = MINUTE_MS;
const PICTURE_SWEEP_INTERVAL_MS = HOUR_MS;
const RETENTION_INTERVAL_MS = DAY_MS;
/** How soon after a new secret key nothing is encrypted under an earlier one. */
const REENCRYPT_INTERVAL_MS = 10 * MINUTE_MS;

/** Starts the jobs; the caller closes the runner. `/metrics` counts their runs and the requests of webhooks. */
export function startJobs(parts: ServingParts): JobRunner {
  const { context, outgoing, metrics, log } = parts;
  const countRun = metrics.counts(
    'claimcheck_job_runs_total',
    'Runs of background jobs that ended here.',
    'job',
  );
  const countFailure = metrics.counts(
    'claimcheck_job_failures_total',
    'Runs of background jobs that failed here.',
    'job',
  );
  const countAttempt = metrics.counts(
    'claimcheck_webhook_attempts_total',
    'Requests of webhooks that were made here, by result.',
    'result',
  );
  const deliverer = createDeliverer({
    context,
    outgoing,
    onAttempt: (hasSucceeded) => countAttempt(hasSucceeded ? 'delivered' : 'failed'),
  });
  const runner = createJobRunner(context, {
    jobs: backgroundJobs(parts, deliverer),
    onRun: (job, { hasFailed }) => {
      countRun(job.name);
      if (hasFailed) countFailure(job.name);
    },
    onFailure: (job, error) => log.warn({ err: error, job: job.name }, 'a background job failed'),
  });
  runner.start();
  return runner;
}

/** The system page and the log show their names. */
const backgroundJobs = (parts: ServingParts, deliverer: Deliverer): readonly Job[] => [
  ...mailJobs(parts),
  ...otherJobs(parts, deliverer),
];

const mailJobs = (parts: ServingParts): readonly Job[] => [
  {
    name: 'Send mail',
    intervalMs: MAIL_INTERVAL_MS,
    isDue: () => parts.mailer.isDue(),
    run: (signal) => parts.mailer.run(signal),
  },
  {
    name: 'Write notices',
    intervalMs: NOTICE_INTERVAL_MS,
    isDue: async () => parts.hasRoom() && (await areNoticesDue(parts)),
    run: (signal) => writeNotices(parts, signal),
  },
  {
    name: 'Look for what to notify people of',
    intervalMs: WATCH_INTERVAL_MS,
    run: (signal) =>
      watchForNotices({ ...parts, examine: () => examine(deploymentOf(parts.context), false) }, signal),
  },
];

const otherJobs = (
  { context, outgoing, mailer, baseUrl, hasRoom, log }: ServingParts,
  deliverer: Deliverer,
): readonly Job[] => [
  {
    name: 'Fold label counts',
    intervalMs: FOLD_INTERVAL_MS,
    isDue: () => isFoldDue(context),
    run: (signal) => foldAllLabelDeltas(context, signal),
  },
  {
    name: 'Make partitions for the next months',
    intervalMs: PARTITION_INTERVAL_MS,
    isDue: () => needRoom(context.db.partitions, context.now()),
    run: async () => await context.db.partitions?.makeRoom(context.now()),
  },
  ...(context.db.upkeep === null ? [] : [{ ...context.db.upkeep, intervalMs: UPKEEP_INTERVAL_MS }]),
  {
    name: 'Delete old events',
    intervalMs: EVENT_SWEEP_INTERVAL_MS,
    isDue: () => eventsNeedSweep(context, eventSweep(context)),
    run: (signal) => sweepEvents(context, eventSweep(context), signal),
  },
  {
    name: 'Delete old calls',
    intervalMs: ATTEMPT_SWEEP_INTERVAL_MS,
    isDue: () => attemptsNeedSweep(context, context.config.requestLog),
    run: (signal) => sweepAttempts(context, context.config.requestLog, signal),
  },
  {
    name: 'Delete ended sessions and codes',
    intervalMs: SIGN_IN_SWEEP_INTERVAL_MS,
    run: async (signal) => {
      const { mailDays } = await readRetention(context.db.read);
      await sweepSignIn(context, { mailKeptMs: mailDays * DAY_MS, signal });
    },
  },
  {
    name: 'Delete replaced pictures',
    intervalMs: PICTURE_SWEEP_INTERVAL_MS,
    isDue: () => picturesNeedSweep(context),
    run: (signal) => sweepPictures(context, signal),
  },
  {
    name: 'Delete accounts',
    intervalMs: DELETION_INTERVAL_MS,
    isDue: () => deletionsAreDue(context),
    run: async (signal) => {
      const onErased = (accountId: string) => log.info({ accountId }, 'an account was deleted');
      await eraseDueAccounts(context, { signal, onErased });
    },
  },
  {
    name: 'Apply retention',
    intervalMs: RETENTION_INTERVAL_MS,
    isDue: () => retentionNeedsWork(context),
    run: (signal) => applyRetention(context, { signal, notice: { mailer, baseUrl } }),
  },
  {
    name: 'Encrypt under the first secret key',
    intervalMs: REENCRYPT_INTERVAL_MS,
    isDue: () => needsReencryption(context),
    run: (signal) => reencrypt(context, signal),
  },
  {
    name: 'Probe submitted links',
    intervalMs: PROBE_INTERVAL_MS,
    isDue: () => linksNeedProbe(context),
    run: (signal) => probeSubmittedLinks(context, outgoing, signal),
  },
  {
    name: 'Send webhooks',
    intervalMs: DELIVERY_INTERVAL_MS,
    // While the disk is nearly full webhooks wait, because each leaves rows.
    isDue: async () => hasRoom() && (await deliverer.isDue()),
    run: (signal) => deliverer.run(signal),
  },
  {
    name: 'Delete old webhook deliveries',
    intervalMs: DELIVERY_SWEEP_INTERVAL_MS,
    isDue: () => deliveriesNeedSweep(context),
    run: (signal) => sweepDeliveries(context, { signal }),
  },
];

const eventSweep = ({ config, db }: OpenContext): EventSweep => ({
  limits: config.eventLog,
  readPlace: async () => (await findLastEndpoint(db.read))?.cursor ?? null,
  pace: createPace(db),
});
