import { refuseDeleted } from '../accounts/account.ts';
import { findAccount, lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { invalid, Refusal } from '../errors.ts';
import type { Actor } from '../events/queries.ts';
import { uuidv7 } from '../store/uuid.ts';
import { parseFields } from '../text/fields.ts';
import { quote } from '../text/text.ts';
import { requireCategory } from './categories.ts';
import { LISTING_FIELDS, type ListingTexts } from './fields.ts';
import { MAX_LISTINGS_OF_ACCOUNT } from './listing.ts';
import { moveListing } from './move.ts';
import { appendListingEvent, countListings, insertListing, type Listing } from './queries.ts';

interface CreateListing extends ListingTexts {
  readonly account: string;
  /** The state to move it to in the same transaction. Without it, the listing stays a draft. */
  readonly upTo?: 'pending' | 'approved';
  readonly actor: Actor;
}

export class TooManyListings extends Refusal {
  constructor() {
    super('invalid_request', `An account has at most ${MAX_LISTINGS_OF_ACCOUNT} listings.`);
    this.name = 'TooManyListings';
  }
}

/** Refuses a slug that another listing has, an unknown owner, and an owner with too many listings. */
export async function createListing(context: Context, input: CreateListing): Promise<Listing> {
  const at = context.at();
  const values = parseFields(LISTING_FIELDS, input, context.marketplace.timeZone);
  const id = uuidv7(context);
  return await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    refuseDeleted(account);
    if (input.actor !== 'operator') {
      await lockAccount(tx, context.db.engine, account.id);
      if ((await countListings(tx, account.id)) >= MAX_LISTINGS_OF_ACCOUNT) throw new TooManyListings();
    }
    const category = values.category && (await requireCategory(tx, values.category));
    const draft = await insertListing(tx, {
      id,
      account_id: account.id,
      ...values,
      category,
      created_at: at,
    });
    if (draft === null) throw invalid(`There is already a listing with the slug ${quote(values.slug)}.`);
    const step = { at, actor: input.actor };
    await appendListingEvent(tx, draft, step, 'listing.created', { url: values.url });
    if (input.upTo === undefined) return draft;
    const pending = await moveListing(tx, draft, { ...step, action: 'submit' });
    return input.upTo === 'pending'
      ? pending
      : await moveListing(tx, pending, { ...step, action: 'approve' });
  });
}
