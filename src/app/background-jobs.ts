import { areNoticesDue, writeNotices } from '../background/notices/of-events.ts';
import { watchForNotices, watchUnusedMail } from '../background/notices/watch.ts';
import { deletionsAreDue, eraseDueAccounts } from '../background/personal-data/erase.ts';
import { applyRetention, readRetention, retentionNeedsWork } from '../background/personal-data/retention.ts';
import { BACKUP_CHECK_MS, BACKUP_JOB, isBackupDue, runDueBackup } from '../background/system/back-up.ts';
import { docsOfCheck } from '../background/system/check.ts';
import { correctTimes, forDeletions, isClockTrusted, moveDeletionClock } from '../background/system/clock.ts';
import { examine } from '../background/system/examine.ts';
import { needsReencryption, reencrypt } from '../background/system/secret-keys.ts';
import { checkForUpdate, isUpdateCheckDue } from '../background/system/updates.ts';
import { watchChecks } from '../background/system/watch-checks.ts';
import { createDeliverer } from '../background/webhooks/deliver.ts';
import { findLastEndpoint, hasMarketplaceEndpoint } from '../background/webhooks/endpoint-queries.ts';
import { deliveriesNeedSweep, sweepDeliveries } from '../background/webhooks/sweep.ts';
import { type EventSweep, eventsNeedSweep, sweepEvents } from '../base/events/sweep.ts';
import { createJobRunner, type Job, type JobRunner } from '../base/jobs/runner.ts';
import { attemptsNeedSweep, sweepAttempts } from '../claims/attempts/sweep.ts';
import { networkClaimsNeedSweep, sweepNetworkClaims } from '../claims/networks/sources.ts';
import { areClosedDaysDue, sumClosedDays } from '../marketplace/campaigns/closed-days.ts';
import { aggregateLabelDeltas, isAggregationDue } from '../marketplace/campaigns/count.ts';
import { areRankingsDue, rankMarket } from '../marketplace/campaigns/rankings.ts';
import {
  createDomainLimit,
  linksNeedProbe,
  PROBE_INTERVAL_MS,
  probeSubmittedLinks,
} from '../marketplace/listings/probe-links.ts';
import { cardsNeedRefresh, countPopular, refreshCards } from '../marketplace/listings/refresh-cards.ts';
import { reportsNeedSweep, sweepReports } from '../marketplace/listings/reports.ts';
import { picturesNeedSweep, sweepPictures } from '../marketplace/pictures/store.ts';
import {
  announceOpenOffers,
  areListsToLimit,
  isAnnouncementDue,
  limitLists,
} from '../marketplace/waiting-list/announce.ts';
import { limitSessions } from '../people/sign-in/sessions/sessions.ts';
import { sweepSignIn } from '../people/sign-in/sweep.ts';
import { message } from '../platform/languages/translate.ts';
import { createPace } from '../platform/store/pace.ts';
import { arePartitionsMissing } from '../platform/store/partitions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/text/durations.ts';
import { deploymentOf, type OpenContext } from './open-context.ts';
import type { ServingParts } from './parts.ts';

export function startJobs(parts: ServingParts): JobRunner {
  const { context, metrics, log } = parts;
  const docs = parts.baseUrl + docsOfCheck('background work');
  const jobs = [
    ...mailJobs(parts),
    ...webhookJobs(parts),
    ...countJobs(parts),
    ...marketJobs(parts),
    ...deletionJobs(parts),
    ...databaseJobs(parts),
    ...backupJobs(parts),
    ...updateJobs(parts),
  ];
  const names = jobs.map(({ name }) => name);
  const countRun = metrics.counts(
    'claimcheck_job_runs_total',
    'Background job runs that ended in this process, successful or not.',
    'job',
    names,
  );
  const countFailure = metrics.counts(
    'claimcheck_job_failures_total',
    'Background job runs that failed in this process.',
    'job',
    names,
  );
  const runner = createJobRunner(context, {
    jobs: jobs.map((job) => ({
      ...job,
      // Requests refresh the cached brand. Without recent requests, the brand may be stale.
      run: async (signal) => {
        await context.marketplace.refresh();
        await job.run(signal);
      },
    })),
    onRun: (job, hasFailed) => {
      countRun(job.name);
      if (hasFailed) countFailure(job.name);
    },
    onClockSetBack: async () => {
      await correctTimes(context);
      log.warn('the clock was set back; stored times in the future no longer delay work');
    },
    onFailure: (job, error) => log.warn({ err: error, job: job.name, docs }, 'a background job failed'),
  });
  runner.start();
  return runner;
}

