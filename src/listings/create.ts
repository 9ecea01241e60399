import { findAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { uuidv7 } from '../store/uuid.ts';
import { quote } from '../text.ts';
import { parseListingName, parseListingUrl, parseSlug } from './listing.ts';
import { moveListing } from './move.ts';
import { insertListing, type Listing } from './queries.ts';

export interface CreateListing {
  /** Id or e-mail address of the owner. */
  readonly account: string;
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  /** How far it goes at once, in the same transaction; a draft unless set. */
  readonly upTo?: 'pending' | 'approved';
  readonly actor: Actor;
}

/** Refuses a slug that another listing has, and an owner there is none of. */
export async function createListing(context: Context, input: CreateListing): Promise<Listing> {
  const at = new Date(context.now()).toISOString();
  const slug = parseSlug(input.slug);
  const name = parseListingName(input.name);
  const { url } = parseListingUrl(input.url);
  const id = uuidv7(context);
  return await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    const draft = await insertListing(tx, {
      id,
      account_id: account.id,
      slug,
      name,
      url,
      state: 'draft',
      reason: null,
      origin: null,
      created_at: at,
      submitted_at: null,
      decided_at: null,
    });
    if (draft === null) throw invalid(`There is a listing with the slug ${quote(slug)} already.`);
    await appendEvent(tx, {
      accountId: account.id,
      type: 'listing.created',
      at,
      actor: input.actor,
      subjectId: id,
      data: { slug, url },
    });
    if (input.upTo === undefined) return draft;
    const pending = await moveListing(tx, draft, { action: 'submit', at, actor: input.actor });
    if (input.upTo === 'pending') return pending;
    return await moveListing(tx, pending, { action: 'approve', at, actor: input.actor });
  });
}
