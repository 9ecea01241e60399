import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { parseOneOf } from '../../platform/text/text.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { addKey, appendKeyEvent, lockHolder } from './create.ts';
import { expiryAfterRoll, keyState, parseDuration } from './key.ts';
import { API_KEYS, type KeyKind, OPERATOR_KEYS } from './kinds.ts';
import { endKey, type KeyEnd, type KeyRow } from './queries.ts';

/** The choices for how long the old key keeps working after a roll. */
export const ROLL_OVERLAPS = ['now', '1h', '24h', '7d'] as const;

interface KeyToEnd {
  readonly keyId: string;
  /** The account that must own the key; omitted for the operator, who may revoke or roll any key. */
  readonly accountId?: string | undefined;
  readonly actor: Actor;
}

/** Takes effect in every process with the next call. Does nothing if the key is already revoked. */
export const revokeKey = (context: Context, input: KeyToEnd) => revoke(context, API_KEYS, input);

export const revokeOperatorKey = (context: Context, input: KeyToEnd) => revoke(context, OPERATOR_KEYS, input);

/** If the key was already revoked, the result has the original `revoked_at`. */
async function revoke<Own>(context: Context, kind: KeyKind<Own>, { keyId, accountId, actor }: KeyToEnd) {
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const key = await kind.find(tx, keyId, accountId);
    const { id, name, account_id } = key;
    await kind.requireActor(tx, account_id, actor);
    const isNow = await endKey(tx, kind.table, key, { revoked_at: at });
    if (!isNow) {
      await DIALECTS[context.db.engine].waitForStandby(tx, null);
      return { id, name, revoked_at: key.revoked_at ?? at };
    }
    await appendKeyEvent(tx, kind, 'revoked', key, { at, actor, data: {} });
    return { id, name, revoked_at: at };
  });
}

interface RollKey extends KeyToEnd {
  /** One of `ROLL_OVERLAPS`. The default is `now`, so that a leaked key stops working immediately. */
  readonly keepOld?: string | undefined;
}

/** The new key has the same name, mode, networks and lifetime. Refuses a key that is expired, revoked or already rolled. */
export async function rollKey(context: Context, input: RollKey) {
  const { created_by_id: _, ...rolled } = await roll(context, API_KEYS, input);
  return rolled;
}

/** Like `rollKey`, for one of the operator's own keys; the new key has the same scopes and networks. */
export const replaceOperatorKey = (context: Context, input: RollKey & { readonly accountId: string }) =>
  roll(context, OPERATOR_KEYS, input);

async function roll<Own>(
  context: Context,
  kind: KeyKind<Own>,
  { keyId, accountId, keepOld = 'now', actor }: RollKey,
) {
  const now = context.now();
  const at = toIso(now);
  const keepMs = parseOverlap(keepOld);
  return await context.db.transaction(async (tx) => {
    const old = await kind.find(tx, keyId, accountId);
    refuseToRoll(old, kind.rolled, now);
    await lockHolder(tx, context, kind, old.account_id, actor);
    const own = kind.own(old, actor);
    const { account_id, name, networks } = old;
    const expires_at = sameLifetime(old, now);
    const row = { ...own, id: uuidv7(context), account_id, name, networks, created_at: at, expires_at };
    // Without an overlap, revoke the old key. Setting its expiry to now is not enough, because a process whose clock is
    // behind would still accept the key.
    const end: KeyEnd = keepMs === 0 ? { revoked_at: at } : { expires_at: expiryAfterRoll(old, keepMs, now) };
    if (!(await endKey(tx, kind.table, old, end, row.id))) {
      throw invalid(
        message(
          'Someone else has just {rolled, select, rolled {rolled} other {replaced}} or revoked the key. Check it, then try again.',
          { rolled: kind.rolled },
        ),
      );
    }
    const advice = message('revoke the old key immediately, or revoke another key first');
    const { key, start } = await addKey(tx, context, kind, row, { actor, advice });
    const data = { new_id: row.id, new_start: start, ...end };
    await appendKeyEvent(tx, kind, 'rolled', old, { at, actor, data });
    /** `null` if the roll revoked the old key. */
    const old_expires_at = 'expires_at' in end ? end.expires_at : null;
    return { ...own, id: row.id, key, expires_at, old_id: old.id, old_expires_at };
  });
}

function parseOverlap(text: string): number {
  const overlap = parseOneOf(ROLL_OVERLAPS, text, (values) =>
    message('The time to keep the old key must be one of {choices}; found {text}.', values),
  );
  return overlap === 'now' ? 0 : parseDuration(overlap);
}

function refuseToRoll(key: KeyRow, rolled: string, now: number): void {
  if (key.rolled_to_id !== null)
    throw invalid(
      message(
        'The key was already {rolled, select, rolled {rolled} other {replaced}}; the new key has the id {id}.',
        { rolled, id: key.rolled_to_id },
      ),
    );
  const state = keyState(key, now);
  if (state !== 'active')
    throw invalid(
      message(
        'The key is {state, select, expired {expired} revoked {revoked} other {suspended}} and cannot be {rolled, select, rolled {rolled} other {replaced}}; create a new one.',
        { state, rolled },
      ),
    );
}

/** The new key gets the old key's full lifetime, for example another 90 days. */
const sameLifetime = ({ expires_at, created_at }: KeyRow, now: number): string | null =>
  expires_at === null ? null : toIso(now + Date.parse(expires_at) - Date.parse(created_at));
