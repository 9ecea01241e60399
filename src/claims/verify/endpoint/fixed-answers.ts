/** Decides what a call with a fixed token is answered, and keeps answers that are sent late. */

import type { Drain } from '../../../http/server/drain.ts';
import { MINUTE_MS } from '../../../text/durations.ts';
import { createWatch } from '../decision/watch.ts';
import { ALREADY_REDEEMED, type FixedAnswer, type FixedToken } from './fixed-tokens.ts';

/** Delay of a late answer: more than the five seconds that the documentation gives a client. */
export const LATE_ANSWER_MS = 6_000;
/** How long a first redemption is remembered; then the same call is a first one again. */
export const FIRST_REDEMPTION_KEPT_MS = 10 * MINUTE_MS;
/** First redemptions in memory; the oldest one is forgotten first. */
export const MAX_FIRST_REDEMPTIONS = 10_000;
/** Late answers that wait at a time. */
export const MAX_LATE_ANSWERS = 256;

export interface FixedReply {
  readonly answer: FixedAnswer;
  readonly replayed: boolean;
  readonly arrival: FixedToken['arrival'];
}

/** Decides what a call is answered. `caller`: an account, or the network of the sandbox key. */
export type FixedReplies = (
  token: FixedToken,
  call: { readonly redeem: boolean | null; readonly idempotencyHash: Uint8Array | null },
  caller: string,
) => FixedReply;

/**
 * Decides about the calls of a process. Only tokens with a late or lost answer need its memory: the first redemption of a
 * caller fails, a retry with the same Idempotency-Key gets the answer, and a retry without a key gets `already_redeemed`.
 * `clock`: monotonic, in milliseconds.
 */
export function createFixedReplies(clock: () => number): FixedReplies {
  const firstAt = new Map<string, number>();

  /** Notes the redemption if it is the first. */
  const isFirst = (redemption: string): boolean => {
    const now = clock();
    const known = firstAt.get(redemption);
    if (known !== undefined && now - known < FIRST_REDEMPTION_KEPT_MS) return false;
    firstAt.delete(redemption);
    if (firstAt.size >= MAX_FIRST_REDEMPTIONS) firstAt.delete(firstAt.keys().next().value!);
    firstAt.set(redemption, now);
    return true;
  };

  return ({ name, toVerify, toRedeem, arrival }, { redeem, idempotencyHash }, caller) => {
    const immediate = {
      answer: redeem ? toRedeem : toVerify,
      replayed: false,
      arrival: 'immediate' as const,
    };
    if (!redeem || arrival === 'immediate') return immediate;
    const key = idempotencyHash === null ? '' : Buffer.from(idempotencyHash).toString('base64url');
    if (isFirst(`${caller} ${name} ${key}`)) return { ...immediate, arrival };
    return idempotencyHash === null
      ? { ...immediate, answer: ALREADY_REDEEMED }
      : { ...immediate, replayed: true };
  };
}

export interface LateAnswers {
  /** Calls `send` after `LATE_ANSWER_MS`, or as soon as the process stops. `false`: too many wait, and it is not called. */
  add(send: () => void): boolean;
}

export function createLateAnswers(drain: Pick<Drain, 'draining'>, clock: () => number): LateAnswers {
  const waiting: { readonly dueAt: number; readonly send: () => void }[] = [];
  const watch = createWatch(() => {
    while (waiting.length > 0 && (drain.draining || waiting[0]!.dueAt <= clock())) waiting.shift()!.send();
    return waiting.length > 0;
  });
  return {
    add: (send) => {
      if (waiting.length >= MAX_LATE_ANSWERS) return false;
      waiting.push({ dueAt: clock() + LATE_ANSWER_MS, send });
      watch();
      return true;
    },
  };
}
