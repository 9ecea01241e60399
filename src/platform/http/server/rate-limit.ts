import { networksOf } from '../../network/network.ts';

/** A full bucket holds the tokens of this many seconds. */
export const BURST_SECONDS = 2;

export interface Bucket {
  tokens: number;
  /** Milliseconds of a monotonic clock. */
  at: number;
}

export interface RateLimit {
  bucket(now: number): Bucket;
  /** Takes a token. Returns false if there is none. `now`: milliseconds of a monotonic clock. */
  take(bucket: Bucket, now: number): boolean;
  /** Headers of a 429 response, alternating names and values (RFC 9110, draft-ietf-httpapi-ratelimit-headers-10). */
  headers(bucket: Bucket): string[];
}

/** `perSecond`: an integer; 0 disables the limit. `policy`: the name of the limit in the headers. */
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

/** Maximum number of buckets in memory per network width. The oldest is evicted first. */
const MAX_NETWORKS = 10_000;

interface NetworkTokens {
  /** The buckets from which a token was taken; empty after a refusal. */
  readonly buckets: readonly Bucket[];
  /** Headers of a 429 response; `null` if tokens were taken. */
  readonly refusal: string[] | null;
}

/** Takes a token for each of the client's networks. `network`: the result of `networkOf`. `now`: monotonic ms. */
export type TakeNetworkToken = (network: string, now: number) => NetworkTokens;

/** `perSecond`: the rate of the narrowest network. Wider networks have a multiple of this rate (`networksOf`). */
export function createNetworkLimit(policy: string, perSecond: number): TakeNetworkToken {
  const widths = new Map<number, { readonly limit: RateLimit; readonly buckets: Map<string, Bucket> }>();
  return (client, now) => {
    const charged: Bucket[] = [];
    for (const { network, times } of networksOf(client)) {
      const { limit, buckets } = widths.getOrInsertComputed(times, () => ({
        limit: createRateLimit(policy, perSecond * times),
        buckets: new Map(),
      }));
      const bucket = bucketOf(buckets, network, () => limit.bucket(now));
      if (!limit.take(bucket, now)) {
        giveBack(charged);
        return { buckets: [], refusal: limit.headers(bucket) };
      }
      charged.push(bucket);
    }
    return { buckets: charged, refusal: null };
  };
}

export function giveBack(buckets: readonly Bucket[]): void {
  for (const bucket of buckets) bucket.tokens += 1;
}

function bucketOf(buckets: Map<string, Bucket>, network: string, fresh: () => Bucket): Bucket {
  const existing = buckets.get(network);
  if (existing !== undefined) return existing;
  if (buckets.size >= MAX_NETWORKS) buckets.delete(buckets.keys().next().value!);
  const bucket = fresh();
  buckets.set(network, bucket);
  return bucket;
}
