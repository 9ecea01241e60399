/** An attempt is a call to verify that is recorded in the request log. */
import { SECRET_START } from '../../platform/secrets/secrets.ts';
import { escapeUnprintable } from '../../platform/text/text.ts';
import { toIso } from '../../platform/text/time-text.ts';
import type { Cause } from './cause.ts';
import type { AttemptRow, CallScope } from './queries.ts';

export interface Attempt extends CallScope {
  readonly atMs: number;
  readonly requestId: string;
  readonly keyId: string | null;
  readonly cause: Cause;
  readonly detail: string | null;
  /** `null`: the body was not read, or was invalid. */
  readonly redeem: boolean | null;
  readonly tokenLast4: string | null;
  /** `hashToken` of a well-formed token. Connects the call with the claim. */
  readonly tokenHash: Uint8Array | null;
  readonly offerId: string | null;
  readonly via: string | null;
  /** The raw header. Only its last characters are stored. */
  readonly idempotencyKey: string | null;
  readonly latencyUs: number;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export const toRow = (attempt: Attempt): AttemptRow => ({
  account_id: attempt.accountId,
  mode: attempt.mode,
  at: toIso(attempt.atMs),
  request_id: attempt.requestId,
  api_key_id: attempt.keyId,
  cause: attempt.cause,
  detail: attempt.detail === null ? null : withoutSecrets(attempt.detail, MAX_DETAIL_LENGTH),
  redeem: attempt.redeem === null ? null : Number(attempt.redeem),
  token_last4: attempt.tokenLast4,
  token_hash: attempt.tokenHash === null ? null : Buffer.from(attempt.tokenHash).toString('hex'),
  offer_id: attempt.offerId,
  via: attempt.via,
  idempotency_last4: attempt.idempotencyKey === null ? null : endOf(attempt.idempotencyKey),
  latency_us: Math.round(attempt.latencyUs),
  ip: attempt.ip,
  user_agent: attempt.userAgent === null ? null : withoutSecrets(attempt.userAgent, MAX_USER_AGENT_LENGTH),
  origin: null,
  request_line: null,
});

const MAX_DETAIL_LENGTH = 300;
const MAX_USER_AGENT_LENGTH = 150;

const SECRET = new RegExp(`(${SECRET_START})\\w+`, 'g');

/** Masks tokens and keys in a caller's text, truncates it and escapes unprintable characters. */
export const withoutSecrets = (text: string, length: number): string =>
  escapeUnprintable(text.toWellFormed().replace(SECRET, '$1…').slice(0, length));

const KEPT_OF_IDEMPOTENCY_KEY = 4;

/** The last characters of an Idempotency-Key, at most half of the key. Surrounding quotation marks are removed. */
function endOf(header: string): string | null {
  const key = header.replace(/^"(.*)"$/, '$1');
  const length = Math.min(KEPT_OF_IDEMPOTENCY_KEY, Math.floor(key.length / 2));
  return length === 0 ? null : withoutSecrets(key.slice(-length), length);
}
