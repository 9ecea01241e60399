import { z } from '@hono/zod-openapi';
import { parseEventTypes } from '../../background/webhooks/endpoint.ts';
import { readSubjects } from '../../background/webhooks/fan-out-queries.ts';
import { messageId, messageOf } from '../../background/webhooks/message.ts';
import { WEBHOOK_EVENT_TYPES } from '../../base/events/catalogue.ts';
import { cursorAt, parseCursor, readFeed } from '../../base/events/feed.ts';
import { settledSeq } from '../../base/events/settled.ts';
import { sealedCursors } from '../../platform/http/operations/query-parameters.ts';
import { ownerRoute } from './definitions.ts';
import { time } from './schemas.ts';

const EVENTS_PAGE_SIZE = 100;

/** Open types and data: `claimcheck listen` may read the events of a newer service. The webhooks describe them. */
const event = z
  .strictObject({
    id: z.string().meta({ description: 'The `webhook-id` of the event. It is the same at every endpoint.' }),
    type: z.string().meta({ enum: [...WEBHOOK_EVENT_TYPES] }),
    timestamp: time.meta({ description: 'When the event happened, in UTC.' }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The same `data` as in the webhook with the name of the type.' }),
  })
  .openapi('Event');

const page = z
  .strictObject({
    events: z.array(event).meta({
      description: `In the order of the event log, at most ${EVENTS_PAGE_SIZE}.`,
    }),
    next: z.string().meta({ description: 'Send it as `after` to get the next page.' }),
    has_more: z.boolean().meta({
      description: '`true`: read the next page immediately. `false`: try again after a second or more.',
    }),
  })
  .openapi('EventPage');

export const listEvents = ownerRoute(
  {
    id: 'listEvents',
    method: 'get',
    path: '/api/v1/marketplace/events',
    tag: 'events',
    summary: 'Follow the events',
    description:
      'The events that webhooks send, for programs that cannot be reached from the internet, for example on a developer’s computer. Without `after`, the response contains no events, and `next` is the end of the log. Follow `next` to get each later event exactly once. A live key reads events of live claims and live keys. A test key reads events of test claims and test keys. Both keys also read events without a mode. For accounting, use the feed of redemptions.',
    input: {
      query: z.object({
        after: z.string().optional().meta({
          description: 'The `next` of the previous page. Without `after`, the feed begins now.',
        }),
        types: z.string().optional().meta({
          description: 'Event types, separated by commas. Default: all.',
          example: 'claim.created,claim.redeemed',
        }),
      }),
    },
    outputs: {
      200: {
        description: 'A page of events.',
        schema: page,
        examples: {
          page: {
            events: [
              {
                id: 'evt_3fJ0bYc2QmT8kR1sVzXw9a',
                type: 'listing.approved',
                timestamp: '2026-11-20T10:00:00.000Z',
                data: {
                  listing_id: '019a9f6c-6c2d-7b1f-8a41-3e0c7d5b9f26',
                  listing: 'ada-notes',
                  listing_name: 'Ada Notes',
                  state: 'approved',
                  reason: null,
                },
              },
            ],
            next: 'S7731JuPnreybejcISjm5dVnOSgbyK48FqN1dbqyHFHxBFN_7UVamZaYk5AvHi9ErYt0ha8zGRJf4lP8hx2C5F4E-EWuT2TaF0kefw',
            has_more: false,
          },
        },
      },
    },
    errors: {
      cursor_gone: {
        fix: 'Start again without `after`. You may miss events that happened before the new start. `detail` says why the cursor is gone.',
      },
    },
  },
  async ({ caller, query }, services) => {
    const { db, secretBox } = services;
    const { accountId, mode } = caller;
    const types =
      query.types === undefined
        ? WEBHOOK_EVENT_TYPES
        : parseEventTypes(query.types.split(','), WEBHOOK_EVENT_TYPES);
    const cursors = sealedCursors(secretBox, 'events', accountId);
    if (query.after === undefined) {
      const end = await cursorAt(db, await settledSeq(db, services.now));
      return { events: [], next: cursors.seal(end), has_more: false };
    }
    const after = cursors.parse(query.after, parseCursor);
    const page = await readFeed(services, { accountId, types, after, limit: EVENTS_PAGE_SIZE });
    const subjects = await readSubjects(db, page.events);
    const events = page.events
      .map((event) => ({ id: messageId(secretBox, event), ...messageOf(event, subjects) }))
      .filter(({ data }) => data['mode'] === undefined || data['mode'] === mode);
    return { events, next: cursors.seal(page.next), has_more: page.hasMore };
  },
);
