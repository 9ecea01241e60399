/** The well-formed API keys of recent calls, each with its hash and the rest of its rate limit. */
import type { Bucket, RateLimit } from './rate-limit.ts';
import { bearerCredentials } from './request-checks.ts';

/** The key that came first is forgotten first. */
const MAX_KNOWN_KEYS = 10_000;

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
  /** The bucket that a look-up under way was taken from, while it is not known whether the key is good. */
  trial: Bucket | null;
}

/** The key of an Authorization header; `null` without one and for a malformed one. `now`: monotonic milliseconds. */
export type FindKnownKey<Kind extends string> = (
  authorization: string | undefined,
  now: number,
) => KnownKey<Kind> | null;

/** `readKey`: `null` for a text that is no well-formed key. */
export function createKnownKeys<Kind extends string>(
  limit: RateLimit,
  readKey: (text: string) => ReadKey<Kind> | null,
): FindKnownKey<Kind> {
  const keys = new Map<string, KnownKey<Kind>>();
  return (authorization, now) => {
    const text = bearerCredentials(authorization);
    if (text === null) return null;
    const known = keys.get(text);
    if (known !== undefined) return known;
    const read = readKey(text);
    if (read === null) return null;
    if (keys.size >= MAX_KNOWN_KEYS) keys.delete(keys.keys().next().value!);
    const fresh: KnownKey<Kind> = { ...read, bucket: limit.bucket(now), isGood: false, trial: null };
    keys.set(text, fresh);
    return fresh;
  };
}
