import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import { loggedChanges } from '../../base/events/logged-changes.ts';
import { eventsKeptFrom } from '../../base/events/sweep.ts';
import {
  changeSettings,
  type SettingsChange,
  type SettingsUpdate,
} from '../../base/settings/change-settings.ts';
import { type DeleteAccount, planDeletion } from '../../people/accounts/edit.ts';
import { MAIL_KEPT_DAYS } from '../../people/sign-in/sweep.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { readJsonSetting, readSetting, writeSetting } from '../../platform/store/settings.ts';
import { NIL_UUID } from '../../platform/store/uuid.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import {
  count,
  initialOf,
  loggedNames,
  optionalCount,
  type Setting,
  type ValuesOf,
} from '../../platform/text/setting.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { replaceEventsOf } from './erase-queries.ts';
import { withoutNetworks } from './event-words.ts';
import {
  countMailsBefore,
  findAuditEvents,
  findUnused,
  type LoggedSignIn,
  type UnusedAccount,
} from './retention-queries.ts';

/** Long, because some people sign in again only after several months. */
export const MIN_UNUSED_MONTHS = 6;
export const MAX_UNUSED_MONTHS = 120;
/** Sending is retried for a day, so mail must be kept longer. */
export const MIN_MAIL_DAYS = 2;
export const MAX_MAIL_DAYS = 90;
/** Operators need the addresses of the last few days to investigate suspicious sign-ins. */
export const MIN_SIGN_IN_DAYS = 7;
export const MAX_SIGN_IN_DAYS = 3_650;

export const RETENTION_SETTINGS = {
  /** Accounts unused for this long are deleted, unless `findUnused` excludes them. */
  unusedMonths: optionalCount({
    label: message('Delete inactive accounts after'),
    loggedAs: message('Months until an unused account is deleted'),
    hint: message(
      'At least {min}. Leave it empty to keep all accounts. The person gets an email a week before the deletion and can keep the account by signing in. Operators’ accounts and accounts with a listing, an API key or members are never deleted for inactivity.',
      { min: MIN_UNUSED_MONTHS },
    ),
    after: message('months'),
    placeholder: message('never'),
    min: MIN_UNUSED_MONTHS,
    max: MAX_UNUSED_MONTHS,
  }),
  mailDays: count({
    label: message('Keep mail in the Outbox for'),
    loggedAs: message('Days until unsent mail is deleted'),
    hint: message('Mail that the mail server has accepted is deleted immediately.'),
    after: message('days'),
    min: MIN_MAIL_DAYS,
    max: MAX_MAIL_DAYS,
    initial: MAIL_KEPT_DAYS,
  }),
  /** How long the event log keeps network addresses of sign-ins; `null`: as long as the events. */
  signInDays: optionalCount({
    label: message('Keep sign-in IP addresses for'),
    loggedAs: message('Days until network addresses of sign-ins are deleted'),
    hint: message(
      'At least {min}. Leave it empty to keep the addresses as long as the audit log keeps the sign-ins.',
      { min: MIN_SIGN_IN_DAYS },
    ),
    after: message('days'),
    placeholder: message('no limit'),
    min: MIN_SIGN_IN_DAYS,
    max: MAX_SIGN_IN_DAYS,
  }),
} satisfies Readonly<Record<string, Setting>>;

export type Retention = ValuesOf<typeof RETENTION_SETTINGS>;

export const DEFAULT_RETENTION = initialOf<Retention>(RETENTION_SETTINGS);

const RETENTION = 'retention';

export const readRetention = async (db: Queryable): Promise<Retention> => ({
  ...DEFAULT_RETENTION,
  ...(await readJsonSetting<Partial<Retention>>(db, RETENTION)),
});

/** The daily job applies the new settings on its next run. */
export async function setRetention(
  context: Context,
  input: SettingsChange & { readonly retention: SettingsUpdate<Retention> },
): Promise<void> {
  await changeSettings(context, input, {
    key: RETENTION,
    read: readRetention,
    to: input.retention,
    changes: loggedChanges(loggedNames<Retention>(RETENTION_SETTINGS)),
  });
}

const ACCOUNTS_A_PAGE = 1_000;
/** Maximum number of deletions planned per run. Limits the number of emails, because each person gets one. */
const MAX_PLANNED_A_RUN = 2_000;
const EVENTS_A_PORTION = 200;
/** Pause between transactions, so that other writers can proceed. */
const PAUSE_MS = 10;
/** A preview stops counting accounts and sign-ins at this number. */
export const MAX_COUNTED = 10_000;

/** Name of the setting that stores the `seq` of the last event that `forgetNetworks` processed. */
const CURSOR = 'sign_in_log_cursor';

