/**
 * Visits are buffered in memory and written every five seconds. Responses don't wait for writes, and a crash loses the
 * latest visits. The traits of visitors are stored only as salted hashes.
 */
import type { Context } from '../../base/context.ts';
import { byNetwork, type Limit } from '../../people/sign-in/limits/limits.ts';
import { countIn, isReached } from '../../people/sign-in/limits/throttle.ts';
import { createFlushes } from '../../platform/process/flushes.ts';
import { DatabaseUnavailable, type Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { dayIn, periodOf } from '../../platform/text/time-zone.ts';
import { LAUNCH_LABEL, NO_LABEL, OTHER_LABELS } from './label.ts';
import { listUnknownLabels, mergeIntoOthers } from './label-queries.ts';
import { appendLabelDeltas, countUnreadableLabel, createDeltaSum, findLabels } from './queries.ts';
import { type Caller, isAheadOfPerson, isProgram, networkIn, traitsOf, type Visit } from './visit.ts';
import { VISITOR_STORES, type VisitorStore } from './visitor-queries.ts';

const FLUSH_INTERVAL_MS = 5 * SECOND_MS;
/** At this number, new entries count visits without visitors; at twice this number, also without the label. */
const MAX_PENDING = 10_000;
/** A transaction with this many visitors delays a redemption no more than a batch of other redemptions does. */
const VISITORS_PER_TRANSACTION = 100;
/**
 * Per listing, without claims and not registered: anybody can open a link with a new label. The rest is `OTHER_LABELS`.
 */
export const MAX_UNKNOWN_LABELS = 200;
/** If the limit is reached, labels without a visit for this long are counted together, too. */
const UNKNOWN_KEPT_MS = 30 * DAY_MS;
/** Limit on new labels of a listing from one network, so that one person can't use up the others. */
export const NEW_LABELS_BY_NETWORK: Limit = { name: 'new-labels', attempts: 10, windowMs: HOUR_MS };
/** Size limit of the cache of labels that are counted. A full cache is cleared. */
const MAX_KNOWN_LABELS = 50_000;
/** How long a day's salt and hashes are kept after it: its last flushes need them to recognize visitors. */
export const FORGET_AFTER_MS = MINUTE_MS;

interface Pending {
  readonly visit: Visit;
  readonly day: string;
  /** `null`: the visit is counted, but not its visitor. */
  readonly traits: string | null;
  visits: number;
  at: number;
}

export type VisitCounter = ReturnType<typeof createVisitCounter>;

type Counting = Pick<Context, 'db' | 'now' | 'marketplace' | 'random' | 'secretBox'>;

interface Options {
  /** Called for each failed flush. */
  readonly onFailure?: (error: unknown) => void;
  /** While it returns false, visits are not counted. */
  readonly mayGrow?: () => boolean;
  readonly maxPending?: number;
}

export function createVisitCounter(context: Counting, options: Options = {}) {
  const { db, now } = context;
  const { onFailure, mayGrow = () => true, maxPending = MAX_PENDING } = options;
  const visitorStore = VISITOR_STORES[db.engine](context.random);
  const dayAt = createDayClock(context.marketplace);
  let pending = new Map<string, Pending>();
  const knownLabels = new Set<string>();
  let forgotten = '';

  const keyOf = (day: string, { listingId, via, unreadable }: Visit, traits: string | null): string =>
    `${day} ${listingId} ${via}\n${unreadable}\n${traits ?? ''}`;

  const count = (visit: Visit, caller: Caller): void => {
    if (isAheadOfPerson(caller) || !mayGrow()) return;
    const at = now();
    const [day, traits] = [dayAt(at), traitsOf(caller)];
    const entry = pending.get(keyOf(day, visit, traits));
    // Programs never get an entry, so a caller with an entry needs no check.
    if (entry === undefined && isProgram(caller)) return;
    add(entry ?? { visit, day, traits, visits: 0, at }, 1, at);
  };

  const add = (one: Pending, visits: number, at: number): void => {
    const entry = pending.get(keyOf(one.day, one.visit, one.traits)) ?? begin(one);
    entry.visits += visits;
    entry.at = at;
  };

  const begin = (one: Pending): Pending => {
    const { size } = pending;
    const visit: Visit = size < 2 * maxPending ? one.visit : { ...one.visit, via: NO_LABEL, unreadable: '' };
    const traits = size < maxPending ? one.traits : null;
    return pending.getOrInsert(keyOf(one.day, visit, traits), { ...one, visit, traits, visits: 0 });
  };

  const write = async (): Promise<void> => {
    // Each transaction appends one row per label. Sorting puts the visits of a label into as few transactions as
    // possible.
    const entries = [...pending].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
    pending = new Map();
    const portions = [...Map.groupBy(entries, ({ day }) => day).values()].flatMap(portionsOf);
    for (const [index, portion] of portions.entries()) {
      try {
        await writePortion(context, { visitorStore, knownLabels, lastKeptDay: lastKeptDay() }, portion);
      } catch (error) {
        onFailure?.(error);
        const isLost = !(error instanceof DatabaseUnavailable);
        const rest = portions.slice(isLost ? index + 1 : index).flat();
        for (const entry of rest) add(entry, entry.visits, entry.at);
        return;
      }
    }
  };

  const lastKeptDay = (): string => dayIn(context.marketplace.timeZone, toIso(now() - FORGET_AFTER_MS));

  const forget = async (): Promise<void> => {
    const before = lastKeptDay();
    if (before === forgotten) return;
    try {
      if (await visitorStore.remembers(db.read, before)) {
        await db.transaction((tx) => visitorStore.forget(tx, before));
      }
      forgotten = before;
    } catch (error) {
      onFailure?.(error);
    }
  };

  const flushes = createFlushes(() => write().then(forget), FLUSH_INTERVAL_MS);

  return {
    /** Ignores programs and prefetches. */
    count,
    flush: flushes.now,
    close: flushes.close,
  };
}

/** `portion`: visits of the same day. */
async function writePortion(
  context: Pick<Context, 'db' | 'now' | 'secretBox'>,
  {
    visitorStore,
    knownLabels,
    lastKeptDay,
  }: { readonly visitorStore: VisitorStore; readonly knownLabels: Set<string>; readonly lastKeptDay: string },
  portion: readonly Pending[],
): Promise<void> {
  const { db } = context;
  const { day } = portion[0]!;
  const countable = portion.filter(({ traits }) => traits !== null);
  const { committed, labels } = await db.transaction(async (tx) => {
    await DIALECTS[db.engine].commitUnflushed(tx);
    const traits = countable.map((entry) => `${entry.visit.listingId} ${entry.visit.via}\n${entry.traits}`);
    const visitors = await visitorStore.add(tx, day, traits, day >= lastKeptDay);
    const isNew = new Map(countable.map((entry, index) => [entry, visitors.isNew[index]]));
    const countedLabels = await chooseLabels(context, tx, portion, knownLabels);
    const sum = createDeltaSum();
    for (const entry of portion) {
      const { accountId, listingId, via, unreadable } = entry.visit;
      const counted = countedLabels.has(labelKey(entry.visit)) ? via : OTHER_LABELS;
      const visitors = isNew.get(entry) ? 1 : 0;
      sum.add({ accountId, listingId, via: counted, visits: entry.visits, visitors });
      if (unreadable !== '') await countUnreadable(tx, entry);
    }
    const at = toIso(Math.max(...portion.map((entry) => entry.at)));
    await appendLabelDeltas(tx, db.engine, at, sum.deltas());
    return { committed: visitors.committed, labels: countedLabels };
  });
  committed();
  if (knownLabels.size > MAX_KNOWN_LABELS) knownLabels.clear();
  for (const label of labels) knownLabels.add(label);
}

function portionsOf(entries: readonly Pending[]): readonly (readonly Pending[])[] {
  const amount = Math.ceil(entries.length / VISITORS_PER_TRANSACTION);
  return Array.from({ length: amount }, (_, index) =>
    entries.slice(index * VISITORS_PER_TRANSACTION, (index + 1) * VISITORS_PER_TRANSACTION),
  );
}

/** Returns a function that converts a time to its day. Caches the last day. */
function createDayClock(marketplace: Pick<Context['marketplace'], 'timeZone'>): (at: number) => string {
  let today = { day: '', start: 0, end: 0, timeZone: '' };
  return (at) => {
    const { timeZone } = marketplace;
    if (at < today.start || at >= today.end || timeZone !== today.timeZone) {
      const day = dayIn(timeZone, toIso(at));
      const { days, end } = periodOf(timeZone, day, day);
      today = { day, start: Date.parse(days[0]!.start), end: Date.parse(end!), timeZone };
    }
    return today.day;
  };
}

/** Every owner gets a link with `LAUNCH_LABEL`, so strangers must not be able to crowd it out. */
const ALWAYS_COUNTED: ReadonlySet<string> = new Set([NO_LABEL, LAUNCH_LABEL]);

const labelKey = ({ listingId, via }: Visit): string => `${listingId} ${via}`;

/** Returns the labels to count separately: those that exist, and new ones within the limits. */
async function chooseLabels(
  context: Pick<Context, 'db' | 'now' | 'secretBox'>,
  tx: Transaction,
  portion: readonly Pending[],
  knownLabels: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const chosen = new Set<string>();
  const unknown: Pending[] = [];
  for (const entry of portion) {
    const { visit } = entry;
    if (ALWAYS_COUNTED.has(visit.via) || knownLabels.has(labelKey(visit))) chosen.add(labelKey(visit));
    else unknown.push(entry);
  }
  for (const [listingId, entries] of Map.groupBy(unknown, ({ visit }) => visit.listingId)) {
    const of = { accountId: entries[0]!.visit.accountId, listingId };
    const names = [...new Set(entries.map(({ visit }) => visit.via))];
    const labels = new Set(await findLabels(tx, of, names));
    const isNew = ({ visit }: Pending) => !labels.has(visit.via);
    let free: number | null = null;
    for (const entry of entries.filter(({ traits }) => traits !== null)) {
      if (free === 0 || !isNew(entry)) continue;
      const counted = byNetwork(NEW_LABELS_BY_NETWORK, networkIn(entry.traits!), listingId);
      if (isReached(await countIn(context, tx, counted))) continue;
      // Only now, because it reads all days of the listing while other writers wait.
      free ??= await freeLabels(tx, of, entry.day);
      if (free === 0) continue;
      labels.add(entry.visit.via);
      free -= 1;
    }
    for (const { visit } of entries) if (labels.has(visit.via)) chosen.add(labelKey(visit));
  }
  return chosen;
}

async function freeLabels(
  tx: Transaction,
  of: { readonly accountId: string; readonly listingId: string },
  today: string,
): Promise<number> {
  const unknownLabels = (await listUnknownLabels(tx, of, null)).length;
  if (unknownLabels < MAX_UNKNOWN_LABELS) return MAX_UNKNOWN_LABELS - unknownLabels;
  const before = toIso(Date.parse(today) - UNKNOWN_KEPT_MS).slice(0, today.length);
  const old = await listUnknownLabels(tx, of, before);
  await mergeIntoOthers(tx, of, old);
  return Math.max(0, MAX_UNKNOWN_LABELS - unknownLabels + old.length);
}

async function countUnreadable(tx: Transaction, { visit, visits }: Pending): Promise<void> {
  const account_number = await readAccountNumber(tx, visit.accountId);
  await countUnreadableLabel(tx, { account_number, listing_id: visit.listingId }, visit.unreadable, {
    visits,
  });
}
