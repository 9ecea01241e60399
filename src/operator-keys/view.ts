/** Operator keys as pages show them. */
import type { Context } from '../context.ts';
import { type KeyState, keyState } from '../keys/key.ts';
import { isEndingSoon } from '../keys/view.ts';
import { OPERATOR_KEY_PREFIX, splitScopes } from './operator-key.ts';
import { type ListedOperatorKey, listNewestOperatorKeys } from './queries.ts';

export interface OperatorKeyView {
  readonly id: string;
  readonly accountId: string;
  /** Name of the operator in whose name it acts. */
  readonly operator: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The first characters, prefix included, by which people recognise a key. */
  readonly start: string;
  /** `suspended`: active, and refused while its operator is suspended. */
  readonly state: KeyState | 'suspended';
  /** The key is active and ends within a week. */
  readonly endsSoon: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** At most a minute stale. */
  readonly lastUsedAt: string | null;
}

/** Keys of a page; `operator-keys list` has them all. */
const KEYS_SHOWN = 300;

/** The keys of all operators, newest first: keys that are active before those that ended. */
export async function listOperatorKeyViews(
  context: Pick<Context, 'db' | 'now'>,
): Promise<readonly OperatorKeyView[]> {
  const now = context.now();
  const keys = await listNewestOperatorKeys(context.db.read, new Date(now).toISOString(), KEYS_SHOWN);
  return keys.map((key) => toView(key, now));
}

function toView(key: ListedOperatorKey, now: number): OperatorKeyView {
  const state = keyState({ expiresAt: key.expires_at, revokedAt: key.revoked_at }, now);
  return {
    id: key.id,
    accountId: key.account_id,
    operator: key.operator,
    name: key.name,
    scopes: splitScopes(key.scopes),
    start: OPERATOR_KEY_PREFIX + key.start,
    state: state === 'active' && key.suspended_at !== null ? 'suspended' : state,
    endsSoon: isEndingSoon(state, key.expires_at, now),
    createdAt: key.created_at,
    expiresAt: key.expires_at,
    revokedAt: key.revoked_at,
    lastUsedAt: key.last_used_at,
  };
}

/** A `.env` file for the marketplace's server, made when the key is shown. */
export const operatorEnvFile = (input: {
  readonly baseUrl: string;
  readonly key: string;
  readonly name: string;
}): string =>
  `# Operator key "${input.name}". Keep it on your server.
CLAIMCHECK_URL=${input.baseUrl}
CLAIMCHECK_KEY=${input.key}
`;