export async function retentionNeedsWork({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const { unusedMonths, signInDays } = await readRetention(db.read);
  return unusedMonths !== null || signInDays !== null;
}

/**
 * Plans the deletion of unused accounts and removes old network addresses from events. `sweepSignIn` deletes old mail.
 * `signal` stops the work between two transactions.
 */
export async function applyRetention(
  context: Context,
  { signal, notice }: { readonly signal: AbortSignal; readonly notice: DeleteAccount['notice'] },
): Promise<void> {
  const retention = await readRetention(context.db.read);
  await planUnused(context, retention, notice, signal);
  await forgetNetworks(context, retention, signal);
}

/** Accounts last used before this time count as unused; `null`: no account does. */
const unusedBefore = ({ unusedMonths }: Retention, now: number): string | null =>
  eventsKeptFrom({ months: unusedMonths }, now);

async function* unusedAccounts(
  db: Queryable,
  before: string,
): AsyncGenerator<readonly UnusedAccount[], void> {
  for (let after: string | null = NIL_UUID; after !== null; ) {
    const page: Awaited<ReturnType<typeof findUnused>> = await findUnused(db, {
      after,
      limit: ACCOUNTS_A_PAGE,
      before,
    });
    yield page.unused;
    after = page.last;
  }
}

/** Each person gets an email. Signing in within a week cancels the deletion. */
async function planUnused(
  context: Context,
  retention: Retention,
  notice: DeleteAccount['notice'],
  signal: AbortSignal,
): Promise<void> {
  const before = unusedBefore(retention, context.now());
  if (before === null) return;
  let planned = 0;
  for await (const accounts of unusedAccounts(context.db.read, before)) {
    for (const { id } of accounts) {
      if (signal.aborted || planned === MAX_PLANNED_A_RUN) return;
      await planDeletion(context, { account: id, actor: 'service', reason: 'unused', notice });
      planned += 1;
      await sleep(PAUSE_MS);
    }
    if (signal.aborted) return;
  }
}

const networksBefore = ({ signInDays }: Retention, now: number): string | null =>
  signInDays === null ? null : toIso(now - signInDays * DAY_MS);

/** Portions of old sign-in events. `changed`: those with a network address, without it. `cursor`: the last `seq`. */
async function* oldNetworks(
  { db, now }: Pick<Context, 'db' | 'now'>,
  before: string,
): AsyncGenerator<{ readonly changed: readonly ChangedEvent[]; readonly cursor: number }, void> {
  const present = toIso(now());
  for (let cursor = Number((await readSetting(db.read, CURSOR)) ?? 0), more = true; more; ) {
    const events = await findAuditEvents(db.read, cursor, EVENTS_A_PORTION);
    // Events dated in the future by a wrong clock are treated as old.
    const young = events.findIndex(({ at }) => at !== null && at >= before && at <= present);
    const old = young === -1 ? events : events.slice(0, young);
    cursor = old.at(-1)?.seq ?? cursor;
    more = young === -1 && events.length === EVENTS_A_PORTION;
    if (old.length > 0) yield { changed: old.flatMap(changedEvent), cursor };
  }
}

type ChangedEvent = Pick<LoggedSignIn, 'account_number' | 'seq'> & { readonly data: string };

function changedEvent({ account_number, seq, type, data }: LoggedSignIn): readonly ChangedEvent[] {
  const rest = withoutNetworks(type, JSON.parse(data ?? '{}') as Record<string, unknown>);
  return rest === null ? [] : [{ account_number, seq, data: JSON.stringify(rest) }];
}

async function forgetNetworks(context: Context, retention: Retention, signal: AbortSignal): Promise<void> {
  const { db } = context;
  const before = networksBefore(retention, context.now());
  if (before === null) return;
  for await (const { changed, cursor } of oldNetworks(context, before)) {
    if (signal.aborted) return;
    await db.transaction(async (tx) => {
      for (const [account, events] of Map.groupBy(changed, ({ account_number }) => account_number)) {
        await replaceEventsOf(tx, db.engine, account, events);
      }
      await writeSetting(tx, CURSOR, String(cursor));
    });
    await sleep(PAUSE_MS);
  }
}

export type RetentionPreview = Awaited<ReturnType<typeof previewRetention>>;

const EXAMPLES = 10;

/** Counts what the settings would delete now. `signIns`: events whose network address would be removed. */
export async function previewRetention(context: Pick<Context, 'db' | 'now'>, retention: Retention) {
  const { read } = context.db;
  const now = context.now();
  const unusedExamples: UnusedAccount[] = [];
  const unused = unusedBefore(retention, now);
  if (unused !== null) {
    for await (const accounts of unusedAccounts(read, unused)) {
      unusedExamples.push(...accounts);
      if (unusedExamples.length >= MAX_COUNTED) break;
    }
  }
  let signIns = 0;
  const networks = networksBefore(retention, now);
  if (networks !== null) {
    for await (const { changed } of oldNetworks(context, networks)) {
      signIns += changed.length;
      if (signIns >= MAX_COUNTED) break;
    }
  }
  return {
    accounts: Math.min(unusedExamples.length, MAX_COUNTED),
    examples: unusedExamples.slice(0, EXAMPLES),
    mails: await countMailsBefore(read, toIso(now - retention.mailDays * DAY_MS)),
    signIns: Math.min(signIns, MAX_COUNTED),
  };
}
