/** Endpoints: addresses of owners that events of their account are sent to. */

import { invalid } from '../errors.ts';
import { parseLine, quote } from '../text.ts';

/** Endpoints of an account. */
export const MAX_ENDPOINTS = 10;
/** Characters of a description. */
export const MAX_DESCRIPTION_LENGTH = 100;
/** Deliveries of an endpoint that wait. More stay in the log of events, and follow when there is room. */
export const MAX_WAITING = 10_000;
/** How long the old secret signs beside the new one after a roll. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;
/** Secrets of an endpoint that sign at the same time: each is a signature in a header of every request. */
export const MAX_SECRETS = 4;

/** The events that can be sent, with what they tell. */
export const WEBHOOK_EVENTS = {
  'claim.created': 'A claim was made on one of your offers',
  'claim.redeemed': 'Your server redeemed a claim',
  'listing.approved': 'A listing was approved, or its suspension lifted',
  'listing.changes_requested': 'The operator asked for changes to a listing',
  'listing.rejected': 'A listing was rejected',
  'listing.suspended': 'A listing was suspended',
  'offer.changed': 'An offer was created or changed',
  'key.created': 'An API key was created',
  'key.rolled': 'An API key was rolled',
  'key.revoked': 'An API key was revoked',
  'key.seen_in_browser': 'A browser sent an API key: roll it',
} as const;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as readonly WebhookEventType[];

/** The type of the event that an owner sends to try an endpoint. */
export const TEST_EVENT_TYPE = 'endpoint.test';

/** How requests are signed: with a secret that both sides have, or with a key that only this side has. */
export type Scheme = 'hmac' | 'ed25519';

/** Why nothing is sent: the owner said so, the address answered 410, or it failed for days. */
export type DisabledReason = 'by_hand' | 'gone' | 'failing';

export function parseScheme(text: string): Scheme {
  if (text !== 'hmac' && text !== 'ed25519') {
    throw invalid(`The signature is "hmac" or "ed25519"; found ${quote(text)}.`);
  }
  return text;
}

/** The types in their own order, each once. */
export function parseEventTypes(texts: readonly string[]): readonly WebhookEventType[] {
  const unknown = texts.find((text) => !Object.hasOwn(WEBHOOK_EVENTS, text));
  if (unknown !== undefined) throw invalid(`There is no event ${quote(unknown)} to send.`);
  if (texts.length === 0) throw invalid('Choose at least one event.');
  return WEBHOOK_EVENT_TYPES.filter((type) => texts.includes(type));
}

export const parseEndpointDescription = (text: string): string =>
  parseLine(text, 'The description', MAX_DESCRIPTION_LENGTH);
