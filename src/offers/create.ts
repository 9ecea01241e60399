import type { Context } from '../context.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { findListing } from '../listings/queries.ts';
import { uuidv7 } from '../store/uuid.ts';
import { parseCode, parseKind, parseOfferText, requireLinkOrCode } from './offer.ts';
import { insertOffer, type Offer } from './queries.ts';
import { parseRedemptionLink } from './redemption-link.ts';

export interface CreateOffer {
  /** Slug or id. */
  readonly listing: string;
  /** The text that names the offer. */
  readonly offer: string;
  readonly kind: string;
  readonly redemptionLink?: string | undefined;
  /** The shared code for checkout. */
  readonly code?: string | undefined;
  readonly actor: Actor;
}

/** Refuses an offer with neither a redemption link nor a shared code. */
export async function createOffer(context: Context, input: CreateOffer): Promise<Offer> {
  const at = new Date(context.now()).toISOString();
  const text = parseOfferText(input.offer);
  const kind = parseKind(input.kind);
  // The link may have another origin than the one that approval pinned: this verb is the operator's, and who
  // runs it approves the link by doing so.
  const link = input.redemptionLink === undefined ? null : parseRedemptionLink(input.redemptionLink);
  const code = input.code === undefined ? null : parseCode(input.code);
  requireLinkOrCode(link?.template ?? null, code);
  const id = uuidv7(context);
  return await context.db.transaction(async (tx) => {
    const listing = await findListing(tx, input.listing);
    const offer: Offer = {
      id,
      account_id: listing.account_id,
      listing_id: listing.id,
      offer: text,
      kind,
      redemption_link: link?.template ?? null,
      code,
      ends_at: null,
      claim_limit: null,
      paused_at: null,
      created_at: at,
    };
    await insertOffer(tx, offer);
    await appendEvent(tx, {
      accountId: listing.account_id,
      type: 'offer.changed',
      at,
      actor: input.actor,
      subjectId: id,
      data: { change: 'created', listing: listing.slug, offer: text, kind, origin: link?.origin ?? null },
    });
    return offer;
  });
}
