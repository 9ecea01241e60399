/** Builds the message of an event from the event and its subject. Messages never contain secrets. */
import { z } from 'zod';
import {
  EVENT_TYPES,
  type EventType,
  impersonalData,
  sharedWebhookOf,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
  webhookOf,
} from '../../base/events/catalogue.ts';
import type { Subjects } from '../../base/events/event-kind.ts';
import type { EventRecord, LoggedEvent } from '../../base/events/queries.ts';
import {
  AUDIT_PATH,
  deskAccountPath,
  deskClaimPath,
  deskListingPath,
  SYSTEM_PATH,
} from '../../base/paths.ts';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';
import { encodeBase62 } from '../../platform/secrets/secrets.ts';
import { capital } from '../../platform/text/text.ts';
import { TEST_EVENT_TYPE } from './endpoint.ts';

export const ID_BYTES = 16;
/** 22 characters of base 62 hold 128 bits. */
const ID_LENGTH = 22;

export const messageIdOf = (prefix: 'evt' | 'test', bytes: Uint8Array): string =>
  `${prefix}_${encodeBase62(bytes.subarray(0, ID_BYTES), ID_LENGTH)}`;

/**
 * The `webhook-id` of an event: the same in every attempt, for every endpoint, and after a restore. It doesn't depend
 * on the event number alone, because a restored log may reuse the number for a different event. The hash is keyed with
 * the first secret key. Otherwise, owners could guess the event number, which reveals the total number of events.
 */
export function messageId(box: SecretBox, { seq, accountId, type, at, subjectId }: LoggedEvent): string {
  const digest = Buffer.from(
    box.hashOfSubject(['event', seq, accountId, type, at, subjectId].join(' ')),
    'base64url',
  );
  return messageIdOf('evt', digest);
}

export type OwnersEvent = EventRecord<WebhookEventType>;

/** The stored message: the body of signed requests and the source of sentences for chats. */
export const messageOf = (event: OwnersEvent, subjects: Subjects) => ({
  type: event.type,
  timestamp: event.at,
  data: webhookOf(event.type).body(event, subjects),
});

const timestamp = z.iso.datetime({ precision: 3 }).meta({
  id: 'EventTime',
  description: 'When the event happened, in UTC.',
  example: '2026-11-20T10:00:00.000Z',
});

const describeMessage = (type: string, data: z.ZodObject) =>
  z
    .object({ type: z.literal(type), timestamp, data })
    .meta({ id: `${type.split(/\W|_/).map(capital).join('')}Event` });

/** The schemas of the messages that owners get, by type. */
export const OWNERS_MESSAGES: ReadonlyMap<WebhookEventType, ReturnType<typeof describeMessage>> = new Map(
  WEBHOOK_EVENT_TYPES.map((type) => [type, describeMessage(type, webhookOf(type).data)]),
);

/** The same for an endpoint of the marketplace: also whose event it is, and a link to the desk. */
export const messageForOperators = (event: EventRecord, subjects: Subjects, baseUrl: string) => ({
  type: event.type,
  timestamp: event.at,
  data: {
    account_id: event.accountId,
    ...bodyForOperators(event, subjects),
    url: baseUrl + deskPathOf(event, subjects),
  },
});

export const OPERATORS_MESSAGE = z
  .object({
    type: z.enum(EVENT_TYPES as [EventType, ...EventType[]]),
    timestamp,
    data: z
      .looseObject({
        account_id: z.string().meta({
          description: 'The account that the event belongs to.',
          example: '019a9f6c-1111-7c3a-9b52-4f0d8e6a1c37',
        }),
        url: z.url().meta({
          description: 'The page at the desk about what the event is about.',
          example: 'https://claims.example.com/desk/claims/019a9f6d-0b1c-7f00-8d33-5a1b2c3d4e5f',
        }),
        subject_id: z.string().optional().meta({
          description: 'The id of what the event is about.',
          example: '019a9f6d-0b1c-7f00-8d33-5a1b2c3d4e5f',
        }),
        listing: z.string().nullish().meta({
          description: "The short name in the listing's URL.",
          example: 'ada-notes',
        }),
        listing_name: z.string().nullish().meta({
          description: 'The current name of the listing.',
          example: 'Ada Notes',
        }),
      })
      .meta({ description: 'Other members depend on the type. None of them says anything about a person.' }),
  })
  .meta({ id: 'MarketplaceEvent' });

/** What owners get, if it says nothing about a person; otherwise, the members of the event that say nothing about one. */
function bodyForOperators(event: EventRecord, subjects: Subjects): Readonly<Record<string, unknown>> {
  const shared = sharedWebhookOf(event.type);
  if (shared === undefined) {
    const { subjectId, data } = event;
    const slug = 'slug' in data && data.slug != null ? { listing: data.slug } : {};
    return { subject_id: subjectId, ...slug, ...subjects.listings.get(subjectId), ...impersonalData(event) };
  }
  // The owner's own number for an order may identify the person who placed it.
  const { reference: _, ...body } = shared.body(event, subjects);
  return body;
}

function deskPathOf({ type, subjectId, accountId }: EventRecord, { offers }: Subjects): string {
  const [subject] = type.split('.', 1);
  if (subject === 'listing') return deskListingPath(subjectId);
  if (subject === 'claim') return deskClaimPath(subjectId);
  if (subject === 'system') return SYSTEM_PATH;
  if (subject === 'settings') return AUDIT_PATH;
  const listingId = offers.get(subjectId)?.listing_id;
  return listingId === undefined ? deskAccountPath(accountId) : deskListingPath(listingId);
}

const TEST_SENTENCE = 'This is a test event.';

export const TEST_MESSAGE = describeMessage(
  TEST_EVENT_TYPE,
  z
    .object({
      endpoint_id: z.uuid().meta({
        description: 'Identifies the endpoint.',
        example: '019a9f6c-5555-7c3a-9b52-4f0d8e6a1c37',
      }),
      message: z.string().meta({ description: 'A sentence for people.', example: TEST_SENTENCE }),
    })
    .meta({ id: 'TestEventData' }),
);

export const testMessage = (timestamp: string, endpointId: string) => ({
  type: TEST_EVENT_TYPE,
  timestamp,
  data: { endpoint_id: endpointId, message: TEST_SENTENCE },
});
