/** The rate limit of one API key in one process: a token bucket. */

/** A bucket holds this many seconds' worth of the rate. */
export const BURST_SECONDS = 2;

/** `tokens` as of `at`, milliseconds of a monotonic clock. */
export interface Bucket {
  tokens: number;
  at: number;
}

export interface RateLimit {
  /** A full bucket. */
  bucket(now: number): Bucket;
  /** Takes a token; false when there is none. `now`: milliseconds of a monotonic clock. */
  take(bucket: Bucket, now: number): boolean;
  /**
   * Headers of a refusal, names and values in turn: Retry-After in whole seconds (RFC 9110 section 10.2.3),
   * RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-10).
   */
  headers(bucket: Bucket): string[];
}

/**
 * `perSecond`, a whole number, requests a second with bursts of twice that; 0 allows everything. `policy` names the
 * limit in the headers.
 */
export function createRateLimit(policy: string, perSecond: number): RateLimit {
  const burst = perSecond * BURST_SECONDS;
  return {
    bucket: (now) => ({ tokens: burst, at: now }),
    take(bucket, now) {
      if (perSecond === 0) return true;
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perSecond) / 1000);
      bucket.at = now;
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    headers(bucket) {
      const wait = String(Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)));
      return [
        'Retry-After',
        wait,
        'RateLimit-Policy',
        `"${policy}";q=${burst};w=${BURST_SECONDS}`,
        'RateLimit',
        `"${policy}";r=0;t=${wait}`,
      ];
    },
  };
}
