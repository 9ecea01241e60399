import { type Account, findAccount, lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { KeyMadeBefore } from '../keys/create.ts';
import { idOfForm, parseDuration } from '../keys/key.ts';
import type { Transaction } from '../store/database.ts';
import { isUuid, uuidv7 } from '../store/uuid.ts';
import {
  joinScopes,
  MAX_ACTIVE_OPERATOR_KEYS,
  mintOperatorKey,
  parseOperatorKeyName,
  parseScopes,
  type Scope,
} from './operator-key.ts';
import { countActiveOperatorKeys, insertOperatorKey } from './queries.ts';

export interface CreateOperatorKey {
  /** Id or e-mail address of the operator in whose name the key acts. */
  readonly account: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Such as `90d`; never unless set. */
  readonly expiresIn?: string | undefined;
  /** The form's UUIDv7: a form that is sent twice makes one key. Any other value is ignored. */
  readonly formId?: string | undefined;
  readonly actor: Actor;
}

/** A new key with its secret, which is shown only once. */
export interface NewOperatorKey {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/**
 * Refuses an account that is no operator or is suspended, and an operator with too many active keys. Throws
 * `KeyMadeBefore` for a form that is sent a second time.
 */
export async function createOperatorKey(context: Context, input: CreateOperatorKey): Promise<NewOperatorKey> {
  const now = context.now();
  const at = new Date(now).toISOString();
  const name = parseOperatorKeyName(input.name);
  const scopes = parseScopes(input.scopes);
  const expiresAt =
    input.expiresIn === undefined ? null : new Date(now + parseDuration(input.expiresIn)).toISOString();
  const { key, hash, start } = mintOperatorKey(context.random);
  const ownId = uuidv7(context);
  const id = await context.db.transaction(async (tx) => {
    const account = await requireOperatorAccount(tx, input.account);
    await lockAccount(tx, context.db.engine, account.id);
    const id = keyIdOf(account.id, input.formId) ?? ownId;
    const key = {
      id,
      account_id: account.id,
      name,
      scopes: joinScopes(scopes),
      secret_hash: hash,
      start,
      created_at: at,
      expires_at: expiresAt,
    };
    if (!(await insertOperatorKey(tx, key))) throw new KeyMadeBefore(id);
    await refuseTooMany(tx, account.id, at);
    await appendEvent(tx, {
      accountId: account.id,
      type: 'operator_key.created',
      at,
      actor: input.actor,
      subjectId: id,
      data: { name, start, scopes, expires_at: expiresAt },
    });
    return id;
  });
  return { id, key, scopes, expiresAt };
}

/** The account of an operator who may have keys. `reference`: id or e-mail address. */
export async function requireOperatorAccount(tx: Transaction, reference: string): Promise<Account> {
  const account = await findAccount(tx, reference);
  if (account.operator_since === null) {
    throw invalid(`The account ${account.email} is no operator; only operators have operator keys.`);
  }
  if (account.suspended_at !== null) throw invalid(`The account ${account.email} is suspended.`);
  return account;
}

/** The id of the key that a form makes; `null` without the id of a form. */
export const keyIdOf = (accountId: string, formId: string | undefined): string | null =>
  formId !== undefined && isUuid(formId) ? idOfForm(accountId, formId) : null;

/** After a key was inserted, under the lock on its account. */
export async function refuseTooMany(tx: Transaction, accountId: string, at: string): Promise<void> {
  if ((await countActiveOperatorKeys(tx, accountId, at)) > MAX_ACTIVE_OPERATOR_KEYS) {
    throw invalid(
      `An operator has at most ${MAX_ACTIVE_OPERATOR_KEYS} active operator keys; revoke one first.`,
    );
  }
}
