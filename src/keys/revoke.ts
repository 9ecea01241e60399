import type { Context } from '../context.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { findKey, revokeKeyAt } from './queries.ts';

export interface RevokeKey {
  readonly keyId: string;
  /** The account whose key it must be; of any account unless set, for the operator. */
  readonly accountId?: string | undefined;
  readonly actor: Actor;
}

export interface RevokedKey {
  readonly id: string;
  readonly name: string;
  /** ISO 8601 UTC; the earlier time if it was revoked before. */
  readonly revokedAt: string;
}

/** Every process refuses the key from the next call on. Does nothing if it is revoked already. */
export async function revokeKey(context: Context, input: RevokeKey): Promise<RevokedKey> {
  const at = new Date(context.now()).toISOString();
  return await context.db.transaction(async (tx) => {
    const key = await findKey(tx, input.keyId, input.accountId);
    if (!(await revokeKeyAt(tx, key, at)))
      return { id: key.id, name: key.name, revokedAt: key.revoked_at ?? at };
    await appendEvent(tx, {
      accountId: key.account_id,
      type: 'key.revoked',
      at,
      actor: input.actor,
      subjectId: key.id,
      data: { name: key.name, mode: key.mode, start: key.start },
    });
    return { id: key.id, name: key.name, revokedAt: at };
  });
}
