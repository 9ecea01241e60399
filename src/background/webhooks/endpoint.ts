import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../base/events/catalogue.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { parseLine, quote } from '../../platform/text/text.ts';

export const MAX_ENDPOINTS = 10;
const MAX_DESCRIPTION_LENGTH = 100;
/** How long requests are also signed with the old secret after a roll. */
export const SECRET_OVERLAP_MS = DAY_MS;

export const TEST_EVENT_TYPE = 'endpoint.test';

export const isWebhookEvent = (type: string): type is WebhookEventType =>
  WEBHOOK_EVENT_TYPES.some((each) => each === type);

export function parseEventTypes(texts: readonly string[]): readonly WebhookEventType[] {
  const unknown = texts.find((text) => !isWebhookEvent(text));
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
