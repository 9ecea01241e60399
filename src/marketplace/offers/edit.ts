import type { Context } from '../../base/context.ts';
import type { Exactly, RestOfData } from '../../base/events/catalogue.ts';
import { appendEdit, type PersonActor } from '../../base/events/queries.ts';
import { invalid, nothingThere, tried } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { namesOf, parseChanges, pick } from '../../platform/text/fields.ts';
import { readTextRule } from '../listings/edit.ts';
import { leavesPinnedOrigin } from '../listings/listing.ts';
import {
  accountOf,
  type ChangeBy,
  isOperators,
  type Listing,
  lockListing,
  requireSeen,
  updateListing,
} from '../listings/queries.ts';
import {
  planTexts,
  readTextChanges,
  ruleFor,
  type TextChanges,
  type TextRule,
  textColumns,
  withoutOffer,
  withWaitingTexts,
} from '../listings/text-changes.ts';
import { deleteCodesOf } from './delete-codes.ts';
import { LOGGED_OFFER_FIELDS, OFFER_FIELDS, type OfferTexts } from './fields.ts';
import {
  isOfferDeletable,
  NO_LINK_PROPOSAL,
  type OfferLinks,
  refusePastEnd,
  refuseStartAfterEnd,
  requireLinkOrCode,
} from './offer.ts';
import {
  deleteOfferRows,
  findOffer,
  findOfferOf,
  findOwnOffer,
  hasClaims,
  listOffers,
  type Offer,
  type OfferChange,
  updateOffer,
} from './queries.ts';
import { linkOrigin, parseRedemptionLink } from './redemption-link.ts';

export interface OfferToChange extends ChangeBy {
  readonly offerId: string;
  /** The listing's version when the owner opened the form. The change is refused if the listing has changed since. */
  readonly version?: number | undefined;
}

/** Missing fields keep their value; empty and `null` fields are cleared. */
export type EditOffer = OfferToChange & OfferTexts;

/** Setting the live link again withdraws the proposed link (see `changeLink`). */
export async function editOffer(context: Context, input: EditOffer): Promise<Offer> {
  const { timeZone } = context.marketplace;
  const { redemption_link: link, ...values } = parseChanges(OFFER_FIELDS, input, timeZone);
  return await changeOffer(context, input, (offer, listing, { at, rule }) => {
    const before = readTextChanges(listing);
    const links = link === undefined ? {} : changeLink(link, offer, listing, input, at);
    const { columns, changes } = planEdit(offer, { values, links, changes: before, rule });
    const next: Offer = { ...offer, ...columns };
    requireLinkOrCode(partsOf(withWaitingTexts({ ...offer, ...values, ...links }, changes, offer.id)));
    requireLinkOrCode(partsOf(next));
    if (next.shop_url !== offer.shop_url) refuseForeignShop(next.shop_url, listing, input);
    if (next.ends_at !== offer.ends_at) refusePastEnd(next.ends_at, { now: context.now(), timeZone });
    if (next.starts_at !== offer.starts_at || next.ends_at !== offer.ends_at)
      refuseStartAfterEnd(next, timeZone);
    const textsBefore = withWaitingTexts(offer, before, offer.id);
    const textsAfter = withWaitingTexts(next, changes, offer.id);
    const fields = EDITABLE.filter(
      (field) => next[field] !== offer[field] || textsAfter[field] !== textsBefore[field],
    );
    const texts = textColumns(changes, listing, at);
    if (fields.length === 0 && texts.text_changes === listing.text_changes) return null;
    const logged = LOGGED_OFFER_FIELDS.filter((field) => fields.includes(field));
    const newLink = next.proposed_link ?? next.redemption_link;
    const event = {
      change: 'edited',
      fields,
      from: pick(textsBefore, logged),
      to: pick(textsAfter, logged),
      ...(fields.some((field) => LINKS.includes(field))
        ? { origin: newLink === null ? null : linkOrigin(newLink), waits: next.proposed_link !== null }
        : {}),
      ...(fields.some((field) => textsAfter[field] !== next[field]) && { waits: true }),
      ...(rule === 'list' && { isListed: true as const }),
    } as const;
    return { columns, texts, event };
  });
}

interface OfferEdit {
  readonly values: Partial<OfferTextValues>;
  readonly links: Partial<OfferLinks>;
  readonly changes: TextChanges;
  readonly rule: TextRule;
}

