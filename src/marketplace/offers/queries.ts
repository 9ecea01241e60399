/** The counts in `offer_claims` are exact: each transaction that changes claims or codes also updates the counts. */

import type { ExpressionBuilder, InferResult, Selectable } from 'kysely';
import { Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import {
  type Engine,
  type IdPage,
  isFound,
  type Queryable,
  type Transaction,
} from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import type { Schema } from '../../platform/store/schema.ts';
import type { ListingsTable, OffersTable } from '../../platform/store/tables/listings.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { namesOf, pick } from '../../platform/text/fields.ts';
import { quote } from '../../platform/text/text.ts';
import { deletePicturesOf } from '../pictures/queries.ts';
import { MAX_CODE_LENGTH, OFFER_FIELDS } from './fields.ts';
import { NO_LINK_PROPOSAL } from './offer.ts';
import { linkOrigin } from './redemption-link.ts';

export type Offer = Omit<
  Selectable<OffersTable>,
  'number' | 'account_number' | 'wording_number' | 'code_key'
>;

/** All columns except the code key and the numbers, which other tables use as compact ids. */
const COLUMNS = (
  [
    'id',
    'account_id',
    'listing_id',
    ...namesOf(OFFER_FIELDS),
    'proposed_link',
    'proposed_at',
    'declined_reason',
    'hidden_since',
    'paused_at',
    'created_at',
  ] as const satisfies readonly (keyof Offer)[]
).map((column) => `offers.${column}` as const);

type OfferListing = Pick<Selectable<ListingsTable>, 'id' | 'account_id'>;

export async function insertOffer(tx: Transaction, offer: Offer): Promise<void> {
  const account_number = await readAccountNumber(tx, offer.account_id);
  const wording_number = await numberOfWording(tx, offer);
  await tx
    .insertInto('offers')
    .values({ ...offer, account_number, wording_number })
    .execute();
}

/**
 * Returns the number of a wording (text and kind), and stores the wording if it is new. Keeps earlier wordings, because
 * claims refer to them. The caller must lock the listing.
 */
async function numberOfWording(
  tx: Transaction,
  { id, offer, kind }: Pick<Offer, 'id' | 'offer' | 'kind'>,
): Promise<number> {
  const existing = await tx
    .selectFrom('offer_wordings')
    .select('number')
    .where('offer_id', '=', id)
    .where('kind', '=', kind)
    .where('offer', '=', offer)
    .executeTakeFirst();
  if (existing !== undefined) return existing.number;
  const inserted = await tx
    .insertInto('offer_wordings')
    .values({ offer_id: id, offer, kind })
    .returning('number')
    .executeTakeFirstOrThrow();
  return inserted.number;
}

/** Finds an offer of any account. Throws a refusal if the id is unknown. */
export async function findOffer(db: Queryable, id: string): Promise<Offer> {
  const row = isUuid(id)
    ? await db.selectFrom('offers').select(COLUMNS).where('id', '=', id.toLowerCase()).executeTakeFirst()
    : undefined;
  if (row === undefined) throw unknown(id);
  return row;
}

const unknown = (id: string) =>
  new Refusal('unknown_offer', message('There is no offer with the id {id}.', { id: quote(id) }));

/** Offers of any account, with the names of their listings. */
export const readOfferNames = async (db: Queryable, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : await db
        .selectFrom('offers')
        .innerJoin('listings', 'listings.id', 'offers.listing_id')
        .select(['offers.id', 'offers.offer', 'offers.listing_id', 'listings.name as listing'])
        .select(['listings.account_id', 'listings.visibility'])
        .where('offers.id', 'in', ids)
        .execute();

export async function findOfferOf(db: Queryable, listing: OfferListing, id: string): Promise<Offer> {
  const offer = await findOffer(db, id);
  if (offer.listing_id !== listing.id || offer.account_id !== listing.account_id) throw unknown(id);
  return offer;
}

/** `null` if the account has no offer with this id. */
export async function findOwnOffer(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<CountedOffer | null> {
  if (!isUuid(id)) return null;
  const row = await countedOffers(db)
    .where('offers.account_id', '=', accountId)
    .where('offers.id', '=', id.toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

/** The link that test claims of the account's oldest offer with a link open; `null` if no offer has a link. */
export async function findLinkForTests(db: Queryable, accountId: string): Promise<string | null> {
  const offer = await db
    .selectFrom('offers')
    .select(['test_link', 'redemption_link'])
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('test_link', 'is not', null), eb('redemption_link', 'is not', null)]))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return offer?.test_link ?? offer?.redemption_link ?? null;
}

const MAX_OFFERS_FOUND = 20;

/** Finds offers by their shared code, ignoring case. Newest first. Scans the whole table, which is small. */
export async function findOffersByCode(db: Queryable, code: string) {
  if (code === '' || code.length > MAX_CODE_LENGTH || !code.isWellFormed()) return [];
  return db
    .selectFrom('offers')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .select([
      'offers.id',
      'offers.offer',
      'listings.name as listing',
      'offers.listing_id',
      'accounts.name as owner',
    ])
    .where(({ fn }) => fn<string>('lower', ['offers.code']), '=', code.toLowerCase())
    .orderBy('offers.id', 'desc')
    .limit(MAX_OFFERS_FOUND)
    .execute();
}

export const offersWithCounts = (db: Queryable) =>
  db
    .selectFrom('offers')
    .leftJoin('offer_claims', (join) =>
      join
        .onRef('offer_claims.account_number', '=', 'offers.account_number')
        .onRef('offer_claims.offer_id', '=', 'offers.id'),
    )
    .select(({ fn, ref, val }) =>
      (['claims', 'codes_left', 'codes_given'] as const).map((count) =>
        fn.coalesce(ref(`offer_claims.${count}`), val(0)).as(count),
      ),
    );

export const countedOffers = (db: Queryable) => offersWithCounts(db).select(COLUMNS);

/** `claims` counts only live claims, not test claims. */
export type CountedOffer = InferResult<ReturnType<typeof countedOffers>>[number];

/** Ordered by creation. */
export async function listCountedOffers(
  db: Queryable,
  listings: readonly OfferListing[],
  { after, limit }: IdPage = {},
): Promise<CountedOffer[]> {
  if (listings.length === 0) return [];
  const ids = listings.map(({ id }) => id);
  return await countedOffers(db)
    .where('offers.listing_id', 'in', ids)
    .$if(after !== undefined, (query) => query.where('offers.id', '>', after!))
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .orderBy('offers.id')
    .execute();
}

export type WatchedOffer = CountedOffer & {
  /** Name of the listing. */
  readonly listing: string;
};

/** Unpaused offers of approved listings. Each has a code list, a claim limit, or an end between `at` and `soon`. */
export const listOffersToWatch = (
  db: Queryable,
  { at, soon, after, limit }: IdPage & { readonly at: string; readonly soon: string; readonly limit: number },
): Promise<WatchedOffer[]> =>
  countedOffers(db)
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .select('listings.name as listing')
    .where('listings.state', '=', 'approved')
    .where('offers.paused_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('offers.code_list', 'is not', null),
        eb('offers.claim_limit', 'is not', null),
        eb.between('offers.ends_at', at, soon),
      ]),
    )
    .$if(after !== undefined, (query) => query.where('offers.id', '>', after!))
    .orderBy('offers.id')
    .limit(limit)
    .execute();

