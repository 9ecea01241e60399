import { type EventLogLimits, eventsKeptFrom } from '../../base/events/sweep.ts';
import { firstEvents } from '../../base/events/sweep-queries.ts';
import type { Database } from '../../platform/store/database.ts';
import {
  MONTHS_AHEAD,
  missingMonths,
  PARTITIONED_TABLES,
  type PartitionedTable,
  type Partitions,
  STRAYS_COUNTED,
} from '../../platform/store/partitions.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { amountOf } from '../../platform/text/text.ts';
import { findLastEndpoint } from '../webhooks/endpoint-queries.ts';
import { type Check, examined, noted, passed } from './check.ts';

/** How far an event's age may exceed the limit. A monthly partition is dropped only when all its events are too old. */
const SLACK_MS = 62 * DAY_MS;
const ROWS: Readonly<Record<PartitionedTable, string>> = { event_rows: 'event', attempts: 'call' };

export const examineEventLog = (db: Database, limits: EventLogLimits, nowMs: number) =>
  examined('event log', async () => {
    const log = await examineAge(db, limits, nowMs);
    return db.partitions === null ? log : [log, await examinePartitions(db.partitions, nowMs)];
  });

async function examineAge(db: Database, limits: EventLogLimits, nowMs: number): Promise<Check> {
  const retentionText =
    limits.months === null
      ? 'events are kept forever'
      : `events are kept for ${amountOf(limits.months, 'month')} (EVENT_LOG_MONTHS)`;
  const [oldest] = await firstEvents(db.read, 1);
  if (oldest === undefined) return passed('event log', `${retentionText}; there are none yet`);
  const words = `${retentionText}; the oldest is from ${oldest.at}`;
  const before = eventsKeptFrom(limits, nowMs - SLACK_MS);
  if (before === null || oldest.at >= before) return passed('event log', words);
  const behind = await findLastEndpoint(db.read);
  if (behind === undefined) {
    return noted(
      'event log',
      `${words}. A job deletes events that are too old; if the job fails, the service logs why`,
    );
  }
  const { id, account_id, disabled_at } = behind;
  const holder = account_id === MARKETPLACE_ID ? 'the marketplace' : `account ${account_id}`;
  return noted(
    'event log',
    `${words}. Events not yet delivered to a webhook endpoint are kept. The ${disabled_at === null ? '' : 'disabled '}endpoint ${id} of ${holder} is furthest behind`,
  );
}

async function examinePartitions(partitions: Partitions, nowMs: number): Promise<Check> {
  const faults: string[] = [];
  for (const table of PARTITIONED_TABLES) {
    const missing = missingMonths(await partitions.list(table), nowMs);
    const strays = await partitions.countStrays(table);
    if (missing.length > 0) {
      faults.push(
        `${ROWS[table]}s of ${missing.map((month) => month.slice(0, 7)).join(', ')} have no partition`,
      );
    }
    if (strays > 0) {
      const count =
        strays === STRAYS_COUNTED ? `${strays} or more ${ROWS[table]}s` : amountOf(strays, ROWS[table]);
      faults.push(`${count} in the default partition`);
    }
  }
  return faults.length === 0
    ? passed(
        'partitions',
        `this month and the next ${MONTHS_AHEAD} have partitions; the default partitions are empty`,
      )
    : noted(
        'partitions',
        `${faults.join('; ')}. A job fixes this within an hour or logs why it cannot; redemptions are not affected`,
      );
}
