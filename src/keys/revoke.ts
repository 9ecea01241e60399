import type { Context } from '../context.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { API_KEYS, type KeyKind, OPERATOR_KEYS } from './kinds.ts';
import { endKey } from './queries.ts';

interface RevokeKey {
  readonly keyId: string;
  /** The account whose key it must be; any account unless given, for the operator. */
  readonly accountId?: string | undefined;
  readonly actor: Actor;
}

interface RevokedKey {
  readonly id: string;
  readonly name: string;
  /** The earlier time if it was revoked before. */
  readonly revoked_at: string;
}

/** Every process refuses the key from the next call on. Does nothing if it is revoked already. */
export const revokeKey = (context: Context, input: RevokeKey): Promise<RevokedKey> =>
  revoke(context, API_KEYS, input);

export const revokeOperatorKey = (context: Context, input: RevokeKey): Promise<RevokedKey> =>
  revoke(context, OPERATOR_KEYS, input);

async function revoke<Own>(
  context: Context,
  kind: KeyKind<Own>,
  { keyId, accountId, actor }: RevokeKey,
): Promise<RevokedKey> {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const key = await kind.find(tx, keyId, accountId);
    const { id, name } = key;
    const isNow = await endKey(tx, kind.table, key, { revoked_at: at });
    if (!isNow) return { id, name, revoked_at: key.revoked_at ?? at };
    await appendEvent(tx, {
      accountId: key.account_id,
      type: kind.events.revoked,
      at,
      actor,
      subjectId: id,
      data: kind.eventData(key),
    });
    return { id, name, revoked_at: at };
  });
}
