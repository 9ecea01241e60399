/** Caches the API keys of recent calls with their rate-limit buckets, and limits the lookups of unknown keys. */
import { type Bucket, createNetworkLimit, giveBack, type RateLimit } from './rate-limit.ts';
import { bearerCredentials } from './request-checks.ts';

/** Maximum number of keys in memory, separately for valid keys and other keys. The oldest key is evicted first. */
export const MAX_CACHED_KEYS = 10_000;

export interface ReadKey<Kind extends string> {
  /** SHA-256 of the key as sent. */
  readonly hash: Uint8Array;
  readonly kind: Kind;
}

export interface CachedKey<Kind extends string = string> extends ReadKey<Kind> {
  readonly bucket: Bucket;
  /** Whether the key was valid at its last lookup. Each call looks up the key again. */
  isGood: boolean;
  /** The pending lookup, if the key is not known to be valid. */
  pendingLookup: PendingLookup | null;
  readonly networks: KeyNetworks;
}

/** The networks of a key according to its last lookup. All states of a key share this object (`key-networks.ts`). */
export interface KeyNetworks {
  /** As stored: separated by spaces. `null`: the key may be used from everywhere. */
  text: string | null;
  includes: (address: string) => boolean;
  /** The state of the key for clients outside its networks; `null` until there is one. */
  outside: CachedKey | null;
}

export const fromEverywhere = (): boolean => true;

export const createKeyNetworks = (): KeyNetworks => ({ text: null, includes: fromEverywhere, outside: null });

/** A pending lookup of an unknown key. Concurrent calls with the key count as one lookup. */
export interface PendingLookup {
  /** The buckets from which the lookup took a token: one for each network that the client belongs to. */
  readonly buckets: readonly Bucket[];
  /** Number of calls that are waiting for the lookup. */
  calls: number;
}

/** Returns `null` if the header has no well-formed key. `now`: monotonic milliseconds. */
export type FindCachedKey<Kind extends string> = (
  authorization: string | undefined,
  now: number,
) => CachedKey<Kind> | null;

/** Valid keys are separate: made-up keys can't evict them, and so can't give the next call a full bucket. */
export function createKeyCache<Kind extends string>(
  limit: RateLimit,
  readKey: (text: string) => ReadKey<Kind> | null,
): FindCachedKey<Kind> {
  const good = new Map<string, CachedKey<Kind>>();
  const others = new Map<string, CachedKey<Kind>>();
  const keepGood = (text: string, key: CachedKey<Kind>) => {
    others.delete(text);
    addLast(good, text, key);
  };
  return (authorization, now) => {
    const text = bearerCredentials(authorization);
    if (text === null) return null;
    const cached = good.get(text);
    if (cached !== undefined) return cached;
    const other = others.get(text);
    if (other !== undefined) {
      if (other.isGood) keepGood(text, other);
      return other;
    }
    const read = readKey(text);
    if (read === null) return null;
    const fresh: CachedKey<Kind> = {
      ...read,
      bucket: limit.bucket(now),
      isGood: false,
      pendingLookup: null,
      networks: createKeyNetworks(),
    };
    const evicted = addLast(others, text, fresh);
    if (evicted?.[1].isGood) keepGood(...evicted);
    return fresh;
  };
}

function addLast<Key>(keys: Map<string, Key>, text: string, key: Key): readonly [string, Key] | null {
  const evicted = keys.size < MAX_CACHED_KEYS ? null : keys.entries().next().value!;
  if (evicted !== null) keys.delete(evicted[0]);
  keys.set(text, key);
  return evicted;
}

/** Maximum number of lookups of unknown keys per second per network, with bursts of twice as many. */
export const UNKNOWN_KEYS_PER_SECOND = 20;
/** Maximum number of hashes of valid keys in memory. The oldest is evicted first. */
export const MAX_GOOD_KEYS = 10_000;

export const TOO_MANY_UNKNOWN_KEYS = 'Too many calls with unknown API keys from this network.';

/**
 * Limits how many lookups of unknown API keys one network can cause. Without this limit, each made-up key with a
 * correct checksum would get its own rate limit. A key that was valid at its last lookup is exempt, so that a customer
 * who shares a network with an attacker is still served. Create only one per process.
 */
export type UnknownKeyLimit = ReturnType<typeof createUnknownKeyLimit>;

/**
 * `perSecond`: 0 disables the limit. `goodKeys`: hashes of keys that were used before this process started, the most
 * important first; those after `MAX_GOOD_KEYS` are ignored.
 */
export function createUnknownKeyLimit(perSecond: number, goodKeys: readonly Uint8Array[]) {
  const take = createNetworkLimit('unknown-keys', perSecond);
  const good = new Set(goodKeys.slice(0, MAX_GOOD_KEYS).map(textOf).reverse());

  return {
    /** Counts a lookup against the network's limit. Returns the headers of a 429 response if the limit is reached. */
    charge(key: CachedKey, network: () => string, now: number): string[] | null {
      if (key.isGood) return null;
      if (key.pendingLookup !== null) {
        key.pendingLookup.calls += 1;
        return null;
      }
      if (!isOutsideState(key) && good.has(textOf(key.hash))) {
        key.isGood = true;
        return null;
      }
      const { buckets, refusal } = take(network(), now);
      if (refusal === null) key.pendingLookup = { buckets, calls: 1 };
      return refusal;
    },
    /** Records the result of the lookup. `isGood`: `null` if the lookup failed. */
    settle(key: CachedKey, isGood: boolean | null): void {
      if (key.isGood && isGood !== false) return;
      // Only lookups of keys that turn out to be invalid count against the limit.
      if (key.pendingLookup !== null && isGood !== false) giveBack(key.pendingLookup.buckets);
      key.pendingLookup = null;
      if (isGood === null) return;
      key.isGood = isGood;
      if (!isGood) {
        if (!isOutsideState(key)) good.delete(textOf(key.hash));
      } else {
        if (good.size >= MAX_GOOD_KEYS) good.delete(good.keys().next().value!);
        good.add(textOf(key.hash));
      }
    },
    /** For a call that ended before its lookup started, for example because the client disconnected. */
    refund(key: CachedKey, lookup: PendingLookup): void {
      lookup.calls -= 1;
      if (lookup.calls > 0 || key.pendingLookup !== lookup) return;
      giveBack(lookup.buckets);
      key.pendingLookup = null;
    },
  };
}

const isOutsideState = (key: CachedKey): boolean => key.networks.outside === key;

const textOf = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1');
