import type { ExpressionBuilder } from 'kysely';
import type { EventType } from '../../base/events/catalogue.ts';
import { type EventRecord, readEventsAt } from '../../base/events/queries.ts';
import { hasListing } from '../../people/accounts/queries.ts';
import {
  countOf,
  type DatabaseReader,
  type Engine,
  isFound,
  type Queryable,
  type Transaction,
} from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import type { Schema } from '../../platform/store/schema.ts';
import type { Iso } from '../../platform/text/time-text.ts';
import { type Choices, isWanted, kindsFor, type NoticeKind } from './kinds.ts';

/** `refusal`: why the mail server rejects the person's current address; `null` if it doesn't. */
export async function readMailSettings(db: Queryable, accountId: string) {
  const row = await db
    .selectFrom('mail_settings')
    .innerJoin('accounts', 'accounts.id', 'mail_settings.account_id')
    .select(['choices', 'refusal', 'refused_email', 'email'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return {
    choices: choicesOf(row?.choices),
    refusal: row !== undefined && row.refused_email === row.email ? row.refusal : null,
  };
}

const choicesOf = (json: string | null | undefined): Choices => JSON.parse(json ?? '{}') as Choices;

export async function writeChoices(tx: Transaction, accountId: string, choices: Choices): Promise<void> {
  const row = { choices: JSON.stringify(choices) };
  await tx
    .insertInto('mail_settings')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

export type Recipient = Awaited<ReturnType<typeof readRecipients>>[number];

const MAX_OPERATORS = 50;

/** Skips suspended and deleted accounts, unconfirmed addresses, and addresses that the mail server rejects. */
export async function readRecipients(db: Queryable, of: readonly string[] | 'operators') {
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
  return rows.map((row) => ({ ...row, choices: choicesOf(row.choices) }));
}

/** Whether a notice of this kind would be mailed to the person now. */
export async function wouldGet(db: Queryable, accountId: string, kind: NoticeKind): Promise<boolean> {
  const recipients = await readRecipients(db, [accountId]);
  return recipients.some(({ choices }) => isWanted(choices, kind));
}

interface NoticeKey {
  readonly accountId: string;
  readonly kind: NoticeKind;
  readonly about: string;
}

/** Replaces a record only if it is older than `before` (`null`: never). Returns false if it was kept. */
export const takeNotice = (
  tx: Transaction,
  { accountId, kind, about }: NoticeKey,
  { at, before }: { readonly at: Iso; readonly before: Iso | null },
): Promise<boolean> =>
  isFound(
    tx
      .insertInto('notices')
      .values({ account_id: accountId, kind, about, at })
      .onConflict((conflict) => {
        const existing = conflict.columns(['account_id', 'kind', 'about']);
        return before === null
          ? existing.doNothing()
          : existing.doUpdateSet({ at }).where('notices.at', '<', before);
      })
      .returning('at'),
  );

export const countNotices = (
  tx: Transaction,
  { accountId, kind }: Pick<NoticeKey, 'accountId' | 'kind'>,
  since: Iso,
): Promise<number> =>
  countOf(
    tx
      .selectFrom('notices')
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('at', '>', since),
  );

export async function lastNoticeAt(
  db: Queryable,
  { accountId, kind, about }: NoticeKey,
): Promise<Iso | null> {
  const row = await db
    .selectFrom('notices')
    .select('at')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('about', '=', about)
    .executeTakeFirst();
  return row?.at ?? null;
}

export const listNewestNotices = (db: Queryable, accountId: string, limit: number) =>
  db
    .selectFrom('notices')
    .select(['kind', 'at'])
    .where('account_id', '=', accountId)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();

export const deleteOldNotices = (tx: Transaction, before: Iso): Promise<unknown> =>
  tx.deleteFrom('notices').where('at', '<', before).execute();

interface EventRange {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  /** Omits claims without a claimant's account, such as issued claims, of which there may be a million in a row. */
  readonly isOfAccounts?: true;
}

/** Events with `after` < `seq` ≤ `upTo`, oldest first. */
export async function readEventsBetween<T extends EventType>(
  db: DatabaseReader,
  types: readonly T[],
  { after, upTo, limit, isOfAccounts }: EventRange,
): Promise<readonly EventRecord<T>[]> {
  const positions = await DIALECTS[db.engine].inIndexOrder(db.read, (read) =>
    read
      .selectFrom('event_rows')
      .select(['seq', 'at'])
      .where('seq', '>', after)
      .where('seq', '<=', upTo)
      .where('type', 'in', types)
      .$if(isOfAccounts === true, (query) =>
        query.where((eb) => eb.or([eb('claim_seq', 'is', null), eb(claimantOf(eb), 'is not', null)])),
      )
      .orderBy('seq')
      .limit(limit)
      .execute(),
  );
  return await readEventsAt<T>(db, positions);
}

/** A subquery, so that PostgreSQL looks up the claim of each event instead of reading all claims for a join. */
const claimantOf = ({ selectFrom }: ExpressionBuilder<Schema, 'event_rows'>) =>
  selectFrom('claim_rows')
    .select('claim_rows.claimant_number')
    .whereRef('claim_rows.account_number', '=', 'event_rows.account_number')
    .whereRef('claim_rows.seq', '=', 'event_rows.claim_seq');

export type ClaimToMail = Awaited<ReturnType<typeof readClaimsToMail>>[number];

/** Live claims that were not replaced and whose claimant has an account on this service. */
export async function readClaimsToMail(db: Queryable, engine: Engine, ids: readonly string[]) {
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
      'offers.shop_url',
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

export async function readKinds(
  db: Queryable,
  { accountId, isOperator }: { readonly accountId: string; readonly isOperator: boolean },
): Promise<readonly NoticeKind[]> {
  return kindsFor([
    'claimant',
    ...((await hasListing(db, accountId)) ? ['owner' as const] : []),
    ...(isOperator ? ['operator' as const] : []),
  ]);
}

/** Lists the accounts that turned on `kind`, which must be off by default. Ordered by id. */
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
