import type { RestOfData } from '../../base/events/catalogue.ts';
import type { Actor } from '../../base/events/queries.ts';
import { invalid, Refusal } from '../../platform/errors.ts';
import { message, type Words } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { PLANS, planHasApiKeys, refuseDeleted } from '../accounts/account.ts';
import { personOf, requireOwner } from '../accounts/membership-queries.ts';
import type { Account } from '../accounts/queries.ts';
import { type KEY_PREFIXES, MAX_ACTIVE_KEYS, MAX_ACTIVE_OPERATOR_KEYS, type Mode } from './key.ts';
import {
  findKey,
  insertKey,
  insertOperatorKey,
  type KeyRow,
  type KeyTable,
  type NewKeyRow,
} from './queries.ts';

const KEY_EVENTS = {
  created: 'key.created',
  rolled: 'key.rolled',
  networks: 'key.networks_changed',
  revoked: 'key.revoked',
} as const;
const OPERATOR_KEY_EVENTS = {
  created: 'operator_key.created',
  rolled: 'operator_key.replaced',
  networks: 'operator_key.networks_changed',
  revoked: 'operator_key.revoked',
} as const;

export type KeyVerb = keyof typeof KEY_EVENTS;
/** The members of the event that don't describe the key itself. */
export type KeyEventData<V extends KeyVerb> = RestOfData<
  (typeof KEY_EVENTS | typeof OPERATOR_KEY_EVENTS)[V],
  'name' | 'mode' | 'start'
>;

export interface KeyKind<Own> {
  readonly table: KeyTable;
  readonly insert: (tx: Transaction, key: NewKeyRow & Own) => Promise<boolean>;
  readonly find: (tx: Transaction, id: string, accountId?: string) => Promise<KeyRow & Own>;
  /** The `Own` columns of the new key when `actor` replaces `key`. */
  readonly own: (key: Own, actor: Actor) => Own;
  readonly prefix: (key: Own) => keyof typeof KEY_PREFIXES;
  /** Throws a refusal if the account cannot have keys of this kind. */
  readonly requireHolder: (account: Account) => void;
  /** Throws a refusal if the actor may not create, roll or revoke keys of the account. */
  readonly requireActor: (tx: Transaction, accountId: string, actor: Actor) => Promise<void>;
  readonly maxActive: number;
  readonly isLimited: (actor: Actor) => boolean;
  /** The first half of the message about too many keys. */
  readonly limit: Words;
  readonly events: { readonly [V in KeyVerb]: (typeof KEY_EVENTS | typeof OPERATOR_KEY_EVENTS)[V] };
  readonly eventData: (key: Pick<NewKeyRow, 'name' | 'start'> & Own) => Readonly<Record<string, unknown>>;
  /** The participle in messages: “rolled” or “replaced”. */
  readonly rolled: string;
}

export const API_KEYS: KeyKind<{ readonly mode: Mode; readonly created_by_id: string | null }> = {
  table: 'api_keys',
  insert: insertKey,
  find: (tx, ...which) => findKey(tx, 'api_keys', ...which),
  own: ({ mode }, actor) => ({ mode, created_by_id: personOf(actor) }),
  prefix: ({ mode }) => mode,
  requireHolder: (account) => {
    refuseDeleted(account);
    const { email, plan } = account;
    if (planHasApiKeys(plan)) return;
    const plans = PLANS.filter(planHasApiKeys)
      .map((name) => `“${name}”`)
      .join(' and ');
    throw new Refusal(
      'plan_without_api_keys',
      `The account ${email} is on the ${plan} plan, which has no API keys; the plans ${plans} have them.`,
    );
  },
  requireActor: requireOwner,
  maxActive: MAX_ACTIVE_KEYS,
  isLimited: (actor) => actor !== 'operator',
  limit: message('An account can have at most {count} active API keys', { count: MAX_ACTIVE_KEYS }),
  events: KEY_EVENTS,
  eventData: ({ name, mode, start }) => ({ name, mode, start }),
  rolled: 'rolled',
};

export const OPERATOR_KEYS: KeyKind<{ readonly scopes: string }> = {
  table: 'operator_keys',
  insert: insertOperatorKey,
  find: (tx, ...which) => findKey(tx, 'operator_keys', ...which),
  own: ({ scopes }) => ({ scopes }),
  prefix: () => 'operator',
  requireHolder: ({ email, operator_since, suspended_at }) => {
    if (operator_since === null)
      throw invalid(`The account ${email} is not an operator; only operators can have operator keys.`);
    if (suspended_at !== null) throw invalid(`The account ${email} is suspended.`);
  },
  requireActor: async () => {},
  maxActive: MAX_ACTIVE_OPERATOR_KEYS,
  isLimited: () => true,
  limit: `An operator can have at most ${MAX_ACTIVE_OPERATOR_KEYS} active operator keys`,
  events: OPERATOR_KEY_EVENTS,
  eventData: ({ name, start }) => ({ name, start }),
  rolled: 'replaced',
};
