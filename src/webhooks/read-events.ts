/** The events of an account as its endpoints get them, for readers by cursor such as `claimcheck listen`. */

import type { Context } from '../context.ts';
import type { Cursor } from '../events/cursor.ts';
import { cursorAt, type FeedServices, readFeed } from '../events/feed.ts';
import { settledSeq } from '../events/settled.ts';
import type { Mode } from '../keys/key.ts';
import type { WebhookEventType } from './endpoint.ts';
import { messageId, payloadOf } from './message.ts';
import { readSubjects } from './spread-queries.ts';

/** Events of a page. */
export const EVENTS_PAGE_SIZE = 100;

export interface EventMessage {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventsPage {
  readonly events: readonly EventMessage[];
  readonly next: string;
  readonly hasMore: boolean;
}

/**
 * Events of claims and keys of the other mode are left out. Throws `cursor_gone`, as `readFeed` does. `after`: `null`
 * for the end of the log, where a reader begins that wants new events only.
 */
export async function readEvents(
  services: FeedServices & Pick<Context, 'db' | 'now' | 'secretBox'>,
  input: {
    readonly accountId: string;
    readonly mode: Mode;
    readonly types: readonly WebhookEventType[];
    readonly after: Cursor | null;
  },
): Promise<EventsPage> {
  const { accountId, mode, types, after } = input;
  const { db } = services;
  if (after === null) {
    return { events: [], next: await cursorAt(db, await settledSeq(db, services.now)), hasMore: false };
  }
  const { events, next, hasMore } = await readFeed(services, {
    accountId,
    types,
    after,
    limit: EVENTS_PAGE_SIZE,
  });
  const subjects = await readSubjects(db, events);
  const messages = events.map((event) => ({
    id: messageId(services.secretBox, event),
    ...(JSON.parse(payloadOf(event, subjects)) as Omit<EventMessage, 'id'>),
  }));
  const isOfMode = ({ data }: EventMessage) => data['mode'] === undefined || data['mode'] === mode;
  return { events: messages.filter(isOfMode), next, hasMore };
}
