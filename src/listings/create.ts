import { findAccount, lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { invalid, Refusal } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { uuidv7 } from '../store/uuid.ts';
import { optional, quote } from '../text.ts';
import {
  MAX_LISTINGS_OF_ACCOUNT,
  parseDescription,
  parseListingName,
  parseListingUrl,
  parseSlug,
  parseSummary,
} from './listing.ts';
import { moveListing } from './move.ts';
import { countListings, insertListing, type Listing } from './queries.ts';

export interface CreateListing {
  /** Id or e-mail address of the owner. */
  readonly account: string;
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  /** One line that says what the app is. */
  readonly summary?: string | null | undefined;
  /** Plain text about the app. */
  readonly description?: string | null | undefined;
  /** The state it reaches in the same transaction; a draft unless set. */
  readonly upTo?: 'pending' | 'approved';
  readonly actor: Actor;
}

/** An account has as many listings as it may have. */
export class TooManyListings extends Refusal {
  constructor() {
    super('invalid_request', `An account has at most ${MAX_LISTINGS_OF_ACCOUNT} listings.`);
    this.name = 'TooManyListings';
  }
}

/** Refuses a slug that another listing has, an unknown owner, and an owner with too many listings. */
export async function createListing(context: Context, input: CreateListing): Promise<Listing> {
  const at = new Date(context.now()).toISOString();
  const slug = parseSlug(input.slug);
  const name = parseListingName(input.name);
  const { url } = parseListingUrl(input.url);
  const summary = optional(input.summary, parseSummary);
  const description = optional(input.description, parseDescription);
  const id = uuidv7(context);
  return await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    if (input.actor !== 'operator') {
      await lockAccount(tx, context.db.engine, account.id);
      if ((await countListings(tx, account.id)) >= MAX_LISTINGS_OF_ACCOUNT) throw new TooManyListings();
    }
    const draft = await insertListing(tx, {
      id,
      account_id: account.id,
      slug,
      name,
      summary,
      description,
      url,
      state: 'draft',
      reason: null,
      origin: null,
      created_at: at,
      submitted_at: null,
      decided_at: null,
      proposed_url: null,
      proposed_at: null,
      declined_reason: null,
      last_live: null,
      asked: null,
      reply: null,
      undo: null,
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
