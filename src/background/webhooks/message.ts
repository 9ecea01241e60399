/** Builds the message of an event from the event and its subject. Messages never contain secrets. */
import type { EventRecord } from '../../base/events/queries.ts';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';
import { encodeBase62 } from '../../platform/secrets/secrets.ts';
import { TEST_EVENT_TYPE, type WebhookEventType } from './endpoint.ts';
import type { Subjects } from './spread-queries.ts';

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
export function messageId(box: SecretBox, { seq, accountId, type, at, subjectId }: EventRecord): string {
  const digest = Buffer.from(
    box.hashOfSubject(['event', seq, accountId, type, at, subjectId].join(' ')),
    'base64url',
  );
  return messageIdOf('evt', digest);
}

type Data = Readonly<Record<string, unknown>>;

/** The stored message: the body of signed requests and the source of sentences for chats. */
export const messageOf = (event: EventRecord, subjects: Subjects) => ({
  type: event.type,
  timestamp: event.at,
  data: DATA[event.type as WebhookEventType](event, subjects),
});

export const testMessage = (timestamp: string, endpointId: string) => ({
  type: TEST_EVENT_TYPE,
  timestamp,
  data: { endpoint_id: endpointId, message: 'This is a test event.' },
});

const DATA: Readonly<Record<WebhookEventType, (event: EventRecord, subjects: Subjects) => Data>> = {
  'claim.created': claimData,
  'claim.redeemed': claimData,
  'listing.approved': listingData,
  'listing.changes_requested': listingData,
  'listing.rejected': listingData,
  'listing.suspended': listingData,
  'offer.changed': ({ subjectId, data }, { offers }) => ({
    offer_id: subjectId,
    ...offerData(offers.get(subjectId)),
    change: data['change'] ?? null,
  }),
  'key.created': keyData,
  'key.rolled': (event) => ({
    ...keyData(event),
    new_key_id: event.data['new_id'],
    ends_at: event.data['revoked_at'] ?? event.data['expires_at'] ?? null,
  }),
  'key.revoked': keyData,
  'key.seen_in_browser': ({ subjectId, data }) => ({ key_id: subjectId, origin: data['origin'] ?? null }),
};

/** The claim's id, mode and reference, and the fields of the verify response except `status`. */
function claimData({ subjectId, type, at, data }: EventRecord, { claims }: Subjects): Data {
  const claim = claims.get(subjectId);
  const redeemedAt = claim?.redeemed_at ?? null;
  // `claim.created` shows the claim as it was at creation. Only an imported claim can be redeemed at creation.
  const wasRedeemed = redeemedAt !== null && (type === 'claim.redeemed' || redeemedAt <= at);
  return {
    claim_id: subjectId,
    mode: claim?.mode ?? null,
    offer_id: String(data['offer_id']),
    ...offerData(claim),
    via: data['via'] ?? null,
    claimed_at: claim?.claimed_at ?? null,
    redeemed_at: wasRedeemed ? redeemedAt : null,
    reference: wasRedeemed ? (claim?.reference ?? null) : null,
  };
}

const offerData = (of: ReturnType<Subjects['claims' | 'offers']['get']>): Data => ({
  offer: of?.offer ?? null,
  kind: of?.kind ?? null,
  listing: of?.listing ?? null,
});

function listingData({ subjectId, data }: EventRecord): Data {
  const { slug: listing, to: state, reason = null } = data;
  return { listing_id: subjectId, listing, state, reason };
}

function keyData({ subjectId, data }: EventRecord): Data {
  return { key_id: subjectId, name: data['name'], mode: data['mode'], start: data['start'] };
}
