/** The demo's request log: recent calls of the owners' servers, with their failures. */
import type { Attempt } from '../attempts/attempt.ts';
import type { Cause } from '../attempts/cause.ts';
import { createAttemptRecorder } from '../attempts/recorder.ts';
import { hashToken } from '../claims/token.ts';
import { VERIFY_PATH } from '../claims/verify/verification.ts';
import type { Context } from '../context.ts';
import { DAY_MS, MINUTE_MS } from '../durations.ts';
import { createRequestIds } from '../http/request-id.ts';
import { hashKey, type Mode } from '../keys/key.ts';
import { type Chance, createChance } from './chance.ts';

export interface RedeemedCall {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly token: string;
  readonly offerId: string;
  readonly via: string | null;
}

export interface FailedCall {
  readonly at: number;
  readonly accountId: string;
  readonly keyId: string;
  /** Of the key; `live` unless given. */
  readonly mode?: Mode;
  readonly cause: Cause;
  /** The sentence of the answer, where it is a problem. */
  readonly detail?: string;
  /** What was sent as the token; a made-up one if nothing is given, `null` where the body was not read. */
  readonly token?: string | null;
}

export interface CallLog {
  /** A redemption with the calls around it: often a verification before and a second try after. */
  redeemed(call: RedeemedCall): void;
  failed(call: FailedCall): void;
  /** A page sent a key from a browser. */
  fromBrowser(call: { readonly key: string; readonly origin: string }): Promise<void>;
  write(): Promise<void>;
  close(): Promise<void>;
}

const SEED = 4_711;
/** Addresses for documentation (RFC 5737): the owners' servers. */
const SERVER_IP = '203.0.113.24';
const VISITOR_IP = '198.51.100.7';
/** Share of the redemptions that the owner's page verifies first, and share that it sends twice. */
const LOOKED_AT = 0.6;
const TRIED_AGAIN = 0.07;
const FASTEST_US = 1_900;
/** The User-Agent that Node's `fetch` sends. */
const USER_AGENT = 'node';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
/** Earlier calls are not made: the log keeps none that are older. */
const CALL_DAYS = 7;

export function createCallLog(past: Context, end: number): CallLog {
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
    // A refused key does not count as used. Calls arrive here out of order.
    if (call.cause !== 'invalid_api_key' && atMs > (lastUsed.get(call.keyId) ?? 0)) {
      lastUsed.set(call.keyId, atMs);
      recorder.touch(call.accountId, call.keyId, atMs);
    }
    // An account's first verification is kept even after the log has deleted it.
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
      latencyUs: latencyUs(chance),
      ip: SERVER_IP,
    });
  };

  return {
    redeemed: ({ at, ...found }) => {
      const call = { ...found, mode: 'live', detail: null } as const;
      if (chance() < LOOKED_AT) {
        record({ ...call, at: at - 4_000 - chance() * 20_000, cause: 'valid', redeem: false });
      }
      record({ ...call, at, cause: 'redeemed', redeem: true });
      if (chance() < TRIED_AGAIN) {
        const again = at + chance() * 20 * MINUTE_MS;
        record({ ...call, at: again, cause: 'already_redeemed', redeem: true });
      }
    },
    failed: ({ mode = 'live', token = madeUpToken(chance), detail = null, ...call }) => {
      record({
        ...call,
        mode,
        token,
        detail,
        redeem: token === null ? null : true,
        offerId: null,
        via: null,
      });
    },
    fromBrowser: async ({ key, origin }) => {
      recorder.recordBrowserCall({
        keyHash: hashKey(key),
        origin,
        detail: 'The request has an Origin header: it comes from a browser. Nothing was redeemed.',
        requestLine: `POST ${VERIFY_PATH}`,
        ip: VISITOR_IP,
        userAgent: BROWSER,
        requestId: requestIds(),
      });
      await recorder.flush();
    },
    write: () => recorder.flush(),
    close: () => recorder.close(),
  };
}

const latencyUs = (chance: Chance): number =>
  FASTEST_US + Math.round(chance() ** 4 * 9_000 + chance() * 1_200);

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const madeUpToken = (chance: Chance): string =>
  Array.from({ length: 24 }, () => LETTERS[Math.floor(chance() * LETTERS.length)]).join('');
