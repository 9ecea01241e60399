/** A rate limit by network of clients. */
import { networksOf } from '../../network/network.ts';
import { type Bucket, createRateLimit, type RateLimit } from './rate-limit.ts';

/** Most networks of one width with a bucket. When there are more, the oldest bucket is dropped. */
const MAX_NETWORKS = 10_000;

/** The outcome of taking a token of each network that a client is in. */
export interface NetworkTokens {
  /** Where a token was taken; empty after a refusal. */
  readonly buckets: readonly Bucket[];
  /** Headers of a refusal; `null`: there was a token. */
  readonly refusal: string[] | null;
}

/** Takes a token for a client of a network (`networkOf`). `now`: monotonic milliseconds. */
export type TakeNetworkToken = (network: string, now: number) => NetworkTokens;

/** `perSecond` as for `createRateLimit`, for the smallest network. */
export function createNetworkLimit(policy: string, perSecond: number): TakeNetworkToken {
  const widths = new Map<number, { readonly limit: RateLimit; readonly buckets: Map<string, Bucket> }>();
  const widthOf = (times: number) => {
    const width = widths.get(times) ?? {
      limit: createRateLimit(policy, perSecond * times),
      buckets: new Map(),
    };
    widths.set(times, width);
    return width;
  };
  return (client, now) => {
    const taken: Bucket[] = [];
    for (const { network, times } of networksOf(client)) {
      const { limit, buckets } = widthOf(times);
      const bucket = bucketOf(buckets, network, () => limit.bucket(now));
      if (!limit.take(bucket, now)) {
        giveBack(taken);
        return { buckets: [], refusal: limit.headers(bucket) };
      }
      taken.push(bucket);
    }
    return { buckets: taken, refusal: null };
  };
}

/** Undoes a `TakeNetworkToken`. */
export function giveBack(buckets: readonly Bucket[]): void {
  for (const bucket of buckets) bucket.tokens += 1;
}

function bucketOf(buckets: Map<string, Bucket>, network: string, fresh: () => Bucket): Bucket {
  const known = buckets.get(network);
  if (known !== undefined) return known;
  if (buckets.size >= MAX_NETWORKS) buckets.delete(buckets.keys().next().value!);
  const bucket = fresh();
  buckets.set(network, bucket);
  return bucket;
}
