import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { parseLine, quote } from '../../platform/text/text.ts';

export const MAX_ENDPOINTS = 10;
const MAX_DESCRIPTION_LENGTH = 100;
/** How long requests are also signed with the old secret after a roll. */
export const SECRET_OVERLAP_MS = DAY_MS;

export const WEBHOOK_EVENTS = {
  'claim.created': message('Claim made'),
  'claim.redeemed': message('Claim redeemed'),
  'listing.approved': message('Listing approved, or its suspension lifted'),
  'listing.changes_requested': message('Changes requested for a listing'),
  'listing.rejected': message('Listing rejected'),
  'listing.suspended': message('Listing suspended'),
  'offer.changed': message('Offer created or changed'),
  'key.created': message('API key created'),
  'key.rolled': message('API key rolled'),
  'key.revoked': message('API key revoked'),
  'key.seen_in_browser': message('API key sent by a browser'),
} as const;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as readonly WebhookEventType[];

export const TEST_EVENT_TYPE = 'endpoint.test';

/**
 * `manual`: the owner disabled the endpoint. `gone`: it responded with 410. `failing`: it failed for days. `member_gone`:
 * the person who set its URL or secret lost their role (`endRole`).
 */
export type DisabledReason = 'manual' | 'gone' | 'failing' | 'member_gone';

export function parseEventTypes(texts: readonly string[]): readonly WebhookEventType[] {
  const unknown = texts.find((text) => !Object.hasOwn(WEBHOOK_EVENTS, text));
  if (unknown !== undefined) throw invalid(message('Unknown event {unknown}.', { unknown: quote(unknown) }));
  if (texts.length === 0) throw invalid(message('Choose at least one event.'));
  return WEBHOOK_EVENT_TYPES.filter((type) => texts.includes(type));
}

/** Stored for an endpoint that receives all events, so that it also receives types added by later versions. */
const ALL = '*';

export const storedEventTypes = (types: readonly WebhookEventType[]): string =>
  JSON.stringify(types.length === WEBHOOK_EVENT_TYPES.length ? [ALL] : types);

export function readEventTypes(stored: string): readonly WebhookEventType[] {
  const types = JSON.parse(stored) as readonly (WebhookEventType | typeof ALL)[];
  return WEBHOOK_EVENT_TYPES.filter((type) => types.includes(type) || types.includes(ALL));
}

export const parseEndpointDescription = (text: string): string =>
  parseLine(text, message('The description'), MAX_DESCRIPTION_LENGTH);
