/** The keys of an account as pages show them. */

import type { Context } from '../context.ts';
import type { Mode } from './key.ts';
import { type KeyState, keyState } from './key.ts';
import { type ListedKey, listNewestKeys } from './queries.ts';

/** Time left below which a key ends soon. */
const SOON_MS = 7 * 24 * 3_600_000;

/** Whether an active key ends within a week. */
export const isEndingSoon = (state: KeyState, expiresAt: string | null, now: number): boolean =>
  state === 'active' && expiresAt !== null && Date.parse(expiresAt) - now <= SOON_MS;

export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly mode: Mode;
  /** The first characters, prefix included, by which people recognise a key. */
  readonly start: string;
  readonly state: KeyState;
  /** The key is active and ends within a week. */
  readonly endsSoon: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** At most a minute stale. */
  readonly lastUsedAt: string | null;
  /** When a browser first sent it: such a key is public and must be rolled. */
  readonly seenInBrowserAt: string | null;
  /** The key that replaced it in a roll. */
  readonly rolledToId: string | null;
}

/** Most keys on a page: enough for all active ones, unless the operator made more than an account may have. */
const KEYS_SHOWN = 300;

/** Newest first: keys that are active before those that ended. `keys list` has them all. */
export async function listKeyViews(
  context: Pick<Context, 'db' | 'now'>,
  accountId: string,
): Promise<KeyView[]> {
  const now = context.now();
  const keys = await listNewestKeys(context.db.read, accountId, new Date(now).toISOString(), KEYS_SHOWN);
  return keys.map((key) => toView(key, now));
}

function toView(key: ListedKey, now: number): KeyView {
  const state = keyState({ expiresAt: key.expires_at, revokedAt: key.revoked_at }, now);
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    start: `cck_${key.mode}_${key.start}`,
    state,
    endsSoon: isEndingSoon(state, key.expires_at, now),
    createdAt: key.created_at,
    expiresAt: key.expires_at,
    revokedAt: key.revoked_at,
    lastUsedAt: key.last_used_at,
    seenInBrowserAt: key.seen_in_browser_at,
    rolledToId: key.rolled_to_id,
  };
}

/** `claimcheck.env` for the owner's server, made when the key is shown. */
export const envFile = (input: {
  readonly baseUrl: string;
  readonly key: string;
  readonly name: string;
}): string =>
  `# API key "${input.name}" of ${input.baseUrl}. Keep it on your server, and out of version control.
CLAIMCHECK_API_KEY=${input.key}
`;
