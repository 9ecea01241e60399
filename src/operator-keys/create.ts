import { findAccount, lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { parseDuration } from '../keys/key.ts';
import { uuidv7 } from '../store/uuid.ts';
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
  readonly actor: Actor;
}

/** A new key with its secret, which is shown only once. */
export interface NewOperatorKey {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/** Refuses an account that is no operator or is suspended, and an operator with too many active keys. */
export async function createOperatorKey(context: Context, input: CreateOperatorKey): Promise<NewOperatorKey> {
  const now = context.now();
  const at = new Date(now).toISOString();
  const name = parseOperatorKeyName(input.name);
  const scopes = parseScopes(input.scopes);
  const expiresAt =
    input.expiresIn === undefined ? null : new Date(now + parseDuration(input.expiresIn)).toISOString();
  const { key, hash, start } = mintOperatorKey(context.random);
  const id = uuidv7(context);
  await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    if (account.operator_since === null) {
      throw invalid(`The account ${account.email} is no operator; only operators have operator keys.`);
    }
    if (account.suspended_at !== null) throw invalid(`The account ${account.email} is suspended.`);
    await lockAccount(tx, context.db.engine, account.id);
    if ((await countActiveOperatorKeys(tx, account.id, at)) >= MAX_ACTIVE_OPERATOR_KEYS) {
      throw invalid(
        `An operator has at most ${MAX_ACTIVE_OPERATOR_KEYS} active operator keys; revoke one first.`,
      );
    }
    await insertOperatorKey(tx, {
      id,
      account_id: account.id,
      name,
      scopes: joinScopes(scopes),
      secret_hash: hash,
      start,
      created_at: at,
      expires_at: expiresAt,
    });
    await appendEvent(tx, {
      accountId: account.id,
      type: 'operator_key.created',
      at,
      actor: input.actor,
      subjectId: id,
      data: { name, start, scopes, expires_at: expiresAt },
    });
  });
  return { id, key, scopes, expiresAt };
}