/** Job names are shown on the system page and in the log. */
const mailJobs = (parts: ServingParts): readonly Job[] => [
  {
    name: String(message('Send mail')),
    intervalMs: 5 * SECOND_MS,
    isDue: () => parts.mailer.isDue(),
    run: (signal) => parts.mailer.run(signal),
  },
  {
    name: String(message('Write notices')),
    intervalMs: 5 * SECOND_MS,
    isDue: async () => !parts.diskIsFull() && (await areNoticesDue(parts)),
    run: (signal) => writeNotices(parts, signal),
  },
  {
    name: String(message('Check for things to notify people about')),
    intervalMs: HOUR_MS,
    run: (signal) =>
      watchForNotices({ ...parts, examine: () => examine(deploymentOf(parts.context), false) }, signal),
  },
  {
    name: String(message('Mail people on waiting lists')),
    intervalMs: 10 * SECOND_MS,
    isDue: async () => !parts.diskIsFull() && (await isAnnouncementDue(parts)),
    run: (signal) => announceOpenOffers(parts, signal),
  },
  {
    name: String(message('Watch unused mail')),
    intervalMs: MINUTE_MS,
    isDue: () => parts.mailGate.needsChallenge(),
    run: () => watchUnusedMail(parts),
  },
];

function backupJobs({ context }: ServingParts): readonly Job[] {
  const { backups } = context.config;
  if (backups === null || context.db.backups.problem !== null) return [];
  return [
    {
      name: BACKUP_JOB,
      intervalMs: BACKUP_CHECK_MS,
      isDue: () => isBackupDue(context, backups),
      run: (signal) => runDueBackup(context, backups, signal),
    },
  ];
}

function updateJobs({ context, outgoing }: ServingParts): readonly Job[] {
  const { updateCheckUrl } = context.config;
  if (updateCheckUrl === null) return [];
  return [
    {
      name: String(message('Check for a newer version')),
      intervalMs: HOUR_MS,
      isDue: () => isUpdateCheckDue(context, updateCheckUrl),
      run: (signal) => checkForUpdate(context, outgoing, updateCheckUrl, signal),
    },
  ];
}

const countJobs = ({ context }: ServingParts): readonly Job[] => [
  {
    name: String(message('Fold label counts')),
    intervalMs: 5 * SECOND_MS,
    isDue: () => isAggregationDue(context),
    run: (signal) => aggregateLabelDeltas(context, signal),
  },
  {
    name: String(message('Rank offers and labels')),
    intervalMs: 30 * SECOND_MS,
    isDue: () => areRankingsDue(context),
    run: () => rankMarket(context),
  },
  {
    name: String(message('Sum the days of accounts with many labels')),
    intervalMs: 10 * MINUTE_MS,
    checksAtStart: true,
    isDue: () => areClosedDaysDue(context),
    run: (signal) => sumClosedDays(context, signal),
  },
];

const databaseJobs = ({ context }: ServingParts): readonly Job[] => [
  {
    name: String(message('Make partitions for the next months')),
    intervalMs: HOUR_MS,
    isDue: () => arePartitionsMissing(context.db.partitions, context.now()),
    run: async () => await context.db.partitions?.create(context.now()),
  },
  ...(context.db.upkeep === null ? [] : [{ ...context.db.upkeep, intervalMs: MINUTE_MS }]),
  {
    name: String(message('Encrypt under the current secret key')),
    intervalMs: 10 * MINUTE_MS,
    isDue: () => needsReencryption(context),
    run: (signal) => reencrypt(context, signal),
  },
];

