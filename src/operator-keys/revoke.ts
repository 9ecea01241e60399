import type { Context } from '../context.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { findOperatorKey, revokeOperatorKeyAt } from './queries.ts';

export interface RevokeOperatorKey {
  readonly keyId: string;
  readonly actor: Actor;
}

export interface RevokedOperatorKey {
  readonly id: string;
  readonly name: string;
  /** ISO 8601 UTC; the earlier time if it was revoked before. */
  readonly revokedAt: string;
}

/** Every process refuses the key from the next call on. Does nothing if it is revoked already. */
export async function revokeOperatorKey(
  context: Context,
  input: RevokeOperatorKey,
): Promise<RevokedOperatorKey> {
  const at = new Date(context.now()).toISOString();
  return await context.db.transaction(async (tx) => {
    const key = await findOperatorKey(tx, input.keyId);
    const { id, name, start } = key;
    if (!(await revokeOperatorKeyAt(tx, id, at))) return { id, name, revokedAt: key.revoked_at ?? at };
    await appendEvent(tx, {
      accountId: key.account_id,
      type: 'operator_key.revoked',
      at,
      actor: input.actor,
      subjectId: id,
      data: { name, start },
    });
    return { id, name, revokedAt: at };
  });
}
