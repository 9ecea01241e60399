/** Copies a listing to a new draft: its texts, website, offers and pictures, but not its codes, claims and labels. */
import type { Context } from '../../base/context.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import { bytesOfRows, chargeGrowth } from '../../people/growth/growth.ts';
import { Refusal } from '../../platform/errors.ts';
import { message, t } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { idOfNew } from '../../platform/store/form-id.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { namesOf, pick } from '../../platform/text/fields.ts';
import { charactersOf } from '../../platform/text/text-width.ts';
import { addOffer, copiedValues } from '../offers/create.ts';
import { findTooManyOffers } from '../offers/offer.ts';
import { findOffer, findOwnOffer, listOffers, type Offer } from '../offers/queries.ts';
import { findNewest, type PictureRow, readFiles } from '../pictures/queries.ts';
import { requireQuota } from '../pictures/store.ts';
import { readCategories } from './categories.ts';
import { findOwnListing } from './counted-queries.ts';
import { addListing } from './create.ts';
import { LISTING_FIELDS, MAX_LISTING_NAME_LENGTH, MAX_SLUG_LENGTH } from './fields.ts';
import { moveListing } from './move.ts';
import { mostBytesFor, putOwnPicture } from './pictures.ts';
import {
  accountOf,
  type ChangeBy,
  isOperators,
  type Listing,
  type ListingValues,
  lockOwnListing,
  readTakenSlugs,
} from './queries.ts';
import { readTextChanges, withWaitingTexts } from './text-changes.ts';

interface DuplicateListing extends ChangeBy {
  readonly listing: string;
  /** The form's UUIDv7: a form that is sent again returns the copy that it created. */
  readonly formId: string;
}

/** A picture to copy, and the offer of the copy that gets it; `null`: the listing gets it. */
type PictureToCopy = readonly [picture: PictureRow, offerId: string | null];

/**
 * Creates a draft; for an operator, a listing in review. It has what the owner's forms of the listing show, also texts,
 * links and pictures that wait for review: the first review of the copy covers them. Throws a refusal like
 * `createListing`, or if a limit on offers or pictures is exceeded.
 */
export async function duplicateListing(
  context: Context,
  { formId, ...by }: DuplicateListing,
): Promise<Listing> {
  await chargeCopy(context, by, formId);
  const { listing, pictures } = await context.db.transaction((tx) => copyTexts(context, tx, formId, by));
  // One transaction for each, because pictures are large and redemptions wait for the transaction.
  for (const [picture, offerId] of pictures) await copyPicture(context, by, picture, offerId ?? listing.id);
  return listing;
}

/** `id`: the listing or the offer that gets the picture. */
async function copyPicture(context: Context, by: ChangeBy, picture: PictureRow, id: string): Promise<void> {
  const { actor, accountId, asOperator } = by;
  const { kind } = picture;
  const files = await readFiles(context.db.read, picture);
  const target = kind === 'offer' ? { offerId: id, kind } : { listing: id, kind: kind as 'icon' | 'cover' };
  await putOwnPicture(context, { actor, accountId, asOperator, ...target, files });
}

/**
 * Gives a copy of an offer the picture of the original, if the account may see the original. A refusal, for example
 * because the account has too many pictures, leaves the copy without a picture.
 */
