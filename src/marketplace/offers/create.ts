import type { Context } from '../../base/context.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { type CallKey, idOfCall, idOfNew } from '../../platform/store/form-id.ts';
import { type FieldValues, namesOf, parseFields, pick } from '../../platform/text/fields.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { readTextRule } from '../listings/edit.ts';
import {
  type ChangeBy,
  isOperators,
  type Listing,
  lockOwnListing,
  updateListing,
} from '../listings/queries.ts';
import { readTextChanges, textColumns, withNewOffer } from '../listings/text-changes.ts';
import { appendOfferChange, changeLink, refuseForeignShop, refuseRejected } from './edit.ts';
import { OFFER_FIELDS, type OfferTexts } from './fields.ts';
import {
  findTooManyOffers,
  NO_LINKS,
  refusePastEnd,
  refuseStartAfterEnd,
  requireLinkOrCode,
} from './offer.ts';
import { insertOffer, listOffers, type Offer } from './queries.ts';
import { linkOrigin } from './redemption-link.ts';

/** An empty field is treated like a missing one: the offer has no value for it. */
interface CreateOffer extends OfferTexts, ChangeBy {
  readonly listing: string;
  /** The form's UUIDv7: a form that is sent again returns the offer that it created. Ignored if it is not a UUID. */
  readonly formId?: string | undefined;
  /** A call that is repeated returns the offer that it created. */
  readonly call?: CallKey | undefined;
}

/**
 * If the listing has a pinned origin, an owner's link with a different origin needs approval by the operator. Before
 * the approval, claims get only a code; an offer without codes is in review.
 */
export async function createOffer(context: Context, input: CreateOffer): Promise<Offer> {
  const { timeZone } = context.marketplace;
  const typed = parseFields(OFFER_FIELDS, input, timeZone);
  refusePastEnd(typed.ends_at, { now: context.now(), timeZone });
  refuseStartAfterEnd(typed, timeZone);
  requireLinkOrCode(typed);
  return await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input);
    const { call, formId } = input;
    const offers = await listOffers(tx, listing);
    const id =
      call === undefined
        ? idOfNew(context, listing.account_id, formId)
        : idOfCall(
            context,
            listing.id,
            call,
            offers.map((offer) => offer.id),
          );
    const existing = offers.find((offer) => offer.id === id);
    if (existing !== undefined) return existing;
    if (input.actor !== 'operator') {
      refuseRejected(listing);
      // The limits of a plan apply to the owner, not to operators.
      const plan = isOperators(input) ? null : (await findAccount(tx, listing.account_id)).plan;
      const ofPlan = plan && context.marketplace.plans[plan].offersOfListing;
      const tooMany = findTooManyOffers(offers.length, ofPlan);
      if (tooMany !== null) throw tooMany;
    }
    const { offer } = await addOffer(context, tx, { ...input, listing, id, values: typed });
    return offer;
  });
}

/**
 * The values of a copy of an offer. `latest`: the offer with the texts that wait for review. Times in the past are left
 * out, because a new offer can't have ended.
 */
export function copiedValues(latest: Offer, now: number): FieldValues<typeof OFFER_FIELDS> {
  const ifAhead = (at: string | null) => (at !== null && Date.parse(at) > now ? at : null);
  return {
    ...pick(latest, namesOf(OFFER_FIELDS)),
    redemption_link: latest.proposed_link ?? latest.redemption_link,
    starts_at: ifAhead(latest.starts_at),
    ends_at: ifAhead(latest.ends_at),
  };
}

/** `values`: parsed. The caller must hold the lock of the listing. Returns the changed listing, too. */
export async function addOffer(
  context: Context,
  tx: Transaction,
  input: ChangeBy & {
    readonly listing: Listing;
    readonly id: string;
    readonly values: FieldValues<typeof OFFER_FIELDS>;
  },
): Promise<{ readonly offer: Offer; readonly listing: Listing }> {
  const { listing, id } = input;
  const { redemption_link: link, ...values } = input.values;
  const now = context.now();
  const at = toIso(now);
  refuseForeignShop(values.shop_url, listing, input);
  const rule = await readTextRule(tx, listing, input, now);
  const waits = rule === 'wait';
  const links = changeLink(link, NO_LINKS, listing, input, at);
  const offer: Offer = {
    id,
    account_id: listing.account_id,
    listing_id: listing.id,
    ...values,
    ...links,
    hidden_since: waits ? at : null,
    paused_at: null,
    created_at: at,
  };
  await insertOffer(tx, offer);
  const changes = readTextChanges(listing);
  const listed = waits || rule === 'list' ? withNewOffer(changes, id, rule) : changes;
  const changed = await updateListing(tx, listing, textColumns(listed, listing, at), at);
  await appendOfferChange(
    tx,
    { ...input, offer, listing, at },
    {
      change: 'created',
      kind: values.kind,
      origin: link === null ? null : linkOrigin(link),
      ...(waits || links.proposed_link !== null ? { waits: true } : {}),
      ...(rule === 'list' && { isListed: true }),
    },
  );
  return { offer, listing: changed };
}
