/** The demo's request log: recent calls from the owners' servers, including failed calls. */

import type { Context } from '../../base/context.ts';
import type { Attempt } from '../../claims/attempts/attempt.ts';
import type { Cause } from '../../claims/attempts/cause.ts';
import { createAttemptRecorder } from '../../claims/attempts/recorder.ts';
import { hashToken } from '../../claims/token.ts';
import { VERIFY_PATH } from '../../claims/verify/decision/verification.ts';
import { hashKey, type Mode } from '../../people/keys/key.ts';
import { INVALID_API_KEY } from '../../platform/http/server/request-checks.ts';
import { createRequestIds } from '../../platform/http/server/response-headers.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import type { EpochMs } from '../../platform/text/time-text.ts';
import { type Cast, createChance, keyOf, ownerId } from './people.ts';

interface RedeemedCall extends Pick<Attempt, 'accountId' | 'offerId' | 'via'> {
  readonly at: EpochMs;
  readonly keyId: string;
  readonly token: string;
}

interface FailedCalls {
  readonly hoursAgo: readonly number[];
  readonly owner: string;
  /** Name of the key; defaults to `SERVER_KEY`. */
  readonly key?: string;
  readonly mode?: Mode;
  readonly cause: Cause;
  /** `detail` of the response, if it is a problem document. */
  readonly detail?: string;
  /** The token in the body, random by default; `null` if the body had no token or was not read. */
  readonly token?: string | null;
}

const STAGING = { owner: 'lumen', key: 'staging', mode: 'test' } as const;

/** Simulates a nightly job with the old key, a colleague's first attempts, and claimants with wrong tokens. */
const FAILED: readonly FailedCalls[] = [
  {
    hoursAgo: [56, 32, 8],
    owner: 'lumen',
    key: 'web server (old)',
    cause: 'invalid_api_key',
    detail: INVALID_API_KEY,
    token: null,
  },
  { hoursAgo: [50, 31.4, 20.1, 9.3, 3.4], owner: 'lumen', cause: 'token_unknown' },
  {
    hoursAgo: [44],
    owner: 'lumen',
    cause: 'idempotency_key_reused',
    detail: 'This Idempotency-Key has already redeemed another token, so this call redeemed nothing.',
  },
  { hoursAgo: [29], ...STAGING, cause: 'placeholder_sent', token: '{claim}' },
  {
    hoursAgo: [28.8],
    ...STAGING,
    cause: 'unsupported_media_type',
    detail: 'There is no Content-Type header; send application/json.',
    token: null,
  },
  {
    hoursAgo: [28.5],
    ...STAGING,
    cause: 'token_missing',
    detail: 'The member `token` is missing.',
    token: null,
  },
  { hoursAgo: [61, 37.5, 26.2], owner: 'brightside', cause: 'token_unknown' },
];

const SEED = 4_711;
/** An address from a range that is reserved for documentation (RFC 5737). */
const SERVER_IP = '203.0.113.24';
/** Share of claims that the owner's server verifies before it redeems them. */
const LOOKED_AT = 0.6;
/** Share of redemptions that the owner's server sends twice. */
const TRIED_AGAIN = 0.07;
const FASTEST_US = 1_900;
const USER_AGENT = 'node';
const BROWSER_CALL = {
  detail: 'The request has an Origin header: it comes from a browser. Nothing was redeemed.',
  requestLine: `POST ${VERIFY_PATH}`,
  ip: '198.51.100.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  trace: null,
} as const;
/** Calls older than this are omitted, as if the request log had already deleted them. */
const CALL_DAYS = 7;
const TOKEN_BYTES = 18;

export type CallLog = ReturnType<typeof createCallLog>;

export function createCallLog(past: Context, end: number) {
  const recorder = createAttemptRecorder(past);
  const chance = createChance(SEED);
  const requestIds = createRequestIds();
  const since = end - CALL_DAYS * DAY_MS;
  const verified = new Set<string>();
  const lastUsed = new Map<string, number>();
  type Call = Pick<Attempt, 'accountId' | 'mode' | 'cause' | 'detail' | 'redeem' | 'offerId' | 'via'> & {
    readonly at: number;
    readonly keyId: string;
    readonly token: string | null;
  };
  const record = ({ at: atMs, token, ...call }: Call) => {
    if (atMs >= end) return;
    // A rejected key does not count as used. Calls arrive out of order, so only a later call updates the last use.
    if (call.cause !== 'invalid_api_key' && atMs > (lastUsed.get(call.keyId) ?? 0)) {
      lastUsed.set(call.keyId, atMs);
      recorder.touch(call.accountId, call.keyId, atMs);
    }
    // An account's first verification is always recorded, because the service keeps it longer than other calls.
    if (atMs < since && verified.has(call.accountId)) return;
    verified.add(call.accountId);
    recorder.record({
      ...call,
      atMs,
      requestId: requestIds(),
      tokenLast4: token === null ? null : token.slice(-4),
      tokenHash: token === null ? null : hashToken(token),
      idempotencyKey: null,
      userAgent: USER_AGENT,
      latencyUs: FASTEST_US + Math.round(chance() ** 4 * 9_000 + chance() * 1_200),
      ip: SERVER_IP,
    });
  };

  return {
    redeemed({ at, ...rest }: RedeemedCall): void {
      const call = { ...rest, mode: 'live', detail: null } as const;
      if (chance() < LOOKED_AT) {
        record({ ...call, at: at - 4_000 - chance() * 20_000, cause: 'valid', redeem: false });
      }
      record({ ...call, at, cause: 'redeemed', redeem: true });
      if (chance() < TRIED_AGAIN) {
        const again = at + chance() * 20 * MINUTE_MS;
        record({ ...call, at: again, cause: 'already_redeemed', redeem: true });
      }
    },
    /** Requires the keys to exist. */
    failed(cast: Cast): void {
      for (const { hoursAgo, owner, key, mode = 'live', cause, detail = null, token } of FAILED) {
        for (const hours of hoursAgo) {
          const sent =
            token === undefined ? Buffer.from(past.random(TOKEN_BYTES)).toString('base64url') : token;
          record({
            at: end - hours * HOUR_MS,
            accountId: ownerId(cast, owner),
            keyId: keyOf(cast, owner, key).id,
            ...{ mode, cause, detail, token: sent, redeem: sent === null ? null : true },
            ...{ offerId: null, via: null },
          });
        }
      }
    },
    async fromBrowser({ key, origin }: { readonly key: string; readonly origin: string }): Promise<void> {
      recorder.recordBrowserCall({ ...BROWSER_CALL, keyHash: hashKey(key), origin, requestId: requestIds() });
      await recorder.flush();
    },
    write: () => recorder.flush(),
    close: () => recorder.close(),
  };
}
