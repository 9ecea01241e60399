import { type EventLogLimits, eventsKeptFrom } from '../../base/events/sweep.ts';
import { firstEvents } from '../../base/events/sweep-queries.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import type { Database } from '../../platform/store/database.ts';
import {
  MAX_DEFAULT_ROWS,
  MONTHS_AHEAD,
  missingMonths,
  PARTITIONED_TABLES,
  type PartitionedTable,
  type Partitions,
} from '../../platform/store/partitions.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { findLastEndpoint } from '../webhooks/endpoint-queries.ts';
import { type Check, examined, noted, passed } from './check.ts';

/** How far an event's age may exceed the limit. A monthly partition is dropped only when all its events are too old. */
const SLACK_MS = 62 * DAY_MS;

const MISSING: Readonly<Record<PartitionedTable, (months: string) => Message>> = {
  event_rows: (months) => message('events of {months} have no partition', { months }),
  attempts: (months) => message('calls of {months} have no partition', { months }),
};
/** `isMore`: whether there are more than were counted. */
const DEFAULT_ROWS: Readonly<Record<PartitionedTable, (count: number, isMore: 'yes' | 'no') => Message>> = {
  event_rows: (count, isMore) =>
    message(
      '{count, plural, one {# event} other {# events}}{isMore, select, yes { or more} other {}} in the default partition',
      { count, isMore },
    ),
  attempts: (count, isMore) =>
    message(
      '{count, plural, one {# call} other {# calls}}{isMore, select, yes { or more} other {}} in the default partition',
      { count, isMore },
    ),
};

export const examineEventLog = (db: Database, limits: EventLogLimits, nowMs: number) =>
  examined('event log', async () => {
    const log = await examineAge(db, limits, nowMs);
    return db.partitions === null ? log : [log, await examinePartitions(db.partitions, nowMs)];
  });

async function examineAge(db: Database, limits: EventLogLimits, nowMs: number): Promise<Check> {
  const retention =
    limits.months === null
      ? message('events are kept forever')
      : message('events are kept for {months, plural, one {# month} other {# months}} (EVENT_LOG_MONTHS)', {
          months: limits.months,
        });
  const [oldest] = await firstEvents(db.read, 1);
  if (oldest === undefined) {
    return passed('event log', message('{retention}; there are none yet', { retention }));
  }
  const words = message('{retention}; the oldest is from {at}', { retention, at: oldest.at });
  const before = eventsKeptFrom(limits, nowMs - SLACK_MS);
  if (before === null || oldest.at >= before) return passed('event log', words);
  const behind = await findLastEndpoint(db.read);
  if (behind === undefined) {
    return noted(
      'event log',
      message('{words}. A job deletes events that are too old; if the job fails, the service logs why', {
        words,
      }),
    );
  }
  const { id, account_id, disabled_at } = behind;

  return noted(
    'event log',
    message(
      '{words}. Events not yet delivered to a webhook endpoint are kept. The {isDisabled, select, yes {disabled endpoint} other {endpoint}} {id} of {isShared, select, yes {the marketplace} other {account {account}}} is furthest behind',
      {
        words,
        isDisabled: disabled_at === null ? 'no' : 'yes',
        id,
        isShared: account_id === MARKETPLACE_ID ? 'yes' : 'no',
        account: account_id,
      },
    ),
  );
}

async function examinePartitions(partitions: Partitions, nowMs: number): Promise<Check> {
  const faults: Message[] = [];
  for (const table of PARTITIONED_TABLES) {
    const missing = missingMonths(await partitions.list(table), nowMs);
    const rows = await partitions.countDefaultRows(table);
    if (missing.length > 0) {
      faults.push(MISSING[table](missing.map((month) => month.slice(0, 7)).join(', ')));
    }
    if (rows > 0) faults.push(DEFAULT_ROWS[table](rows, rows === MAX_DEFAULT_ROWS ? 'yes' : 'no'));
  }
  return faults.length === 0
    ? passed(
        'partitions',
        message('this month and the next {count} have partitions; the default partitions are empty', {
          count: MONTHS_AHEAD,
        }),
      )
    : noted(
        'partitions',
        message(
          '{faults}. A job fixes this within an hour or logs why it cannot; redemptions are not affected',
          { faults: () => faults.map((fault) => t(fault)).join('; ') },
        ),
      );
}
