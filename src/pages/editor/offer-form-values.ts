import type { Context } from '../../base/context.ts';
import { OFFER_FIELDS, type OfferTexts } from '../../marketplace/offers/fields.ts';
import { refusePastEnd, refuseStartAfterEnd, requireLinkOrCode } from '../../marketplace/offers/offer.ts';
import type { Offer } from '../../marketplace/offers/queries.ts';
import { type Field, namesOf, parsersOf } from '../../platform/text/fields.ts';
import { dayIn, isEndOfDay, localIn } from '../../platform/text/time-zone.ts';
import type { FormInput } from '../ui/form-state.ts';

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
  return { ...texts, redemption_link: values.redemption_link, test_link: values.test_link };
}

/** Returns the form's values. A pending or declined link replaces the live link. */
export const offerValues = (offer: Offer, zone: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    namesOf(OFFER_FIELDS).map((name) => [name, typedText(OFFER_FIELDS[name], offer[name], zone)]),
  ),
  redemption_link: offer.proposed_link ?? offer.redemption_link ?? '',
  ...(offer.ends_at !== null && isEndOfDay(zone, offer.ends_at) && { ends_at: dayIn(zone, offer.ends_at) }),
});

/**
 * Returns a time as local time, or as UTC if the local time would be parsed as a different instant (for example, in the
 * hour that repeats when clocks are set back).
 */
function typedText({ isTime, parse }: Field, value: string | number | null, zone: string): string {
  if (isTime !== true || typeof value !== 'string') return String(value ?? '');
  const text = localIn(zone, value).replace(/(T\d\d:\d\d):00$/, '$1');
  return parse(text, zone) === value ? text : value;
}
