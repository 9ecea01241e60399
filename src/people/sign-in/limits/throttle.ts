/**
 * An attempt is counted before it is checked, in the database for all processes. The first limit that is reached
 * rejects it, and later limits don't count it, so guesses from one network don't lock a person out elsewhere.
 */
import type { Context } from '../../../base/context.ts';
import type { SignInFailure } from '../../../base/events/catalogue/sessions.ts';
import { appendEvent } from '../../../base/events/queries.ts';
import { invalid, Refusal } from '../../../platform/errors.ts';
import { type Message, message } from '../../../platform/languages/translate.ts';
import { networkOf } from '../../../platform/network/network.ts';
import type { SecurityEvent } from '../../../platform/network/security-log.ts';
import type { Queryable, Transaction } from '../../../platform/store/database.ts';
import { HOUR_MS, MINUTE_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { mailboxOf } from '../../accounts/account.ts';
import { findByEmail } from '../../accounts/queries.ts';
import { CODE_IS_SPENT } from '../codes/one-time-code.ts';
import type { Caller, SignInServices } from '../services.ts';
import {
  byNetwork,
  type Charge,
  CODE_BY_NETWORK,
  counterOf,
  FAILURE_EVENTS_BY_PERSON,
  type Limit,
  MAIL_BY_DEVICE,
  MAIL_BY_PERSON,
  SPELLINGS_BEYOND,
} from './limits.ts';
import { countOne, reachedUntil, refund } from './queries.ts';

type Limits = Pick<Context, 'db' | 'now' | 'secretBox'>;

export interface ReachedLimit {
  readonly limit: Limit;
  readonly until: number;
}

/** Waits of up to this many minutes are shown in minutes, longer waits in hours. */
const MOST_MINUTES_SHOWN = 90;

/** The time until an attempt is allowed again, in words. */
export function waitOf({ until }: Pick<ReachedLimit, 'until'>, now: number): Message {
  const minutes = Math.max(1, Math.ceil((until - now) / MINUTE_MS));
  return minutes <= MOST_MINUTES_SHOWN
    ? message('{minutes, plural, =1 {a minute} other {# minutes}}', { minutes })
    : message('{hours, plural, other {# hours}}', { hours: Math.ceil((until - now) / HOUR_MS) });
}

const tooOften = ({ limit, until }: ReachedLimit, now: number): Refusal => {
  const wait = waitOf({ until }, now);
  return new Refusal(
    'rate_limited',
    limit.refusal?.(wait) ?? message('Too many attempts. Try again in {wait}.', { wait }),
  );
};

/** A limit with `beyond` applies only if one of those is reached, until its window or theirs end. */
async function findReached(
  { now, secretBox }: Limits,
  db: Queryable,
  charges: readonly Charge[],
): Promise<ReachedLimit | null> {
  const entries = charges.flatMap((entry) => [entry, ...(entry[2] ?? [])]);
  const counters = new Map(entries.map((entry) => [entry, counterOf(secretBox, entry)]));
  const ends = await reachedUntil(db, now(), [...counters.values()]);
  const endOf = (entry: Charge) => ends.get(counters.get(entry)!.key);
  for (const entry of charges) {
    const [limit, , beyond] = entry;
    const until = endOf(entry);
    if (until === undefined) continue;
    if (beyond === undefined) return { limit, until };
    const ended = beyond.filter((one) => endOf(one) !== undefined);
    if (ended.length === 0) continue;
    // Allowed again when the limit's own window ends, or all windows of the reached `beyond` limits.
    const untilBeyond = Math.max(...ended.map((one) => endOf(one)!));
    const named = ended.find(([one]) => one.refusal !== undefined)?.[0];
    return { limit: named ?? limit, until: Math.min(until, untilBeyond) };
  }
  return null;
}

export const isReached = (outcome: readonly string[] | MailCharge | ReachedLimit): outcome is ReachedLimit =>
  'until' in outcome;

/** Returns the limit that rejects the attempt, or else the keys of the attempt's counters, for `refund`. */
async function count(limits: Limits, charges: readonly Charge[]): Promise<readonly string[] | ReachedLimit> {
  // Most attempts over a limit are rejected here, without a write.
  const reached = await findReached(limits, limits.db.byKey.read, charges);
  if (reached !== null) return reached;
  return limits.db.transaction((tx) => countIn(limits, tx, charges));
}

/** The caller must commit even if a limit is reached: a rollback would discard what was counted. */
export async function countIn(
  limits: Limits,
  tx: Transaction,
  charges: readonly Charge[],
): Promise<readonly string[] | ReachedLimit> {
  const now = limits.now();
  const keys: string[] = [];
  const take = async (entry: Charge): Promise<boolean> => {
    const counter = counterOf(limits.secretBox, entry);
    const isCounted = await countOne(tx, now, counter);
    if (isCounted) keys.push(counter.key);
    return isCounted;
  };
  const takeAll = async (entries: readonly Charge[]): Promise<boolean> => {
    for (const entry of entries) if (!(await take(entry))) return false;
    return true;
  };
  // `beyond` limits that are shared by several limits count the attempt only once.
  const authorized = new Set<readonly Charge[]>();
  for (const entry of charges) {
    const [limit, , beyond] = entry;
    if (await take(entry)) continue;
    if (beyond !== undefined && (authorized.has(beyond) || (await takeAll(beyond)))) {
      authorized.add(beyond);
      continue;
    }
    return (await findReached(limits, tx, [entry])) ?? { limit, until: now };
  }
  return keys;
}

/**
 * Like `countIn`, but an attempt over a limit counts for no other limit: it takes no lock and nothing from the limit of
 * a network that other people share.
 */
export async function countUnlessReached(
  limits: Limits,
  tx: Transaction,
  charges: readonly Charge[],
): Promise<readonly string[] | ReachedLimit> {
  return (await findReached(limits, tx, charges)) ?? countIn(limits, tx, charges);
}

/** Counts an attempt, or rejects it (429). Returns the keys of its counters, for `refund`. */
export async function countAttempt(limits: Limits, charges: readonly Charge[]): Promise<readonly string[]> {
  const outcome = await count(limits, charges);
  if (isReached(outcome)) throw tooOften(outcome, limits.now());
  return outcome;
}

/** Like `countAttempt`, but returns false if a limit is reached. */
export const countIfWithin = async (limits: Limits, charges: readonly Charge[]): Promise<boolean> =>
  !isReached(await count(limits, charges));

interface MailToCount {
  readonly email: string;
  /** The id of the known browser that requests the mail (`knownDevice`); `null`: an unknown browser. */
  readonly device: string | null;
  /** The limit for mails above `MAIL_BY_PERSON`, and the address or account whose mails it counts. */
  readonly beyond: Charge;
  /** Returns when the last earlier code expires, in milliseconds since the epoch; `null`: no earlier code works. */
  readonly earlierUntilMs: () => Promise<number | null>;
}

export interface MailCharge {
  /** The counters' keys, for `refund`. */
  readonly keys: readonly string[];
  /** False if too many mails were sent to other spellings of the mailbox. */
  readonly maySend: boolean;
}

/**
 * Returns the limit that rejects the request, which doesn't depend on whether the address has an account, or whether to
 * send the mail, which may depend on it. Mails to known browsers have their own limit. Above `MAIL_BY_PERSON`, only if
 * no earlier code still works, so others can neither flood the mailbox nor lock the person out. With `tx`, the lock on
 * the counter's row serializes requests, so only the first finds no working code.
 */
export async function countMail(
  limits: Limits,
  { email, device, beyond, earlierUntilMs }: MailToCount,
  tx?: Transaction,
): Promise<MailCharge | ReachedLimit> {
  const countAll = (charges: readonly Charge[]) =>
    tx === undefined ? count(limits, charges) : countIn(limits, tx, charges);
  const sent = (counted: readonly string[] | ReachedLimit) =>
    isReached(counted) ? counted : { keys: counted, maySend: true };
  if (device !== null) return sent(await countAll([[MAIL_BY_DEVICE, device]]));
  const counted = await countAll([[MAIL_BY_PERSON, mailboxOf(email)]]);
  if (!isReached(counted)) return sent(counted);
  const earlierMs = await earlierUntilMs();
  if (earlierMs !== null) return { ...counted, until: Math.min(counted.until, earlierMs) };
  const keys = await countAll([beyond]);
  if (isReached(keys) || (await findByEmail(tx ?? limits.db.read, email)) !== undefined) return sent(keys);
  // Otherwise, a stranger could use up the limit of an address with other spellings of its mailbox, or flood the
  // mailbox with mails to all of them.
  return { keys, maySend: !isReached(await countAll([[SPELLINGS_BEYOND, mailboxOf(email)]])) };
}

/** Like `countAttempt`, but also logs a rejected attempt. */
export async function countRequest(
  services: SignInServices,
  caller: Caller,
  charges: readonly Charge[],
  accountId?: string,
): Promise<readonly string[]> {
  const outcome = await count(services.context, charges);
  return isReached(outcome) ? refuseCounted(services, caller, outcome, accountId) : outcome;
}

/**
 * Looks up what the code of a link belongs to, without consuming the code. An invalid code counts towards the network's
 * limit; so does a valid one during the lookup, so that concurrent guesses can't exceed the limit.
 */
export async function lookUpCode<T>(
  services: SignInServices,
  caller: Caller,
  find: (tx: Transaction) => Promise<T | undefined>,
): Promise<T> {
  const { context } = services;
  const limits = byNetwork(CODE_BY_NETWORK, caller.address);
  await refuseRequest(services, caller, limits);
  const outcome = await context.db.transaction(async (tx) => {
    const counted = await countIn(context, tx, limits);
    if (isReached(counted)) return { reached: counted };
    const linked = await find(tx);
    if (linked !== undefined) await refund(tx, counted);
    return { linked };
  });
  if (outcome.reached !== undefined) return refuseCounted(services, caller, outcome.reached);
  if (outcome.linked === undefined) throw invalid(CODE_IS_SPENT);
  return outcome.linked;
}

/** Rejects (429) and logs a request if a limit is already reached. Doesn't count the request. */
export async function refuseRequest(
  services: SignInServices,
  caller: Caller,
  charges: readonly Charge[],
  accountId?: string,
): Promise<void> {
  const reached = await findReached(services.context, services.context.db.byKey.read, charges);
  if (reached !== null) refuseCounted(services, caller, reached, accountId);
}

/** Rejects (429) and logs a request that `countIn` found to be over a limit. */
export function refuseCounted(
  services: SignInServices,
  caller: Caller,
  reached: ReachedLimit,
  accountId?: string,
): never {
  recordFailure(services, 'limit', caller, accountId);
  throw tooOften(reached, services.context.now());
}

/** `code`: a wrong code from a mail. */
const LOGGED_AS: Readonly<Record<SignInFailure, SecurityEvent>> = {
  password: 'sign_in_failed',
  code: 'sign_in_failed',
  'second-factor': 'second_factor_failed',
  limit: 'throttled',
};

/** Writes the event in the background, so that the response time doesn't reveal whether an account exists. */
export function recordFailure(
  services: SignInServices,
  failure: SignInFailure,
  { address }: Caller,
  accountId: string | undefined,
): void {
  const network = networkOf(address);
  services.securityLog(LOGGED_AS[failure], { network, ...(accountId !== undefined && { accountId }) });
  if (accountId !== undefined) {
    services.background.start(() => appendFailure(services, accountId, { failure, network }));
  }
}

async function appendFailure(
  { context: { db, now, secretBox } }: SignInServices,
  accountId: string,
  data: { readonly failure: SignInFailure; readonly network: string },
): Promise<void> {
  const counter = counterOf(secretBox, [FAILURE_EVENTS_BY_PERSON, accountId]);
  if ((await reachedUntil(db.read, now(), [counter])).size > 0) return;
  await db.transaction(async (tx) => {
    if (!(await countOne(tx, now(), counter))) return;
    const at = toIso(now());
    const about = { accountId, subjectId: accountId, actor: 'unknown' } as const;
    await appendEvent(tx, { ...about, type: 'session.sign_in_refused', at, data });
  });
}
