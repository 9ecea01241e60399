/**
 * Limits how many API keys that are not known to be good one network may have looked up: made-up keys with a right
 * checksum would otherwise each get a separate rate limit and a place in a batch. A key that was good the last time
 * is never limited here, so a customer who shares a network with an attacker is still served.
 */
import type { KnownKey, Trial } from './known-keys.ts';
import { createNetworkLimit, giveBack } from './network-limit.ts';

/** Look-ups a second and network, with bursts of twice that. */
export const UNKNOWN_KEYS_PER_SECOND = 20;
/** Most hashes of good keys that are kept. When there are more, the oldest is dropped. */
export const MAX_GOOD_KEYS = 10_000;

/** The detail of a call whose unknown key was not looked up. */
export const TOO_MANY_UNKNOWN_KEYS = 'Too many unknown API keys come from this network.';

/** One for each process, for all operations together. */
export interface UnknownKeyLimit {
  /** Takes a look-up from the network's limit. `null`: look the key up; else the headers of a refusal (429). */
  pay(key: KnownKey, network: () => string, now: number): string[] | null;
  /** Records what the look-up found. `isGood`: `null` where it failed. */
  judge(key: KnownKey, isGood: boolean | null): void;
  /** A call ended before its look-up, for example because the client disconnected. */
  giveUp(key: KnownKey, trial: Trial): void;
}

/**
 * `perSecond`: 0 allows everything. `goodKeys`: SHA-256 of keys that were used before this process began, the most
 * recently used first.
 */
export function createUnknownKeyLimit(perSecond: number, goodKeys: readonly Uint8Array[]): UnknownKeyLimit {
  const take = createNetworkLimit('unknown-keys', perSecond);
  const good = new Set(goodKeys.slice(0, MAX_GOOD_KEYS).map(textOf).reverse());

  return {
    pay(key, network, now) {
      // Calls with the same key share the look-up that the first of them has paid for.
      if (key.isGood) return null;
      if (key.trial !== null) {
        key.trial.calls += 1;
        return null;
      }
      if (good.has(textOf(key.hash))) {
        key.isGood = true;
        return null;
      }
      const { buckets, refusal } = take(network(), now);
      if (refusal === null) key.trial = { buckets, calls: 1 };
      return refusal;
    },
    judge(key, isGood) {
      if (key.isGood && isGood !== false) return;
      // Only an unknown key counts against the limit.
      if (key.trial !== null && isGood !== false) giveBack(key.trial.buckets);
      key.trial = null;
      if (isGood === null) return;
      key.isGood = isGood;
      if (!isGood) good.delete(textOf(key.hash));
      else {
        if (good.size >= MAX_GOOD_KEYS) good.delete(good.keys().next().value!);
        good.add(textOf(key.hash));
      }
    },
    giveUp(key, trial) {
      trial.calls -= 1;
      if (trial.calls > 0 || key.trial !== trial) return;
      giveBack(trial.buckets);
      key.trial = null;
    },
  };
}

const textOf = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1');