export async function copyOfferPicture(
  context: Context,
  { from, offerId, ...by }: ChangeBy & { readonly from: string; readonly offerId: string },
): Promise<void> {
  const accountId = accountOf(by);
  const { read } = context.db;
  try {
    const original =
      accountId === null ? await findOffer(read, from) : await findOwnOffer(read, accountId, from);
    const [picture] = original === null ? [] : await findNewest(read, [original.id]);
    // A form that is sent again must not replace a picture that was added since.
    if (picture === undefined || (await findNewest(read, [offerId])).length > 0) return;
    if (accountId !== null) await chargeGrowth(context, { accountId, bytes: picture.bytes });
    await copyPicture(context, by, picture, offerId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

type By = ChangeBy & { readonly listing: string };

/** Charges what the copy stores in addition to its form. */
async function chargeCopy(context: Context, by: By, formId: string): Promise<void> {
  const accountId = accountOf(by);
  const { read } = context.db;
  const listing = accountId === null ? null : await findOwnListing(read, accountId, by.listing);
  if (accountId === null || listing === null) return;
  const copy = await findOwnListing(read, accountId, idOfNew(context, accountId, formId));
  if (copy !== null) return;
  const offers = await listOffers(read, listing);
  const pictures = await findNewest(read, idsOf(listing, offers));
  const bytes = bytesOfRows([listing, ...offers]) + sizeOf(pictures).bytes;
  await chargeGrowth(context, { accountId, bytes });
}

const idsOf = (listing: Pick<Listing, 'id'>, offers: readonly Offer[]): readonly string[] =>
  [listing, ...offers].map(({ id }) => id);

const sizeOf = (pictures: readonly PictureRow[]) => ({
  pictures: pictures.length,
  bytes: pictures.reduce((sum, { bytes }) => sum + bytes, 0),
});

async function copyTexts(
  context: Context,
  tx: Transaction,
  formId: string,
  by: By,
): Promise<{ readonly listing: Listing; readonly pictures: readonly PictureToCopy[] }> {
  const original = await lockOwnListing(tx, context.db.engine, by);
  const account = original.account_id;
  const added = await addListing(context, tx, await valuesOf(context, tx, original), {
    ...by,
    account,
    formId,
  });
  if (!added.isNew) return { listing: added.listing, pictures: [] };
  const offers = await listOffers(tx, original);
  if (!isOperators(by)) {
    const plan = context.marketplace.plans[(await findAccount(tx, account)).plan];
    const tooMany = findTooManyOffers(offers.length - 1, plan.offersOfListing);
    if (tooMany !== null) throw tooMany;
  }
  const pictures = await findNewest(tx, idsOf(original, offers));
  if (pictures.length > 0) await requireQuota(tx, account, sizeOf(pictures), await mostBytesFor(tx, by));
  const changes = readTextChanges(original);
  const copies = new Map<string, string>();
  let { listing } = added;
  for (const offer of offers) {
    const id = uuidv7(context);
    const latest = withWaitingTexts(offer, changes, offer.id, true);
    const values = copiedValues(latest, context.now());
    ({ listing } = await addOffer(context, tx, { ...by, listing, id, values }));
    copies.set(offer.id, id);
  }
  if (isOperators(by)) {
    // As every listing that an operator creates, so that the operator can approve it.
    const step = { at: context.at(), actor: by.actor, by: 'operator', action: 'submit' } as const;
    listing = await moveListing(tx, listing, step);
  }
  return {
    listing,
    pictures: pictures.map((picture) => [picture, copies.get(picture.subject_id) ?? null] as const),
  };
}

async function valuesOf(context: Context, tx: Transaction, original: Listing): Promise<ListingValues> {
  const latest = withWaitingTexts(original, readTextChanges(original), null, true);
  const categories = await readCategories(tx);
  return {
    ...pick(latest, namesOf(LISTING_FIELDS)),
    name: nameOfCopy(latest.name),
    slug: await findFreeSlug(context, tx, original.slug),
    url: original.proposed_url ?? original.url,
    // The operator may have removed the category.
    category: categories.some(({ id }) => id === latest.category) ? latest.category : null,
  };
}

const COPY = message('{name} (copy)');

/** Shortens the name by whole characters if the name of the copy would be too long. */
function nameOfCopy(name: string): string {
  const characters = [...charactersOf(name)];
  for (;;) {
    const copy = t(COPY, { name: characters.join('').trimEnd() }).trim();
    if ([...copy].length <= MAX_LISTING_NAME_LENGTH) return copy;
    characters.pop();
  }
}

/** Copies with a numbered address; later copies get a random suffix. */
const NUMBERED_COPIES = 20;

async function findFreeSlug(context: Context, db: Queryable, slug: string): Promise<string> {
  const withSuffix = (suffix: string) =>
    `${slug.slice(0, MAX_SLUG_LENGTH - suffix.length).replace(/-$/, '')}${suffix}`;
  const slugs = Array.from({ length: NUMBERED_COPIES }, (_, index) =>
    withSuffix(index === 0 ? '-copy' : `-copy-${index + 1}`),
  );
  const existingSlugs = await readTakenSlugs(db, slugs);
  return (
    slugs.find((candidate) => !existingSlugs.has(candidate)) ?? withSuffix(`-${uuidv7(context).slice(-8)}`)
  );
}
