/** Metrics that each scrape reads from the database, for alerts and for the dashboard in `docs/grafana/`. */
import { CLOCK_SKEW_MS } from '../background/system/clock.ts';
import { readWebhookBacklog } from '../background/webhooks/delivery-queries.ts';
import { hasFailed, type JobReport, readJobReports } from '../base/jobs/queries.ts';
import { readAggregationBacklog } from '../marketplace/campaigns/aggregation-queries.ts';
import { countWaiting } from '../marketplace/listings/queue-queries.ts';
import { countMailToSend } from '../people/mail/queries.ts';
import { withTimeout } from '../platform/process/background.ts';
import { readVersion } from '../platform/process/version.ts';
import { LAST_BACKUP_AT, readSetting } from '../platform/store/settings.ts';
import { SECOND_MS } from '../platform/text/durations.ts';
import type { Parts } from './parts.ts';

/** Below Prometheus's scrape timeout of 10 s, so that the other metrics arrive if the database doesn't respond. */
const READ_WITHIN_MS = 3 * SECOND_MS;

const secondsOf = (at: string): number => Date.parse(at) / SECOND_MS;

export function reportService({ context, metrics }: Pick<Parts, 'context' | 'metrics'>): void {
  const { db } = context;
  metrics.info(
    'claimcheck_info',
    'The version of the service and its database engine, as labels; the value is always 1.',
    { version: readVersion(), engine: db.engine },
  );
  metrics.readings(
    { name: 'claimcheck_database_up', help: 'Whether the database responded during this scrape.' },
    {
      claimcheck_queue_length: {
        help: 'Number of waiting items per queue, across all processes: mail (mails to send), webhooks (deliveries that are due, counted up to 10,000), label_folds (label deltas to aggregate), review (items for an operator).',
        labels: ['queue'],
      },
      claimcheck_webhook_endpoints_disabled: {
        help: 'Webhook endpoints that the service disabled because deliveries failed.',
      },
      claimcheck_last_backup_timestamp_seconds: {
        help: 'When the last backup began; absent if there has been none.',
      },
      claimcheck_job_last_success_timestamp_seconds: {
        help: 'When a background job last succeeded, in any process; absent if it has never succeeded.',
        labels: ['job'],
      },
      claimcheck_job_failing: {
        help: 'Whether the last run of a background job failed, whichever process ran it.',
        labels: ['job'],
      },
    },
    withTimeout(async () => {
      const at = context.at();
      const [mail, webhooks, deltas, review, backupAt, jobs] = await Promise.all([
        countMailToSend(db.read),
        readWebhookBacklog(db.read, at),
        readAggregationBacklog(db.read),
        countWaiting(db.read),
        readSetting(db.read, LAST_BACKUP_AT),
        readJobReports(db.read, at),
      ]);
      const lengths = { mail, webhooks: webhooks.due, label_folds: deltas.waiting, review };
      return {
        claimcheck_queue_length: Object.entries(lengths).map(([queue, value]) => ({
          labels: { queue },
          value,
        })),
        claimcheck_webhook_endpoints_disabled: [{ value: webhooks.disabled }],
        // A time in the future would hide that no backup is made any more.
        claimcheck_last_backup_timestamp_seconds:
          backupAt === null || Date.parse(backupAt) > context.now() + CLOCK_SKEW_MS
            ? []
            : [{ value: secondsOf(backupAt) }],
        claimcheck_job_last_success_timestamp_seconds: jobs.flatMap(ofLastSuccess),
        claimcheck_job_failing: jobs.map((job) => ({
          labels: { job: job.name },
          value: hasFailed(job) ? 1 : 0,
        })),
      };
    }, READ_WITHIN_MS),
  );
}

const ofLastSuccess = ({ name, finishedAt }: JobReport) =>
  finishedAt === null ? [] : [{ labels: { job: name }, value: secondsOf(finishedAt) }];