export const listOffers = (db: Queryable, listing: OfferListing): Promise<Offer[]> =>
  db
    .selectFrom('offers')
    .select(COLUMNS)
    .where('listing_id', '=', listing.id)
    .where('account_id', '=', listing.account_id)
    .orderBy('id')
    .execute();

/** Whether the offer has live or test claims. Locks the offer, so that new claims wait until the transaction ends. */
export async function hasClaims(tx: Transaction, engine: Engine, offer: Pick<Offer, 'id' | 'account_id'>) {
  await DIALECTS[engine].takeLock(tx, offer.id);
  const { number, account_number } = await tx
    .selectFrom('offers')
    .select(['number', 'account_number'])
    .where('id', '=', offer.id)
    .executeTakeFirstOrThrow();
  return await isFound(
    tx
      .selectFrom('claim_rows')
      .select('seq')
      .where('account_number', '=', account_number)
      .where('offer_number', '=', number)
      .limit(1),
  );
}

export async function deleteOfferRows(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const account = tx.selectFrom('offers').select('account_number').where('id', 'in', ids);
  for (const { account_number } of await account.distinct().execute()) {
    const codes = tx.deleteFrom('offer_codes').where('account_number', '=', account_number);
    await codes.where('offer_id', 'in', ids).execute();
  }
  await deletePicturesOf(tx, ids);
  await tx.deleteFrom('waiting_people').where('offer_id', 'in', ids).execute();
  await tx.deleteFrom('offers').where('id', 'in', ids).execute();
  await tx.deleteFrom('offer_wordings').where('offer_id', 'in', ids).execute();
}

