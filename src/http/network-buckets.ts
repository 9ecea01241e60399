/** A rate-limit bucket for each network of clients. */
import type { Bucket, RateLimit } from './rate-limit.ts';

/** Most networks with a bucket. When there are more, the oldest bucket is dropped. */
const MAX_NETWORKS = 10_000;

/** The bucket of a network (`networkOf`). `now`: monotonic milliseconds. */
export function createNetworkBuckets(limit: RateLimit): (network: string, now: number) => Bucket {
  const buckets = new Map<string, Bucket>();
  return (network, now) => {
    const known = buckets.get(network);
    if (known !== undefined) return known;
    if (buckets.size >= MAX_NETWORKS) buckets.delete(buckets.keys().next().value!);
    const fresh = limit.bucket(now);
    buckets.set(network, fresh);
    return fresh;
  };
}
