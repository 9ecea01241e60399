/**
 * Daily counts of accounts with many labels. The counts are stored per listing, label and day, so 500 listings with
 * eight labels have 240,000 rows in sixty days, too many for a page. A job sums the days that are over and stores the
 * sums. A reader uses them only if no row of these days has changed since (`earlier`).
 */
import type { Context } from '../../base/context.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import { readJsonSetting, writeSetting } from '../../platform/store/settings.ts';
import { lastDays, type Period } from '../../platform/text/time-zone.ts';
import {
  CLOSED_DAYS,
  type CountPart,
  deleteClosedDays,
  listAccountsWithLabels,
  PART,
  readCountParts,
} from './closed-day-queries.ts';
import { COUNTED, type Counts, type DatedCounts, forEachCount, sumOf } from './funnel.ts';
import { sumDays } from './period-queries.ts';

/** With fewer labels (each listing's labels count separately), a page reads the days themselves. */
const MANY_LABELS = 500;
/** Maximum number of accounts whose days are stored. Those with the most labels are chosen. */
const MAX_ACCOUNTS = 100;
/** The number of stored days: more than a page shows, because the job runs some time after midnight. */
const STORED_DAYS = 64;
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
const settingOf = (account: number): string => `${CLOSED_DAYS}${account}`;

const readClosedDays = (db: Queryable, account: number) =>
  readJsonSetting<ClosedDays>(db, settingOf(account));

/** The same as `sumDays` for all listings of the account. */
export async function sumAccountDays(
  db: Queryable,
  accountId: string,
  period: Period,
): Promise<readonly DatedCounts[]> {
  const account = await readAccountNumber(db, accountId);
  const closed = await readClosedDays(db, account);
  const [first, last] = [period.days[0]!.day, period.days.at(-1)!.day];
  if (closed === null || closed.first > first) return await sumDays(db, { accountId }, period);
  const rows = await readCountParts(db, { account, accountId }, closed.last, period);
  if (!isSame(earlierOf(rows), closed.earlier)) return await sumDays(db, { accountId }, period);
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

const accountsToSum = (db: Queryable) => listAccountsWithLabels(db, MANY_LABELS, MAX_ACCOUNTS);

async function* listStale({ db, now, marketplace }: Summing) {
  const days = lastDays(marketplace.timeZone, now(), STORED_DAYS + OPEN_DAYS);
  const [first, last] = [days[0]!.day, days.at(-1 - OPEN_DAYS)!.day];
  for (const { number: account, id: accountId } of await accountsToSum(db.read)) {
    const closed = await readClosedDays(db.read, account);
    const isCurrent =
      closed?.last === last &&
      isSame(earlierOf(await readCountParts(db.read, { account, accountId }, last)), closed.earlier);
    if (!isCurrent) yield { account, accountId, first, last };
  }
}

export async function areClosedDaysDue(context: Summing): Promise<boolean> {
  for await (const _ of listStale(context)) return true;
  return false;
}

export async function sumClosedDays(context: Summing, signal?: AbortSignal): Promise<void> {
  const { db } = context;
  for await (const { account, accountId, first, last } of listStale(context)) {
    if (signal?.aborted === true) return;
    const dayBefore = new Date(Date.parse(first) - 1).toISOString().slice(0, first.length);
    const rows = await readCountParts(db.read, { account, accountId }, dayBefore);
    const closed: ClosedDays = {
      first,
      last,
      days: rows
        .filter(({ part, day }) => part === PART.day && day <= last)
        .map(({ day, ...counts }) => ({ day, ...forEachCount((count) => counts[count]) })),
      earlier: earlierOf(rows, last),
    };
    await db.transaction((tx) => writeSetting(tx, settingOf(account), JSON.stringify(closed)));
  }
  const currentKeys = (await accountsToSum(db.read)).map(({ number }) => settingOf(number));
  await db.transaction((tx) => deleteClosedDays(tx, currentKeys));
}
