/** The well-formed API keys of recent calls, each with its hash and the rest of its rate limit. */
import type { Bucket, RateLimit } from './rate-limit.ts';
import { bearerCredentials } from './request-checks.ts';

/** Of good keys, and of all others; the one that came first is forgotten first. */
export const MAX_KNOWN_KEYS = 10_000;

/** What the text of a well-formed key says. */
export interface ReadKey<Kind extends string> {
  /** SHA-256 of the key as it was sent. */
  readonly hash: Uint8Array;
  readonly kind: Kind;
}

/** Whether the key is valid now, only the database knows. */
export interface KnownKey<Kind extends string = string> extends ReadKey<Kind> {
  readonly bucket: Bucket;
  /** The database found it valid the last time. */
  isGood: boolean;
  /** While it is not known whether the key is good. */
  trial: Trial | null;
}

/** One look-up of an unknown key, which its calls share. */
export interface Trial {
  /** What the look-up was taken from. */
  readonly bucket: Bucket;
  /** Calls that may still bring the look-up about. */
  calls: number;
}

/** The key of an Authorization header; `null` without one and for a malformed one. `now`: monotonic milliseconds. */
export type FindKnownKey<Kind extends string> = (
  authorization: string | undefined,
  now: number,
) => KnownKey<Kind> | null;

/**
 * `readKey`: `null` for a text that is no well-formed key. Keys that were good are kept apart: anybody can make up keys,
 * and they must not displace the bucket of a good one, which would be full when the key comes back.
 */
export function createKnownKeys<Kind extends string>(
  limit: RateLimit,
  readKey: (text: string) => ReadKey<Kind> | null,
): FindKnownKey<Kind> {
  const good = new Map<string, KnownKey<Kind>>();
  const others = new Map<string, KnownKey<Kind>>();
  const keepGood = (text: string, key: KnownKey<Kind>) => {
    others.delete(text);
    addLast(good, text, key);
  };
  return (authorization, now) => {
    const text = bearerCredentials(authorization);
    if (text === null) return null;
    const found = good.get(text);
    if (found !== undefined) return found;
    const other = others.get(text);
    if (other !== undefined) {
      if (other.isGood) keepGood(text, other);
      return other;
    }
    const read = readKey(text);
    if (read === null) return null;
    const fresh: KnownKey<Kind> = { ...read, bucket: limit.bucket(now), isGood: false, trial: null };
    const displaced = addLast(others, text, fresh);
    if (displaced?.[1].isGood) keepGood(...displaced);
    return fresh;
  };
}

/** Returns the entry that had to make room. */
function addLast<Key>(keys: Map<string, Key>, text: string, key: Key): readonly [string, Key] | null {
  const displaced = keys.size < MAX_KNOWN_KEYS ? null : keys.entries().next().value!;
  if (displaced !== null) keys.delete(displaced[0]);
  keys.set(text, key);
  return displaced;
}
