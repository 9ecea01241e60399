/** The well-formed API keys of recent calls, each with its hash and the rest of its rate limit. */
import type { Bucket, RateLimit } from './rate-limit.ts';
import { bearerCredentials } from './request-checks.ts';

/** The key that came first is forgotten first. */
const MAX_KNOWN_KEYS = 10_000;

/** Whether the key is valid now, only the database knows. */
export interface KnownKey {
  /** SHA-256 of the key as it was sent. */
  readonly hash: Uint8Array;
  readonly bucket: Bucket;
  /** The database found it valid the last time. */
  isGood: boolean;
  /** The bucket that a look-up under way was taken from, while it is not known whether the key is good. */
  trial: Bucket | null;
}

/** The key of an Authorization header; `null` without one and for a malformed one. `now`: monotonic milliseconds. */
export type FindKnownKey = (authorization: string | undefined, now: number) => KnownKey | null;

/** `hashOf`: SHA-256 of a well-formed key, `null` for any other text. */
export function createKnownKeys(limit: RateLimit, hashOf: (key: string) => Uint8Array | null): FindKnownKey {
  const keys = new Map<string, KnownKey>();
  return (authorization, now) => {
    const text = bearerCredentials(authorization);
    if (text === null) return null;
    const known = keys.get(text);
    if (known !== undefined) return known;
    const hash = hashOf(text);
    if (hash === null) return null;
    if (keys.size >= MAX_KNOWN_KEYS) keys.delete(keys.keys().next().value!);
    const fresh: KnownKey = { hash, bucket: limit.bucket(now), isGood: false, trial: null };
    keys.set(text, fresh);
    return fresh;
  };
}
