/** The events of an account as its endpoints get them, for readers with a cursor such as `claimcheck listen`. */
import type { Context } from '../context.ts';
import { type Cursor, cursorAt, type FeedServices, readFeed } from '../events/feed.ts';
import { settledSeq } from '../events/settled.ts';
import type { Mode } from '../keys/key.ts';
import type { WebhookEventType } from './endpoint.ts';
import { messageId, messageOf } from './message.ts';
import { readSubjects } from './spread-queries.ts';

export const EVENTS_PAGE_SIZE = 100;

/**
 * Leaves out events of claims and keys of the other mode. Throws `cursor_gone` like `readFeed`. `after`: `null` returns
 * the end of the log, from where a reader gets new events only.
 */
export async function readEvents(
  services: FeedServices & Pick<Context, 'db' | 'now' | 'secretBox'>,
  input: {
    readonly accountId: string;
    readonly mode: Mode;
    readonly types: readonly WebhookEventType[];
    readonly after: Cursor | null;
  },
) {
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
    ...messageOf(event, subjects),
  }));
  const ofMode = messages.filter(({ data }) => data['mode'] === undefined || data['mode'] === mode);
  return { events: ofMode, next, hasMore };
}
