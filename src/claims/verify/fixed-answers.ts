/** Decides what a call with a fixed token is answered, and keeps answers that are sent late. */
import { MINUTE_MS } from '../../durations.ts';
import type { Drain } from '../../http/drain.ts';
import { ALREADY_REDEEMED, type FixedAnswer, type FixedToken } from './fixed-tokens.ts';

/** Delay of a late answer: more than the five seconds that the documentation gives a client. */
export const LATE_ANSWER_MS = 6_000;
/** How long a first redemption is remembered; then the same call is a first one again. */
export const FIRST_REDEMPTION_KEPT_MS = 10 * MINUTE_MS;
/** First redemptions in memory; the oldest one is forgotten first. */
export const MAX_FIRST_REDEMPTIONS = 10_000;
/** Late answers that wait at a time. */
export const MAX_LATE_ANSWERS = 256;
const LATE_CHECK_INTERVAL_MS = 50;

export interface FixedCall {
  readonly token: FixedToken;
  readonly redeem: boolean;
  /** `shortHash` of the Idempotency-Key; `null` without one. */
  readonly idempotencyHash: Uint8Array | null;
}

export interface FixedReply {
  readonly answer: FixedAnswer;
  readonly replayed: boolean;
  readonly arrival: FixedToken['arrival'];
}

/**
 * Makes the function that decides about the calls of a process. Only tokens with a late or lost answer need its memory:
 * the first redemption of a caller fails, a retry with the same Idempotency-Key gets the answer, and a retry without a
 * key gets `already_redeemed`. `caller`: an account, or the network of the sandbox key. `clock`: monotonic, in
 * milliseconds.
 */
export function createFixedReplies(clock: () => number): (call: FixedCall, caller: string) => FixedReply {
  const firstAt = new Map<string, number>();

  const isFirst = (call: FixedCall, caller: string): boolean => {
    const now = clock();
    const key = call.idempotencyHash === null ? '' : Buffer.from(call.idempotencyHash).toString('base64url');
    const redemption = `${caller} ${call.token.name} ${key}`;
    const known = firstAt.get(redemption);
    if (known !== undefined && now - known < FIRST_REDEMPTION_KEPT_MS) return false;
    firstAt.delete(redemption);
    if (firstAt.size >= MAX_FIRST_REDEMPTIONS) firstAt.delete(firstAt.keys().next().value!);
    firstAt.set(redemption, now);
    return true;
  };

  return (call, caller) => {
    const { token, redeem, idempotencyHash } = call;
    const atOnce = (answer: FixedAnswer, replayed = false): FixedReply => ({
      answer,
      replayed,
      arrival: 'at once',
    });
    if (!redeem) return atOnce(token.toVerify);
    if (token.arrival === 'at once') return atOnce(token.toRedeem);
    if (isFirst(call, caller)) return { answer: token.toRedeem, replayed: false, arrival: token.arrival };
    return idempotencyHash === null ? atOnce(ALREADY_REDEEMED) : atOnce(token.toRedeem, true);
  };
}

export interface LateAnswers {
  /** Calls `send` after `LATE_ANSWER_MS`, or as soon as the process stops. `false`: too many wait, and it is not called. */
  add(send: () => void): boolean;
}

export function createLateAnswers(drain: Pick<Drain, 'draining'>, clock: () => number): LateAnswers {
  const waiting: { readonly dueAt: number; readonly send: () => void }[] = [];
  const check = () => {
    while (waiting.length > 0 && (drain.draining || waiting[0]!.dueAt <= clock())) waiting.shift()!.send();
    if (waiting.length > 0) setTimeout(check, LATE_CHECK_INTERVAL_MS).unref();
  };
  return {
    add: (send) => {
      if (waiting.length >= MAX_LATE_ANSWERS) return false;
      waiting.push({ dueAt: clock() + LATE_ANSWER_MS, send });
      if (waiting.length === 1) setTimeout(check, LATE_CHECK_INTERVAL_MS).unref();
      return true;
    },
  };
}
