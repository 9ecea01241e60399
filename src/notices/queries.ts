/** SQL of notices: who wants them, what was mailed, and the events that they are about. */
import { type EventRecord, type EventType, readEventsAt } from '../events/queries.ts';
import type { DatabaseReader, Engine, Queryable, Transaction } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import type { Iso } from '../text/time-text.ts';
import { type Choices, kindsFor, type NoticeKind } from './kinds.ts';

export interface MailSettings {
  readonly choices: Choices;
  /** Why the mail server refuses the person’s address; `null`: it doesn’t. */
  readonly refusal: string | null;
}

export async function readMailSettings(db: Queryable, accountId: string): Promise<MailSettings> {
  const row = await db
    .selectFrom('mail_settings')
    .innerJoin('accounts', 'accounts.id', 'mail_settings.account_id')
    .select(['choices', 'refusal', 'refused_email', 'email'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) return { choices: {}, refusal: null };
  return {
    choices: JSON.parse(row.choices) as Choices,
    refusal: row.refused_email === row.email ? row.refusal : null,
  };
}

export async function writeChoices(tx: Transaction, accountId: string, choices: Choices): Promise<void> {
  const row = { choices: JSON.stringify(choices) };
  await tx
    .insertInto('mail_settings')
    .values({ account_id: accountId, ...row, refused_email: null, refused_at: null, refusal: null })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

export interface Recipient {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly choices: Choices;
}

/** Operators who get notices. */
const MAX_OPERATORS = 50;

/** Of these accounts, or of all operators, those that mail may reach: confirmed, not suspended, not refused. */
export async function readRecipients(
  db: Queryable,
  of: readonly string[] | 'operators',
): Promise<readonly Recipient[]> {
  if (of.length === 0) return [];
  const rows = await db
    .selectFrom('accounts')
    .leftJoin('mail_settings', 'mail_settings.account_id', 'accounts.id')
    .select(['accounts.id', 'email', 'name', 'choices'])
    .where('suspended_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('email_verified_at', 'is not', null)
    .where((eb) =>
      eb.or([eb('refused_email', 'is', null), eb('refused_email', '<>', eb.ref('accounts.email'))]),
    )
    .where((eb) => (of === 'operators' ? eb('operator_since', 'is not', null) : eb('accounts.id', 'in', of)))
    .$if(of === 'operators', (query) => query.orderBy('accounts.id').limit(MAX_OPERATORS))
    .execute();
  return rows.map(({ choices, ...row }) => ({
    ...row,
    choices: choices === null ? {} : (JSON.parse(choices) as Choices),
  }));
}

export interface NoticeKey {
  readonly accountId: string;
  readonly kind: NoticeKind;
  readonly about: string;
}

/** Records that a notice is mailed; false if it was. `before`: a notice from before that time is repeated. */
export async function takeNotice(
  tx: Transaction,
  { accountId, kind, about }: NoticeKey,
  { at, before }: { readonly at: Iso; readonly before: Iso | null },
): Promise<boolean> {
  const row = await tx
    .insertInto('notices')
    .values({ account_id: accountId, kind, about, at })
    .onConflict((conflict) => {
      const known = conflict.columns(['account_id', 'kind', 'about']);
      return before === null ? known.doNothing() : known.doUpdateSet({ at }).where('notices.at', '<', before);
    })
    .returning('at')
    .executeTakeFirst();
  return row !== undefined;
}

export async function countNotices(
  tx: Transaction,
  { accountId, kind }: Pick<NoticeKey, 'accountId' | 'kind'>,
  since: Iso,
): Promise<number> {
  const { rows } = await tx
    .selectFrom('notices')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/** When the account last got a notice of this kind. */
export async function lastNoticeAt(db: Queryable, accountId: string, kind: NoticeKind): Promise<Iso | null> {
  const row = await db
    .selectFrom('notices')
    .select('at')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
}

export async function deleteOldNotices(tx: Transaction, before: Iso): Promise<void> {
  await tx.deleteFrom('notices').where('at', '<', before).execute();
}

/** Events of some types with `after` < number ≤ `upTo`, oldest first, at most `limit`. */
export async function readEventsBetween(
  db: DatabaseReader,
  {
    types,
    after,
    upTo,
    limit,
  }: {
    readonly types: readonly EventType[];
    readonly after: number;
    readonly upTo: number;
    readonly limit: number;
  },
): Promise<readonly EventRecord[]> {
  const places = await DIALECTS[db.engine].inIndexOrder(db.read, (read) =>
    read
      .selectFrom('event_rows')
      .select(['seq', 'at'])
      .where('seq', '>', after)
      .where('seq', '<=', upTo)
      .where('type', 'in', types)
      .orderBy('seq')
      .limit(limit)
      .execute(),
  );
  return await readEventsAt(db, places);
}

export const readListingName = (
  db: Queryable,
  id: string,
): Promise<{ id: string; name: string; slug: string } | undefined> =>
  db.selectFrom('listings').select(['id', 'name', 'slug']).where('id', '=', id).executeTakeFirst();

export const readOfferName = (
  db: Queryable,
  id: string,
): Promise<{ listing_id: string; offer: string } | undefined> =>
  db.selectFrom('offers').select(['listing_id', 'offer']).where('id', '=', id).executeTakeFirst();

/** Whether the account has no other listing. */
export async function isOnlyListing(db: Queryable, accountId: string, listingId: string): Promise<boolean> {
  const other = await db
    .selectFrom('listings')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '<>', listingId)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}

export interface ClaimToMail {
  readonly id: string;
  readonly account_id: string;
  readonly offer_id: string;
  readonly claimant_id: string;
  readonly redeemed_at: string | null;
  readonly offer: string;
  readonly code: string | null;
  readonly redemption_link: string | null;
  readonly listing: string;
  /** Of the listing’s website. */
  readonly url: string;
}

/** Of these claims the live ones of accounts, without replaced ones. */
export async function readClaimsToMail(
  db: Queryable,
  engine: Engine,
  ids: readonly string[],
): Promise<readonly ClaimToMail[]> {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('claims')
    .innerJoin('offers', 'offers.id', 'claims.offer_id')
    .innerJoin('listings', 'listings.id', 'claims.listing_id')
    .select([
      'claims.id',
      'claims.account_id',
      'claims.offer_id',
      'claims.claimant_id',
      'claims.redeemed_at',
      'offers.offer',
      'offers.code',
      'offers.redemption_link',
      'listings.name as listing',
      'listings.url',
    ])
    .where(DIALECTS[engine].hasClaimId(ids))
    .where('claims.mode', '=', 'live')
    .where('claims.replaced_at', 'is', null)
    .where('claims.claimant_id', 'is not', null)
    .$narrowType<{ claimant_id: string }>()
    .execute();
}

export const readListingNames = (
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.selectFrom('listings').select(['id', 'name']).where('id', 'in', ids).execute();

/** The kinds that a person can choose. */
export async function readKinds(
  db: Queryable,
  { accountId, isOperator }: { readonly accountId: string; readonly isOperator: boolean },
): Promise<readonly NoticeKind[]> {
  const listing = await db
    .selectFrom('listings')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  return kindsFor([
    'claimant',
    ...(listing === undefined ? [] : ['owner' as const]),
    ...(isOperator ? ['operator' as const] : []),
  ]);
}

/** Accounts in order of their id that chose a kind which is off by default. */
export async function listAccountsWanting(
  db: Queryable,
  kind: NoticeKind,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('mail_settings')
    .select('account_id')
    .where('choices', 'like', `%"${kind}":true%`)
    .$if(after !== undefined, (query) => query.where('account_id', '>', after!))
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows.map(({ account_id }) => account_id);
}