export type OfferChange = Partial<Omit<Offer, 'id' | 'account_id' | 'listing_id' | 'created_at'>>;

/** The caller must lock the listing and call `updateListing`, which refuses the second of two concurrent changes. */
export async function updateOffer(tx: Transaction, offer: Offer, change: OfferChange): Promise<Offer> {
  const isReworded = change.offer !== undefined || change.kind !== undefined;
  const wording = isReworded ? { wording_number: await numberOfWording(tx, { ...offer, ...change }) } : {};
  return await tx
    .updateTable('offers')
    .set({ ...change, ...wording })
    .where('id', '=', offer.id)
    .where('account_id', '=', offer.account_id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** The change that publishes a proposed link, unless it was declined. `origin`: only a link with this origin. */
export const publishedLink = (
  { proposed_link, declined_reason }: Pick<Offer, 'proposed_link' | 'declined_reason'>,
  origin: string | null,
): OfferChange =>
  proposed_link !== null &&
  declined_reason === null &&
  (origin === null || linkOrigin(proposed_link) === origin)
    ? { redemption_link: proposed_link, ...NO_LINK_PROPOSAL }
    : {};

/** The columns that a decision may change. */
const DECIDED_COLUMNS = [
  'id',
  ...namesOf(OFFER_FIELDS),
  'proposed_link',
  'proposed_at',
  'declined_reason',
  'hidden_since',
] as const;

export type OfferBefore = Pick<Offer, (typeof DECIDED_COLUMNS)[number]>;

export const beforeDecision = (offer: Offer): OfferBefore => pick(offer, DECIDED_COLUMNS);

/** Returns the previous values of the changed offers, for `restoreOffers`. */
export async function changeOffers(
  tx: Transaction,
  listing: OfferListing,
  changeOf: (offer: Offer) => OfferChange,
): Promise<OfferBefore[]> {
  const changed: OfferBefore[] = [];
  for (const offer of await listOffers(tx, listing)) {
    const change = changeOf(offer);
    if (Object.keys(change).length === 0) continue;
    await updateOffer(tx, offer, change);
    changed.push(beforeDecision(offer));
  }
  return changed;
}

export async function restoreOffers(
  tx: Transaction,
  listing: OfferListing,
  before: readonly OfferBefore[],
): Promise<void> {
  const old = new Map(before.map(({ id, ...values }) => [id, values]));
  await changeOffers(tx, listing, ({ id }) => old.get(id) ?? {});
}

/** SQL condition for offers whose `offerState` is `open`. Ignores the claim limit and the number of codes left. */
export const isOpenBelowLimit = (eb: ExpressionBuilder<Schema, 'offers'>, at: string) =>
  eb.and([
    eb('offers.hidden_since', 'is', null),
    eb.or([
      eb('offers.redemption_link', 'is not', null),
      eb('offers.code', 'is not', null),
      eb('offers.code_list', 'is not', null),
    ]),
    eb('offers.paused_at', 'is', null),
    eb.or([eb('offers.starts_at', 'is', null), eb('offers.starts_at', '<=', at)]),
    eb.or([eb('offers.ends_at', 'is', null), eb('offers.ends_at', '>', at)]),
  ]);