/** Splits an edit into the columns that change immediately and the texts that wait for the operator. */
function planEdit(offer: Offer, { values, links, changes, rule }: OfferEdit) {
  /** `waiting`: fields that wait although their own rule lets them change immediately. */
  const split = (waiting: readonly string[]) =>
    planTexts<OfferTextValues>({
      changes,
      subject: offer.id,
      live: offer,
      typed: { ...values, ...(waiting.includes('redemption_link') && { redemption_link: null }) },
      ruleOf: (field) => (waiting.includes(field) ? 'wait' : ruleFor(OFFER_FIELDS[field].review, rule)),
    });
  const plan = split([]);
  const columns = { ...plan.columns, ...links };
  if (rule !== 'wait' || isComplete({ ...offer, ...columns })) return { columns, changes: plan.changes };
  // The live offer needs its link or its kind of codes until the new codes are approved.
  const endsLink = columns.redemption_link === null && offer.redemption_link !== null;
  if (endsLink) return split(['code_list', 'redemption_link']);
  const later = split(['code_list']);
  return { columns: { ...later.columns, ...links }, changes: later.changes };
}

const partsOf = (offer: Offer): Offer => ({
  ...offer,
  redemption_link: offer.redemption_link ?? offer.proposed_link,
});

const isComplete = (offer: Offer): boolean => tried(() => requireLinkOrCode(partsOf(offer))) === undefined;

const LINKS: readonly (keyof Offer)[] = ['redemption_link', 'proposed_link'];
const EDITABLE = [...namesOf(OFFER_FIELDS), 'proposed_link'] as const;

/** Stops new claims until the offer is resumed. Existing claims stay redeemable. Does nothing if already paused. */
export const pauseOffer = (context: Context, input: OfferToChange): Promise<Offer> =>
  changeOffer(context, input, ({ paused_at }, _, { at }) =>
    paused_at === null ? { columns: { paused_at: at }, event: { change: 'paused' } } : null,
  );

/** Does nothing if the offer is not paused. */
export const resumeOffer = (context: Context, input: OfferToChange): Promise<Offer> =>
  changeOffer(context, input, ({ paused_at }) =>
    paused_at === null ? null : { columns: { paused_at: null }, event: { change: 'resumed' } },
  );

/** Nobody sees a hidden offer, so its texts change immediately. Its approval covers them. */
const ruleOfOffer = ({ hidden_since }: Offer, rule: TextRule): TextRule =>
  hidden_since === null || rule === 'approve' ? rule : 'free';

type OfferTextValues = Pick<Offer, keyof typeof OFFER_FIELDS>;

interface PlannedChange {
  readonly columns: OfferChange;
  readonly texts?: Pick<Listing, 'text_changes' | 'texts_changed_at'>;
  readonly event: OfferChangeData;
}

/** `plan` returns `null` if nothing changes. */
async function changeOffer(
  context: Context,
  input: OfferToChange,
  plan: (
    offer: Offer,
    listing: Listing,
    by: { readonly at: string; readonly rule: TextRule },
  ) => PlannedChange | null,
): Promise<Offer> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const { offer, listing } = await lockOfferToChange(context, tx, input);
    const rule = await readTextRule(tx, listing, input, context.now());
    const planned = plan(offer, listing, { at, rule: ruleOfOffer(offer, rule) });
    if (planned === null) return offer;
    const isChanged = Object.keys(planned.columns).length > 0;
    const changed = isChanged ? await updateOffer(tx, offer, planned.columns) : offer;
    await updateListing(tx, listing, planned.texts ?? {}, at);
    await appendOfferChange(tx, { ...input, offer, listing, at }, planned.event);
    return changed;
  });
}

/** Keeps the events of the offer. Refuses to delete an offer that was live (see `isOfferDeletable`) or has claims. */
export async function deleteOffer(context: Context, input: OfferToChange): Promise<void> {
  const at = context.at();
  await deleteCodesOf(context, async (tx) => [(await lockDeletable(context, tx, input)).offer]);
  await context.db.transaction(async (tx) => {
    const { offer, listing } = await lockDeletable(context, tx, input);
    await deleteOfferRows(tx, [offer.id]);
    const changes = withoutOffer(readTextChanges(listing), offer.id);
    await updateListing(tx, listing, textColumns(changes, listing, at), at);
    await appendOfferChange(tx, { offer, listing, at, actor: input.actor }, { change: 'deleted' });
  });
}

