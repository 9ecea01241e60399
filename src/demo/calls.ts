/** The demo's request log: recent calls of the owners' servers, with their failures. */
import { createAttemptRecorder } from '../attempts/recorder.ts';
import { ATTEMPTS_KEPT_DAYS } from '../attempts/sweep.ts';
import { hashToken } from '../claims/token.ts';
import type { Context } from '../context.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { createRequestIds } from '../http/request-id.ts';
import { hashKey } from '../keys/key.ts';
import { type Chance, createChance } from './chance.ts';
import { DAY_MS, MINUTE_MS } from './days.ts';

export interface RedeemedCall {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly token: string;
  readonly via: string | null;
}

export interface FailedCall {
  readonly at: number;
  readonly accountId: string;
  readonly keyId: string;
  readonly outcome: ErrorCode | 'not_found';
  readonly tokenLast4?: string;
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

export function createCallLog(past: Context, end: number): CallLog {
  const recorder = createAttemptRecorder(past);
  const chance = createChance(SEED);
  const requestIds = createRequestIds();
  const since = end - ATTEMPTS_KEPT_DAYS * DAY_MS;
  const verified = new Set<string>();
  const lastUsed = new Map<string, number>();
  const record = (
    call: Omit<RedeemedCall, 'token'> & {
      readonly status: number;
      readonly outcome: string;
      readonly redeem: boolean;
      readonly tokenLast4: string | null;
      readonly tokenHash: Uint8Array | null;
    },
  ) => {
    const { at: atMs, ...rest } = call;
    if (atMs >= end) return;
    // A refused key does not count as used. Calls arrive here out of order.
    if (call.outcome !== 'invalid_api_key' && atMs > (lastUsed.get(call.keyId) ?? 0)) {
      lastUsed.set(call.keyId, atMs);
      recorder.touch(call.accountId, call.keyId, atMs);
    }
    // An account's first verification is kept even after the log has deleted it.
    if (atMs < since && verified.has(call.accountId)) return;
    verified.add(call.accountId);
    recorder.record({
      ...rest,
      atMs,
      requestId: requestIds(),
      foundClaim: call.status === 200,
      latencyUs: latencyUs(chance),
      ip: SERVER_IP,
    });
  };

  return {
    redeemed: ({ at, token, ...call }) => {
      const ofToken = { ...call, status: 200, tokenLast4: token.slice(-4), tokenHash: hashToken(token) };
      if (chance() < LOOKED_AT) {
        record({ ...ofToken, at: at - 4_000 - chance() * 20_000, outcome: 'valid', redeem: false });
      }
      record({ ...ofToken, at, outcome: 'redeemed', redeem: true });
      if (chance() < TRIED_AGAIN) {
        const again = at + chance() * 20 * MINUTE_MS;
        record({ ...ofToken, at: again, outcome: 'already_redeemed', redeem: true });
      }
    },
    failed: ({ outcome, tokenLast4 = lastFour(chance), ...call }) => {
      const hasToken = outcome === 'not_found' || outcome === 'idempotency_key_reused';
      record({
        ...call,
        outcome,
        status: outcome === 'not_found' ? 404 : ERRORS[outcome].status,
        redeem: hasToken,
        tokenLast4: hasToken ? tokenLast4 : null,
        tokenHash: null,
        via: null,
      });
    },
    fromBrowser: async ({ key, origin }) => {
      recorder.recordBrowserCall({
        keyHash: hashKey(key),
        origin,
        ip: VISITOR_IP,
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
const lastFour = (chance: Chance): string =>
  Array.from({ length: 4 }, () => LETTERS[Math.floor(chance() * LETTERS.length)]).join('');
