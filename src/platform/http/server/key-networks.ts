/**
 * Keys that may be used only from some networks. Each call looks up the networks again. Parsing them once per key, and
 * not at all for keys without networks, keeps the check cheap.
 */
import { createMatcher, networkList } from '../../network/network.ts';
import { type CachedKey, fromEverywhere } from './cached-keys.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Whether the client is outside the networks of the key, which are `text` according to the latest lookup. A client
 * without a known address is outside.
 */
export function isOutside(
  { networks }: Pick<CachedKey, 'networks'>,
  text: string | null,
  address: () => string | null,
): boolean {
  if (networks.text !== text) {
    networks.text = text;
    networks.includes = text === null ? fromEverywhere : createMatcher(networkList(text.split(' ')));
    networks.outside = null;
  }
  if (text === null) return false;
  const client = address();
  return client === null || !networks.includes(client);
}

/**
 * Returns the state of the key for this client. Clients outside the networks have a separate state, which is never good:
 * their calls count as calls with an unknown key, and can't use up the rate limit of the owner's server.
 */
export function stateFor<Kind extends string>(
  key: CachedKey<Kind>,
  address: () => string | null,
  limit: RateLimit,
  now: number,
): CachedKey<Kind> {
  const { networks } = key;
  if (networks.text === null || !isOutside(key, networks.text, address)) return key;
  networks.outside ??= { ...key, bucket: limit.bucket(now), isGood: false, pendingLookup: null };
  return networks.outside as CachedKey<Kind>;
}
