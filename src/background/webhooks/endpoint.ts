import { EVENT_TYPES, type EventType, WEBHOOK_EVENT_TYPES } from '../../base/events/catalogue.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { parseLine, quote } from '../../platform/text/text.ts';

export const MAX_ENDPOINTS = 10;
const MAX_DESCRIPTION_LENGTH = 100;
/** How long requests are also signed with the old secret after a roll. */
export const SECRET_OVERLAP_MS = DAY_MS;

export const TEST_EVENT_TYPE = 'endpoint.test';

/** Whether the endpoint belongs to the marketplace: all operators share it, and it gets events of all accounts. */
export const isMarketplaces = ({ account_id }: { readonly account_id: string }): boolean =>
  account_id === MARKETPLACE_ID;

/** The types of events that an endpoint of the account, or of the marketplace, can get. */
export const eventTypesFor = (accountId: string): readonly EventType[] =>
  accountId === MARKETPLACE_ID ? EVENT_TYPES : WEBHOOK_EVENT_TYPES;

/** `offered`: the types to choose from. */
export function parseEventTypes<T extends EventType>(
  texts: readonly string[],
  offered: readonly T[],
): readonly T[] {
  const unknown = texts.find((text) => !offered.some((type) => type === text));
  if (unknown !== undefined) throw invalid(message('Unknown event {unknown}.', { unknown: quote(unknown) }));
  if (texts.length === 0) throw invalid(message('Choose at least one event.'));
  return offered.filter((type) => texts.includes(type));
}

/** Stored for an endpoint that receives all events, so that it also receives types added by later versions. */
const ALL = '*';

export const storedEventTypes = (accountId: string, types: readonly EventType[]): string =>
  JSON.stringify(types.length === eventTypesFor(accountId).length ? [ALL] : types);

export function readEventTypes(accountId: string, stored: string): readonly EventType[] {
  const types = JSON.parse(stored) as readonly (EventType | typeof ALL)[];
  return eventTypesFor(accountId).filter((type) => types.includes(type) || types.includes(ALL));
}

export const parseEndpointDescription = (text: string): string =>
  parseLine(text, message('The description'), MAX_DESCRIPTION_LENGTH);
