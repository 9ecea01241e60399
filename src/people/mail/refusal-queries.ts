/** Addresses that the mail server refused. Their accounts get only essential mail, such as sign-in codes. */
import { isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import { readSetting, writeSetting } from '../../platform/store/settings.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { type Iso, toIso } from '../../platform/text/time-text.ts';

/** Key in `settings`: time of the last refusal. Writing it also serializes the transactions that record refusals. */
const LAST_REFUSAL = 'mail_last_refusal_at';
/** Key in `settings`: time of the last refusal that belonged to a burst. */
const LAST_BURST = 'mail_refusal_burst_at';
/** If a server refuses this many people within this time, the cause is probably the server. */
const BURST_PEOPLE = 3;
const BURST_MS = 10 * MINUTE_MS;

interface Refusal {
  readonly email: string;
  readonly at: Iso;
  readonly sentence: string;
}

/**
 * Returns `false`, and records nothing, if the server refuses several people within minutes, for example because it
 * lost its list of mailboxes. Addresses without an account don't count, because anyone may type one.
 */
export async function recordRefusal(tx: Transaction, { email, at, sentence }: Refusal): Promise<boolean> {
  await writeSetting(tx, LAST_REFUSAL, at);
  const atMs = Date.parse(at);
  const since = toIso(atMs - BURST_MS);
  const lastBurst = await readSetting(tx, LAST_BURST);
  // Another transaction that took its time later may have got the lock first.
  const isInBurst = lastBurst !== null && Math.abs(Date.parse(lastBurst) - atMs) < BURST_MS;
  const account = await tx.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst();
  if (account === undefined) return !isInBurst;
  const recent = await tx
    .selectFrom('mail_settings')
    .select(['account_id', 'refused_email'])
    .where('refused_email', 'is not', null)
    .where('refused_email', '<>', email)
    .where('refused_at', '>', since)
    .execute();
  if (isInBurst || recent.length + 1 >= BURST_PEOPLE) {
    await writeSetting(tx, LAST_BURST, at);
    await retryRefused(tx, [email, ...recent.flatMap(({ refused_email }) => refused_email ?? [])], since, at);
    return false;
  }
  const refusal = { refused_email: email, refused_at: at, refusal: sentence };
  await tx
    .insertInto('mail_settings')
    .values({ account_id: account.id, choices: '{}', ...refusal })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(refusal))
    .execute();
  return true;
}

const NOT_REFUSED = { refused_email: null, refused_at: null, refusal: null } as const;

/** Forgets the recent refusals of the addresses, and retries the mails that failed because of them. */
async function retryRefused(tx: Transaction, emails: readonly string[], since: Iso, at: Iso): Promise<void> {
  await tx
    .updateTable('mail_settings')
    .set(NOT_REFUSED)
    .where('refused_email', 'in', emails)
    .where('refused_at', '>', since)
    .execute();
  await tx
    .updateTable('mails')
    .set({ next_at: toIso(Date.parse(at) + MINUTE_MS), failed_at: null })
    .where('recipient', 'in', emails)
    .where('failed_at', '>', since)
    .execute();
}

export const forgetRefusal = (tx: Transaction, email: string): Promise<unknown> =>
  tx.updateTable('mail_settings').set(NOT_REFUSED).where('refused_email', '=', email).execute();

/** Returns whether the account's address was refused. */
export const forgetRefusalOf = (tx: Transaction, accountId: string): Promise<boolean> =>
  isFound(
    tx
      .updateTable('mail_settings')
      .set(NOT_REFUSED)
      .where('account_id', '=', accountId)
      .where('refused_email', 'is not', null)
      .returning('account_id'),
  );

const refused = (db: Queryable) =>
  db
    .selectFrom('mail_settings')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.id', '=', 'mail_settings.account_id')
        .onRef('accounts.email', '=', 'mail_settings.refused_email'),
    )
    .where('refused_email', 'is not', null)
    .where('deleted_at', 'is', null);

/** Accounts that get only essential mail, because the mail server refuses their address. Newest refusal first. */
export const listRefused = (db: Queryable, limit: number) =>
  refused(db)
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'refused_at', 'refusal'])
    .orderBy('refused_at', 'desc')
    .limit(limit)
    .execute();

export type RefusedAccount = Awaited<ReturnType<typeof listRefused>>[number];

/** `people`: the number of accounts that get only essential mail. `burstAt`: the last refusal of several people. */
export async function readRefusals(db: Queryable) {
  const { people } = await refused(db)
    .select(({ fn }) => fn.countAll<number>().as('people'))
    .executeTakeFirstOrThrow();
  return { people: Number(people), burstAt: await readSetting(db, LAST_BURST) };
}