const deletionJobs = ({ context, mailer, baseUrl, log }: ServingParts): readonly Job[] => [
  {
    name: String(message('Move the deletion clock')),
    intervalMs: HOUR_MS,
    run: () => moveDeletionClock(context),
  },
  {
    name: String(message('Delete old events')),
    intervalMs: HOUR_MS,
    ...sweeping(context, {
      isDue: (trusted) => eventsNeedSweep(trusted, eventSweep(context)),
      run: (trusted, signal) => sweepEvents(trusted, eventSweep(context), signal),
    }),
  },
  {
    name: String(message('Delete old requests')),
    intervalMs: MINUTE_MS,
    ...sweeping(context, {
      isDue: (trusted) => attemptsNeedSweep(trusted, context.config.requestLog),
      run: (trusted, signal) => sweepAttempts(trusted, context.config.requestLog, signal),
    }),
  },
  {
    name: String(message('Delete expired sessions and codes')),
    intervalMs: HOUR_MS,
    run: async (signal) => {
      const { mailDays } = await readRetention(context.db.read);
      const { context: trustedContext, futureMs } = await forDeletions(context);
      if (context.config.oidc.isOnly) await limitSessions(trustedContext);
      await sweepSignIn(trustedContext, { mailKeptMs: mailDays * DAY_MS, futureMs, signal });
    },
  },
  {
    name: String(message('Delete counts of claims by network')),
    intervalMs: HOUR_MS,
    ...sweeping(context, { isDue: networkClaimsNeedSweep, run: sweepNetworkClaims }),
  },
  {
    name: String(message('Delete closed reports')),
    intervalMs: DAY_MS,
    ...sweeping(context, { isDue: reportsNeedSweep, run: sweepReports }),
  },
  {
    name: String(message('Limit waiting lists of listings that left')),
    intervalMs: DAY_MS,
    ...sweeping(context, { isDue: areListsToLimit, run: limitLists }),
  },
  {
    name: String(message('Delete replaced pictures')),
    intervalMs: HOUR_MS,
    ...sweeping(context, { isDue: picturesNeedSweep, run: sweepPictures }),
  },
  {
    name: String(message('Delete old webhook deliveries')),
    intervalMs: 10 * MINUTE_MS,
    ...sweeping(context, {
      isDue: deliveriesNeedSweep,
      run: (trusted, signal) => sweepDeliveries(trusted, { signal }),
    }),
  },
  {
    name: String(message('Delete accounts')),
    intervalMs: MINUTE_MS,
    isDue: async () => (await isClockTrusted(context)) && (await deletionsAreDue(context)),
    run: async (signal) => {
      const onErased = (accountId: string) => log.info({ accountId }, 'an account was deleted');
      await eraseDueAccounts(context, { signal, onErased });
    },
  },
  {
    name: String(message('Apply retention')),
    intervalMs: DAY_MS,
    isDue: async () => (await isClockTrusted(context)) && (await retentionNeedsWork(context)),
    run: (signal) => applyRetention(context, { signal, notice: { mailer, baseUrl } }),
  },
];

function marketJobs({ context, outgoing, diskIsFull }: ServingParts): readonly Job[] {
  const mayRequestLink = createDomainLimit(context);
  return [
    {
      name: String(message('Refresh the front page')),
      intervalMs: MINUTE_MS,
      isDue: async () => !diskIsFull() && (await cardsNeedRefresh(context)),
      run: (signal) => refreshCards(context, signal),
    },
    {
      name: String(message('Rank apps by popularity')),
      intervalMs: HOUR_MS,
      run: (signal) => countPopular(context, signal),
    },
    {
      name: String(message('Probe submitted links')),
      intervalMs: PROBE_INTERVAL_MS,
      isDue: () => linksNeedProbe(context),
      run: (signal) => probeSubmittedLinks(context, outgoing, signal, mayRequestLink),
    },
  ];
}

function webhookJobs({ context, outgoing, metrics, baseUrl, diskIsFull }: ServingParts): readonly Job[] {
  const countAttempt = metrics.counts(
    'claimcheck_webhook_attempts_total',
    'Webhook requests sent by this process, by result.',
    'result',
    ['delivered', 'failed'],
  );
  const deliverer = createDeliverer({
    context,
    outgoing,
    baseUrl,
    onAttempt: (hasSucceeded) => countAttempt(hasSucceeded ? 'delivered' : 'failed'),
  });
  return [
    {
      name: String(message('Watch system checks')),
      intervalMs: 5 * MINUTE_MS,
      // Without an endpoint of the marketplace, nobody gets the events. Operators get mail about failing checks anyway.
      isDue: () => hasMarketplaceEndpoint(context.db.read),
      run: () => watchChecks(context, () => examine(deploymentOf(context), false)),
    },
    {
      name: String(message('Send webhooks')),
      intervalMs: SECOND_MS,
      // Webhooks are paused while the disk is nearly full, because each delivery adds rows.
      isDue: async () => !diskIsFull() && (await deliverer.isDue()),
      run: (signal) => deliverer.run(signal),
    },
  ];
}

/** What a job does that deletes old data, by the deletion clock: a clock that is ahead must not delete data early. */
const sweeping = (
  context: OpenContext,
  sweep: {
    readonly isDue: (trusted: OpenContext) => Promise<boolean>;
    readonly run: (trusted: OpenContext, signal: AbortSignal) => Promise<unknown>;
  },
): Pick<Job, 'isDue' | 'run'> => ({
  isDue: async () => sweep.isDue((await forDeletions(context)).context),
  run: async (signal) => void (await sweep.run((await forDeletions(context)).context, signal)),
});

const eventSweep = ({ config, db }: OpenContext): EventSweep => ({
  limits: config.eventLog,
  readCursor: async () => (await findLastEndpoint(db.read))?.cursor ?? null,
  pace: createPace(db),
});
