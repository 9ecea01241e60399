import type { Context } from '../../base/context.ts';
import { copyOfferPicture } from '../../marketplace/listings/duplicate.ts';
import type { ChangeBy, Listing } from '../../marketplace/listings/queries.ts';
import { readTextChanges, withWaitingTexts } from '../../marketplace/listings/text-changes.ts';
import { copiedValues, createOffer } from '../../marketplace/offers/create.ts';
import { OFFER_FIELDS, type OfferTexts } from '../../marketplace/offers/fields.ts';
import { refusePastEnd, refuseStartAfterEnd, requireLinkOrCode } from '../../marketplace/offers/offer.ts';
import type { Offer } from '../../marketplace/offers/queries.ts';
import { currentLanguage } from '../../platform/languages/language.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { namesOf, parsersOf } from '../../platform/text/fields.ts';
import { typedEnd, typedStart } from '../../platform/text/time-zone.ts';
import { typedNumber } from '../../platform/text/typed-number.ts';
import type { FormInput } from '../ui/form-state.ts';

/** In the form of a new offer, the field with the ID of the offer whose values it shows. */
export const COPIED = 'from';

/**
 * Returns the submitted texts, which `createOffer` and `editOffer` parse again. Returns `null` if a field is invalid.
 * `endsAt` is the offer's current end and may be in the past. A new end must be in the future.
 */
export function readOfferForm(
  form: FormInput,
  endsAt: string | null,
  { now, marketplace: { timeZone } }: Pick<Context, 'now' | 'marketplace'>,
): OfferTexts | null {
  const parsers = parsersOf(OFFER_FIELDS, timeZone);
  const values = form.read({
    ...parsers,
    redemption_link: (text) => parsers.redemption_link(text.trim()),
    test_link: (text) => parsers.test_link(text.trim()),
    claim_limit: (text) => parsers.claim_limit(typedNumber(text, currentLanguage().code)),
  });
  if (values === null) return null;
  const isFine = form.read({
    redemption_link: () => requireLinkOrCode(values),
    starts_at: () => refuseStartAfterEnd(values, timeZone),
    ends_at: () => values.ends_at === endsAt || refusePastEnd(values.ends_at, { now: now(), timeZone }),
  });
  if (isFine === null) return null;
  // Omit fields that were not sent: a form opened before an upgrade must not clear fields that the upgrade added.
  const sent = namesOf(OFFER_FIELDS).filter((name) => form.has(name));
  const texts = Object.fromEntries(sent.map((name) => [name, form.text(name)]));
  const { redemption_link, test_link, claim_limit: limit } = values;
  const claim_limit = limit === null ? null : String(limit);
  return { ...texts, redemption_link, test_link, ...(form.has('claim_limit') && { claim_limit }) };
}

/** Returns the form's values. A pending or declined link replaces the live link. */
export const offerValues = (offer: Offer, zone: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(namesOf(OFFER_FIELDS).map((name) => [name, String(offer[name] ?? '')])),
  redemption_link: offer.proposed_link ?? offer.redemption_link ?? '',
  starts_at: typedStart(zone, offer.starts_at),
  ends_at: typedEnd(zone, offer.ends_at),
});

/** `copied`: the offer to copy. */
export function newOfferValues(
  context: Context,
  listing: Pick<Listing, 'text_changes'>,
  copied: Offer | null,
): Readonly<Record<string, string>> {
  const form = uuidv7(context);
  if (copied === null) return { kind: 'discount', form };
  const latest = withWaitingTexts(copied, readTextChanges(listing), copied.id, true);
  const copy = { ...latest, ...copiedValues(latest, context.now()), proposed_link: null };
  return { ...offerValues(copy, context.marketplace.timeZone), [COPIED]: copied.id, form };
}

/** Returns the ID of the offer. */
export async function saveNewOffer(
  context: Context,
  listing: Pick<Listing, 'id'>,
  texts: OfferTexts,
  by: ChangeBy,
  form: FormInput,
): Promise<string> {
  const offer = { ...texts, listing: listing.id, formId: form.text('form'), ...by };
  const { id: offerId } = await createOffer(context, offer);
  if (form.has(COPIED)) await copyOfferPicture(context, { from: form.text(COPIED), offerId, ...by });
  return offerId;
}
