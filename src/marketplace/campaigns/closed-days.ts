/**
 * Daily counts of accounts and listings with many labels. The counts are stored per listing, label and day, so 500
 * listings with eight labels have 240,000 rows in sixty days, and a listing with 500 labels has 180,000 rows in a year:
 * too many for a page. A job sums the days that are over and stores the sums. A reader uses them only if no row of these
 * days has changed since (`earlier`).
 */
import type { Context } from '../../base/context.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import { readJsonSetting, writeSetting } from '../../platform/store/settings.ts';
import { lastDays, type Period } from '../../platform/text/time-zone.ts';
import {
  CLOSED_DAYS,
  type Counted,
  type CountPart,
  deleteClosedDays,
  listAccountsWithLabels,
  listListingsWithLabels,
  PART,
  readCountParts,
} from './closed-day-queries.ts';
import { COUNTED, type Counts, type DatedCounts, forEachCount, sumOf } from './funnel.ts';
import { sumDays } from './period-queries.ts';

/** With fewer labels (each listing's labels count separately), a page reads the days themselves. */
const MANY_LABELS = { account: 500, listing: 100 } as const;
/** Maximum number of accounts, and of listings, whose days are stored. Those with the most labels are chosen. */
const MAX_STORED = 100;
/** The number of stored days: more than a chart by day or week shows, because the job runs some time after midnight. */
const STORED_DAYS = { account: 64, listing: 370 } as const;
/** Today and yesterday, whose last deltas may still wait after midnight. */
const OPEN_DAYS = 2;

interface ClosedDays {
  readonly first: string;
  readonly last: string;
  /** Days without counts are omitted. */
  readonly days: readonly DatedCounts[];
  /** The counts of all days up to `last`, also before `first`. If they are unchanged, so are `days`. */
  readonly earlier: Counts;
}

/** Key in `settings`. The value is a `ClosedDays` as JSON. */
const settingOf = ({ account, listingId }: Counted): string =>
  `${CLOSED_DAYS}${account}${listingId === null ? '' : `:${listingId}`}`;

const readClosedDays = (db: Queryable, counted: Counted) =>
  readJsonSetting<ClosedDays>(db, settingOf(counted));

/** The same as `sumDays` for all labels. */
export async function sumAllLabels(
  db: Queryable,
  of: { readonly accountId: string; readonly listingId?: string },
  period: Period,
): Promise<readonly DatedCounts[]> {
  const { accountId, listingId = null } = of;
  const counted = { account: await readAccountNumber(db, accountId), accountId, listingId };
  const closed = await readClosedDays(db, counted);
  const [first, last] = [period.days[0]!.day, period.days.at(-1)!.day];
  if (closed === null || closed.first > first) return await sumDays(db, of, period);
  const rows = await readCountParts(db, counted, closed.last, period);
  if (!isSame(earlierOf(rows), closed.earlier)) return await sumDays(db, of, period);
  const parts = [...closed.days, ...rows.filter(({ part }) => part !== PART.total)];
  const byDay = Map.groupBy(
    parts.filter(({ day }) => day >= first && day <= last),
    ({ day }) => day,
  );
  return [...byDay]
    .map(([day, ofDay]) => ({ day, ...sumOf(ofDay) }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

function earlierOf(rows: readonly CountPart[], last = ''): Counts {
  const total = sumOf(rows.filter(({ part }) => part === PART.total));
  const open = sumOf(rows.filter(({ part, day }) => part === PART.day && day > last));
  return forEachCount((count) => total[count] - open[count]);
}

const isSame = (one: Counts, other: Counts): boolean => COUNTED.every((count) => one[count] === other[count]);

type Summing = Pick<Context, 'db' | 'now' | 'marketplace'>;

const listToSum = async (db: Queryable) => [
  ...(await listAccountsWithLabels(db, MANY_LABELS.account, MAX_STORED)),
  ...(await listListingsWithLabels(db, MANY_LABELS.listing, MAX_STORED)),
];

async function* listStale({ db, now, marketplace }: Summing) {
  const days = lastDays(marketplace.timeZone, now(), STORED_DAYS.listing + OPEN_DAYS);
  const last = days.at(-1 - OPEN_DAYS)!.day;
  for (const counted of await listToSum(db.read)) {
    const stored = counted.listingId === null ? STORED_DAYS.account : STORED_DAYS.listing;
    const first = days.at(-stored - OPEN_DAYS)!.day;
    const closed = await readClosedDays(db.read, counted);
    const isCurrent =
      closed?.last === last &&
      isSame(earlierOf(await readCountParts(db.read, counted, last)), closed.earlier);
    if (!isCurrent) yield { counted, first, last };
  }
}

export async function areClosedDaysDue(context: Summing): Promise<boolean> {
  for await (const _ of listStale(context)) return true;
  return false;
}

export async function sumClosedDays(context: Summing, signal?: AbortSignal): Promise<void> {
  const { db } = context;
  for await (const { counted, first, last } of listStale(context)) {
    if (signal?.aborted === true) return;
    const dayBefore = new Date(Date.parse(first) - 1).toISOString().slice(0, first.length);
    const rows = await readCountParts(db.read, counted, dayBefore);
    const closed: ClosedDays = {
      first,
      last,
      days: rows
        .filter(({ part, day }) => part === PART.day && day <= last)
        .map(({ day, ...counts }) => ({ day, ...forEachCount((count) => counts[count]) })),
      earlier: earlierOf(rows, last),
    };
    await db.transaction((tx) => writeSetting(tx, settingOf(counted), JSON.stringify(closed)));
  }
  const currentKeys = (await listToSum(db.read)).map(settingOf);
  await db.transaction((tx) => deleteClosedDays(tx, currentKeys));
}
