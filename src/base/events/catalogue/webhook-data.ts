/**
 * Describes the member `data` of webhooks. A member is `null` if its value is unknown, for example because the claim
 * was deleted before the message was written. Texts have no fixed values, because later versions may add values.
 */
import { z } from 'zod';

const text = (description: string, example: string) => z.string().meta({ description, example });
const uuid = (description: string, example: string) => z.uuid().meta({ description, example });
const time = (description: string, example = '2026-11-20T10:00:00.000Z') =>
  z.iso.datetime({ precision: 3 }).meta({ description, example });

const MODE = z.enum(['live', 'test']).meta({
  description: 'Check the mode before you act on an event: events of test claims and test keys are sent too.',
});

const LISTING = {
  listing: text("The short name in the listing's URL.", 'ada-notes').nullable(),
  listing_name: text('The current name of the listing.', 'Ada Notes').nullable(),
};

const OFFER = {
  offer_id: uuid('Identifies the offer.', '019a9f6c-7d1e-7c3a-9b52-4f0d8e6a1c37'),
  offer: text('Text naming the offer.', '20% off the first year').nullable(),
  kind: text('The kind of the offer, as in the response to verify.', 'discount').nullable(),
  ...LISTING,
};

export const CLAIM_DATA = z
  .object({
    claim_id: uuid('Identifies the claim. Not a secret.', '019a9f6d-0b1c-7f00-8d33-5a1b2c3d4e5f'),
    short_id: text('The short ID that the claimant sees.', '4F7K-2M9Q').nullable(),
    mode: MODE.nullable(),
    ...OFFER,
    via: text('Campaign label of the share link.', 'newsletter').nullable(),
    claimed_at: time('When the claim was created, in UTC.').nullable(),
    redeemed_at: time('When the claim was redeemed, in UTC.', '2026-11-20T10:04:31.250Z').nullable(),
    reference: text(
      'Your reference, from the verification that redeemed the claim.',
      'order-4711',
    ).nullable(),
  })
  .meta({ id: 'ClaimEventData' });

/** `changes`: the current values of `change`. */
export const offerData = (changes: readonly string[]) =>
  z
    .object({
      ...OFFER,
      change: text(`What happened: \`${changes.join('`, `')}\`.`, changes[0]!).nullable(),
    })
    .meta({ id: 'OfferEventData' });

export const LISTING_DATA = z
  .object({
    listing_id: uuid('Identifies the listing.', '019a9f6c-6c2d-7b1f-8a41-3e0c7d5b9f26'),
    ...LISTING,
    state: text('The state after the decision.', 'approved').nullable(),
    reason: text('What the operator wrote to the owner.', 'Please add a privacy policy.').nullable(),
  })
  .meta({ id: 'ListingEventData' });

const KEY = {
  key_id: uuid('Identifies the key. Not a secret.', '019a9f6c-3333-7c3a-9b52-4f0d8e6a1c37'),
  name: text('The name of the key.', 'web shop').nullable(),
  mode: MODE.nullable(),
  start: text('The first characters of the secret.', '4hT9').nullable(),
};

export const KEY_DATA = z.object(KEY).meta({ id: 'KeyEventData' });

export const ROLLED_KEY_DATA = z
  .object({
    ...KEY,
    new_key_id: uuid('Identifies the new key.', '019a9f6c-4444-7c3a-9b52-4f0d8e6a1c37').nullable(),
    ends_at: time('When the old key stops working, in UTC.').nullable(),
  })
  .meta({ id: 'RolledKeyEventData' });

export const KEY_IN_BROWSER_DATA = z
  .object({
    key_id: KEY.key_id,
    origin: text('The origin of the page that sent the key.', 'https://shop.example').nullable(),
  })
  .meta({ id: 'KeyInBrowserEventData' });
