/** Buffers attempts, counts of unrecorded calls, and last uses of API keys in memory until the next flush. */

import type { EpochMs } from '../../platform/text/time-text.ts';
import type { Attempt } from './attempt.ts';
import { CAUSES, isFound } from './cause.ts';
import type { KeyUse, UnrecordedCalls } from './queries.ts';

/** Maximum size of `verified`, which remembers account-outcome pairs whose first verification is already written. */
const REMEMBERED_ACCOUNTS = 20_000;

/** `perAccount` prevents a busy account from filling the buffer. */
export function createAttemptBuffer({ perAccount, total }: Readonly<Record<'perAccount' | 'total', number>>) {
  let attempts: Attempt[] = [];
  let ofAccount = new Map<string, number>();
  let firsts = new Map<string, Attempt>();
  let unrecorded = new Map<string, UnrecordedCalls>();
  const verified = new Set<string>();
  return {
    accepts: (accountId: string): boolean =>
      attempts.length < total && (ofAccount.get(accountId) ?? 0) < perAccount,
    /** Returns whether the attempt may be the account's first verification with this outcome. */
    add: (attempt: Attempt): boolean => {
      const { accountId } = attempt;
      attempts.push(attempt);
      ofAccount.set(accountId, (ofAccount.get(accountId) ?? 0) + 1);
      if (!isFound(attempt.cause)) return false;
      const key = firstKeyOf(attempt);
      if (verified.has(key)) return false;
      if (!firsts.has(key)) firsts.set(key, attempt);
      return true;
    },
    count: ({ accountId, calls, lastMs }: UnrecordedCalls): void => {
      const before = unrecorded.get(accountId);
      unrecorded.set(accountId, {
        accountId,
        calls: (before?.calls ?? 0) + calls,
        lastMs: Math.max(before?.lastMs ?? 0, lastMs),
      });
    },
    size: (): number => attempts.length,
    /** `firsts`: per account and outcome, the first attempt that found a claim, unless it is already written. */
    take: () => {
      const batch = { attempts, firsts: inKeyOrder(firsts), unrecorded: [...unrecorded.values()] };
      attempts = [];
      ofAccount = new Map();
      firsts = new Map();
      unrecorded = new Map();
      return batch;
    },
    written: (attempts: readonly Attempt[]): void => {
      if (verified.size + attempts.length > REMEMBERED_ACCOUNTS) verified.clear();
      for (const attempt of attempts) verified.add(firstKeyOf(attempt));
    },
  };
}

const firstKeyOf = ({ accountId, cause }: Attempt): string => `${accountId} ${CAUSES[cause].outcome}`;

/** All processes write these rows in key order, which prevents deadlocks. */
const inKeyOrder = (firsts: ReadonlyMap<string, Attempt>): Attempt[] =>
  [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, attempt]) => attempt);

/** Minimum time between two writes of a key's last use. The stored time is never more than a minute out of date. */
const KEY_USE_INTERVAL_MS = 30_000;
const TRACKED_KEYS = 20_000;

interface TrackedKey {
  readonly accountId: string;
  usedMs: number;
  writtenMs: number;
}

export function createKeyUses() {
  const keys = new Map<string, TrackedKey>();
  return {
    touch: (accountId: string, keyId: string, nowMs: EpochMs): void => {
      const key = keys.get(keyId);
      if (key !== undefined) key.usedMs = nowMs;
      else if (keys.size < TRACKED_KEYS) keys.set(keyId, { accountId, usedMs: nowMs, writtenMs: 0 });
    },
    /** The uses to store now. Call `written` once the uses are stored. */
    due: (nowMs: EpochMs): { readonly uses: readonly KeyUse[]; written(): void } => {
      const uses: KeyUse[] = [];
      for (const [keyId, { accountId, usedMs, writtenMs }] of keys) {
        if (nowMs - writtenMs < KEY_USE_INTERVAL_MS) continue;
        if (usedMs > writtenMs) uses.push({ accountId, keyId, usedMs });
        else keys.delete(keyId);
      }
      const written = () => {
        for (const { keyId, usedMs } of uses) keys.get(keyId)!.writtenMs = usedMs;
      };
      // All processes write keys in the same order, which prevents deadlocks.
      uses.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
      return { uses, written };
    },
  };
}
