/** Messages: what is sent for an event. They are made from the event and its subject and never contain a secret. */
import type { SecretBox } from '../secret-keys.ts';
import { encodeBase62 } from '../secrets.ts';
import { TEST_EVENT_TYPE, type WebhookEventType } from './endpoint.ts';

/** An event of the log. */
export interface LoggedEvent {
  readonly seq: number;
  readonly accountId: string;
  readonly type: string;
  readonly at: string;
  readonly subjectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const ID_BYTES = 16;
/** 62^22 is more than 2^128. */
const ID_LENGTH = 22;

/**
 * The `webhook-id` of an event: the same at every attempt, at every endpoint, and after a restore. It is not made from
 * the number of the event only, since after a restore the log may give it to another event. The hash has a key, since
 * the owner knows all but the number, which counts the events of all accounts, and could find it by trying.
 */
export function messageId(box: SecretBox, { seq, accountId, type, at, subjectId }: LoggedEvent): string {
  const digest = Buffer.from(
    box.hashOfSubject(['event', seq, accountId, type, at, subjectId].join(' ')),
    'base64url',
  );
  return `evt_${encodeBase62(digest.subarray(0, ID_BYTES), ID_LENGTH)}`;
}

/** A claim that an event is about. */
export interface MessageClaim {
  readonly mode: 'live' | 'test';
  readonly offer_id: string;
  readonly via: string | null;
  readonly claimed_at: string;
  readonly redeemed_at: string | null;
}

/** An offer that an event is about, as it is now. */
export interface MessageOffer {
  readonly offer: string;
  readonly kind: string;
  /** Slug of its listing. */
  readonly listing: string;
}

/** What events are about, by id. */
export interface Subjects {
  readonly claims: ReadonlyMap<string, MessageClaim>;
  readonly offers: ReadonlyMap<string, MessageOffer>;
}

/** The body: `type`, `timestamp` of the event, and `data`. */
export const payloadOf = (event: LoggedEvent, subjects: Subjects): string =>
  payload(event.type, event.at, DATA[event.type as WebhookEventType](event, subjects));

export const testPayload = (at: string, endpointId: string): string =>
  payload(TEST_EVENT_TYPE, at, {
    endpoint_id: endpointId,
    message: 'This is a test event. Nothing has happened.',
  });

const payload = (type: string, at: string, data: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ type, timestamp: at, data });

type Describe = (event: LoggedEvent, subjects: Subjects) => Readonly<Record<string, unknown>>;

const DATA: Readonly<Record<WebhookEventType, Describe>> = {
  'claim.created': claimData,
  'claim.redeemed': claimData,
  'listing.approved': listingData,
  'listing.changes_requested': listingData,
  'listing.rejected': listingData,
  'listing.suspended': listingData,
  'offer.changed': ({ subjectId, data }, { offers }) => ({
    offer_id: subjectId,
    ...offerData(subjectId, offers),
    change: data['change'] ?? null,
  }),
  'key.created': keyData,
  'key.rolled': (event, subjects) => ({
    ...keyData(event, subjects),
    new_key_id: event.data['new_id'],
    ends_at: event.data['revoked_at'] ?? event.data['expires_at'] ?? null,
  }),
  'key.revoked': keyData,
  'key.seen_in_browser': ({ subjectId, data }) => ({ key_id: subjectId, origin: data['origin'] ?? null }),
};

/** The members and names of the answer of verify, less its status. */
function claimData(
  { subjectId, type, at, data }: LoggedEvent,
  { claims, offers }: Subjects,
): Readonly<Record<string, unknown>> {
  const claim = claims.get(subjectId);
  const offerId = String(data['offer_id']);
  const redeemedAt = claim?.redeemed_at ?? null;
  // `claim.created` shows the claim as it was made, not as it is now. Only an import makes redeemed claims.
  const wasRedeemed = redeemedAt !== null && (type === 'claim.redeemed' || redeemedAt <= at);
  return {
    claim_id: subjectId,
    mode: claim?.mode ?? null,
    offer_id: offerId,
    ...offerData(offerId, offers),
    via: data['via'] ?? null,
    claimed_at: claim?.claimed_at ?? null,
    redeemed_at: wasRedeemed ? redeemedAt : null,
  };
}

function offerData(id: string, offers: Subjects['offers']): Readonly<Record<string, unknown>> {
  const offer = offers.get(id);
  return { offer: offer?.offer ?? null, kind: offer?.kind ?? null, listing: offer?.listing ?? null };
}

function listingData({ subjectId, data }: LoggedEvent): Readonly<Record<string, unknown>> {
  return {
    listing_id: subjectId,
    listing: data['slug'],
    state: data['to'],
    reason: data['reason'] ?? null,
  };
}

function keyData({ subjectId, data }: LoggedEvent, _: Subjects): Readonly<Record<string, unknown>> {
  return { key_id: subjectId, name: data['name'], mode: data['mode'], start: data['start'] };
}
