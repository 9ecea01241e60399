/** The keys of an account as pages show them. */

import type { Context } from '../context.ts';
import type { Mode } from './key.ts';
import { type KeyState, keyState } from './key.ts';
import { type ListedKey, listKeys } from './queries.ts';

/** Time left below which a key ends soon. */
const SOON_MS = 7 * 24 * 3_600_000;

export interface KeyView {
  readonly id: string;
  readonly name: string;
  readonly mode: Mode;
  /** The first characters, prefix included, to tell keys apart by. */
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

/** Newest first: keys that are active before those that ended. */
export async function listKeyViews(
  context: Pick<Context, 'db' | 'now'>,
  accountId: string,
): Promise<KeyView[]> {
  const now = context.now();
  const views = (await listKeys(context.db.read, accountId)).map((key) => toView(key, now)).reverse();
  return [
    ...views.filter(({ state }) => state === 'active'),
    ...views.filter(({ state }) => state !== 'active'),
  ];
}

function toView(key: ListedKey, now: number): KeyView {
  const state = keyState({ expiresAt: key.expires_at, revokedAt: key.revoked_at }, now);
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    start: `cck_${key.mode}_${key.start}`,
    state,
    endsSoon: state === 'active' && key.expires_at !== null && Date.parse(key.expires_at) - now <= SOON_MS,
    createdAt: key.created_at,
    expiresAt: key.expires_at,
    revokedAt: key.revoked_at,
    lastUsedAt: key.last_used_at,
    seenInBrowserAt: key.seen_in_browser_at,
    rolledToId: key.rolled_to_id,
  };
}

/** A `.env` file for the owner's server, made when the key is shown. */
export const envFile = (input: {
  readonly baseUrl: string;
  readonly key: string;
  readonly name: string;
}): string =>
  `# API key "${input.name}". Keep it on your server.
CLAIMCHECK_URL=${input.baseUrl}
CLAIMCHECK_API_KEY=${input.key}
`;
