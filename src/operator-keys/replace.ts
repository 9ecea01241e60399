import { lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { KeyMadeBefore } from '../keys/create.ts';
import { expiryAfterRoll, keyState } from '../keys/key.ts';
import { parseOverlap } from '../keys/roll.ts';
import { uuidv7 } from '../store/uuid.ts';
import { keyIdOf, type NewOperatorKey, refuseTooMany, requireOperatorAccount } from './create.ts';
import { mintOperatorKey, type Scope, splitScopes } from './operator-key.ts';
import { findOperatorKey, insertOperatorKey, revokeOperatorKeyAt, setOperatorKeyEnd } from './queries.ts';

export interface ReplaceOperatorKey {
  readonly keyId: string;
  /** The operator whose key it must be: the new one acts in their name. */
  readonly accountId: string;
  /** How long the old key works on: one of `ROLL_OVERLAPS`. */
  readonly keepOld: string;
  /** As for `createOperatorKey`. */
  readonly formId?: string | undefined;
  readonly actor: Actor;
}

export interface ReplacedOperatorKey extends NewOperatorKey {
  readonly name: string;
  /** When the replaced key ends, ISO 8601 UTC; `null`: it has ended. */
  readonly oldExpiresAt: string | null;
}

/**
 * A new key of the same name, scopes and lifetime. Refuses a key of another operator and one that has ended. Throws
 * `KeyMadeBefore` for a form that is sent a second time.
 */
export async function replaceOperatorKey(
  context: Context,
  input: ReplaceOperatorKey,
): Promise<ReplacedOperatorKey> {
  const now = context.now();
  const at = new Date(now).toISOString();
  const keepMs = parseOverlap(input.keepOld);
  const { key, hash, start } = mintOperatorKey(context.random);
  const ownId = uuidv7(context);
  return await context.db.transaction(async (tx) => {
    const account = await requireOperatorAccount(tx, input.accountId);
    await lockAccount(tx, context.db.engine, account.id);
    const old = await findOperatorKey(tx, input.keyId);
    if (old.account_id !== account.id) throw invalid('The key acts in the name of another operator.');
    const times = { expiresAt: old.expires_at, revokedAt: old.revoked_at };
    const id = keyIdOf(account.id, input.formId) ?? ownId;
    const { name } = old;
    const expiresAt =
      old.expires_at === null
        ? null
        : new Date(now + Date.parse(old.expires_at) - Date.parse(old.created_at)).toISOString();
    const row = { id, account_id: account.id, name, scopes: old.scopes, secret_hash: hash, start };
    const isNew = await insertOperatorKey(tx, { ...row, created_at: at, expires_at: expiresAt });
    if (!isNew) throw new KeyMadeBefore(id);
    const state = keyState(times, now);
    if (state !== 'active') throw invalid(`The key is ${state} and cannot be replaced; create a new one.`);
    const oldExpiresAt = keepMs === 0 ? null : expiryAfterRoll(times, keepMs, now);
    const isEnded =
      oldExpiresAt === null
        ? await revokeOperatorKeyAt(tx, old.id, at)
        : await setOperatorKeyEnd(tx, old.id, oldExpiresAt);
    if (!isEnded) throw invalid('The key was revoked by someone else just now; look and try again.');
    await refuseTooMany(tx, account.id, at);
    await appendEvent(tx, {
      accountId: account.id,
      type: 'operator_key.replaced',
      at,
      actor: input.actor,
      subjectId: old.id,
      data: { name, start: old.start, new_id: id, new_start: start, expires_at: oldExpiresAt },
    });
    return { id, key, name, scopes: splitScopes(old.scopes) as Scope[], expiresAt, oldExpiresAt };
  });
}