async function lockDeletable(context: Context, tx: Transaction, input: OfferToChange) {
  const { offer, listing } = await lockOfferToChange(context, tx, input);
  if (!isOfferDeletable(offer, listing)) {
    throw invalid(message('An offer that was live cannot be deleted. Pause it instead.'));
  }
  if (listing.state === 'pending' && (await listOffers(tx, listing)).length === 1) {
    throw invalid(message('The only offer of a listing in review cannot be deleted.'));
  }
  if (await hasClaims(tx, context.db.engine, offer)) {
    throw invalid(
      message('The offer has claims (test claims count too), so it cannot be deleted. Pause it instead.'),
    );
  }
  return { offer, listing };
}

/** Locks an offer and its listing. Accounts can change only their own offers. */
export async function lockOfferToChange(
  context: Context,
  tx: Transaction,
  input: OfferToChange,
): Promise<{ readonly offer: Offer; readonly listing: Listing }> {
  const accountId = accountOf(input);
  const ownOffer =
    accountId === null
      ? await findOffer(tx, input.offerId)
      : await findOwnOffer(tx, accountId, input.offerId);
  if (ownOffer === null) throw nothingThere();
  const listing = await lockListing(tx, context.db.engine, ownOffer.listing_id);
  // The listing was transferred to another account before this transaction got the lock.
  if (accountId !== null && listing.account_id !== accountId) throw nothingThere();
  requireSeen(listing, input.version);
  refuseRejected(listing);
  // Waits for concurrent claims on the offer.
  await DIALECTS[context.db.engine].takeLock(tx, ownOffer.id);
  // Reads the offer again, since it may have changed before this transaction got the lock.
  return { listing, offer: await findOfferOf(tx, listing, ownOffer.id) };
}

type OfferChangeData = RestOfData<'offer.changed', 'listing' | 'offer' | 'by'>;

/** `offer`: the state before the change, or the new offer. */
export const appendOfferChange = <const D extends OfferChangeData>(
  tx: Transaction,
  of: {
    readonly offer: Pick<Offer, 'id' | 'account_id' | 'offer'>;
    readonly listing: { readonly slug: string };
    readonly at: string;
    readonly actor: PersonActor;
    readonly asOperator?: true | undefined;
  },
  { change, ...data }: Exactly<'offer.changed', D>,
): Promise<void> =>
  appendEdit(tx, {
    accountId: of.offer.account_id,
    type: 'offer.changed',
    at: of.at,
    actor: of.actor,
    subjectId: of.offer.id,
    data: {
      change,
      listing: of.listing.slug,
      offer: of.offer.offer,
      ...(isOperators(of) && { by: 'operator' }),
      ...data,
      // The compiler has checked the caller's data, and can't see that the other members complete it.
    } as never,
  });

export function refuseRejected(listing: Pick<Listing, 'state'>): void {
  if (listing.state === 'rejected') {
    throw invalid(message('The offers of a rejected listing cannot be changed.'));
  }
}

/** Shop URLs go live without review. Once an origin is pinned, only operators can use another origin. */
export function refuseForeignShop(
  shopUrl: string | null,
  listing: Pick<Listing, 'origin'>,
  by: Pick<ChangeBy, 'actor' | 'asOperator'>,
): void {
  if (shopUrl === null || isOperators(by)) return;
  if (leavesPinnedOrigin(listing.origin, linkOrigin(shopUrl))) {
    throw invalid(
      message(
        'The shop URL must be on {origin}, the approved website. Ask <operator>the operator of this marketplace</operator> to set a different one.',
        { origin: listing.origin ?? '' },
      ),
    );
  }
}

/**
 * A link goes live immediately if it has the pinned origin, if no origin is pinned yet, or if an operator sets it. Any
 * other link waits for approval, and the live link stays in use.
 */
export function changeLink(
  text: string | null,
  { redemption_link, proposed_link, proposed_at, declined_reason }: OfferLinks,
  listing: Pick<Listing, 'origin'>,
  by: Pick<ChangeBy, 'actor' | 'asOperator'>,
  at: string,
): OfferLinks {
  // The form was sent with the proposed link unchanged. The link keeps its place in the review queue.
  if (text !== null && text === proposed_link) {
    return { redemption_link, proposed_link, proposed_at, declined_reason };
  }
  if (text === null || text === redemption_link) return { redemption_link: text, ...NO_LINK_PROPOSAL };
  const { template, origin } = parseRedemptionLink(text);
  if (isOperators(by) || !leavesPinnedOrigin(listing.origin, origin)) {
    return { redemption_link: template, ...NO_LINK_PROPOSAL };
  }
  return { redemption_link, proposed_link: template, proposed_at: at, declined_reason: null };
}
