import { findAccount, lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { invalid } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { uuidv7 } from '../store/uuid.ts';
import { quote } from '../text.ts';
import { type NewKey, TooManyKeys } from './create.ts';
import { expiryAfterRoll, keyState, MAX_ACTIVE_KEYS, mintKey, parseDuration } from './key.ts';
import { refusePlanWithoutKeys } from './plan.ts';
import { type ApiKey, countActiveKeys, findKey, insertKey, type KeyEnd, markRolled } from './queries.ts';

/** How long the old key may live on after a roll. */
export const ROLL_OVERLAPS = ['now', '1h', '24h', '7d'] as const;

export interface RollKey {
  readonly keyId: string;
  /** The account whose key it must be; of any account unless set, for the operator. */
  readonly accountId?: string | undefined;
  /** One of `ROLL_OVERLAPS`; `now` unless set, so that a leaked key stops working by default. */
  readonly keepOld?: string | undefined;
  readonly actor: Actor;
}

export interface RolledKey extends NewKey {
  /** The rolled key, and when it ends; `null`: it has ended. */
  readonly old: { readonly id: string; readonly expiresAt: string | null };
}

/** A new key of the same name, mode and lifetime. Refuses a key that has ended or was rolled before. */
export async function rollKey(context: Context, input: RollKey): Promise<RolledKey> {
  const now = context.now();
  const at = new Date(now).toISOString();
  const keepMs = parseOverlap(input.keepOld ?? 'now');
  return await context.db.transaction(async (tx) => {
    const old = await findKey(tx, input.keyId, input.accountId);
    refuseToRoll(old, now);
    if (input.actor !== 'operator') await lockAccount(tx, context.db.engine, old.account_id);
    refusePlanWithoutKeys(await findAccount(tx, old.account_id));
    const minted = mintKey(context.random, old.mode);
    const id = uuidv7(context);
    const expiresAt = sameLifetime(old, now);
    // An immediate end is a revocation: every process refuses the key, even if their clocks differ.
    const end: KeyEnd =
      keepMs === 0 ? { revoked_at: at } : { expires_at: expiryAfterRoll(timesOf(old), keepMs, now) };
    if (!(await markRolled(tx, old, id, end))) {
      throw invalid('The key was rolled or revoked by someone else just now; look and try again.');
    }
    await insertKey(tx, {
      id,
      account_id: old.account_id,
      name: old.name,
      mode: old.mode,
      secret_hash: minted.hash,
      start: minted.start,
      created_at: at,
      expires_at: expiresAt,
    });
    // A key that ends at once makes room for its successor; one that is kept does not.
    if (input.actor !== 'operator' && (await countActiveKeys(tx, old.account_id, at)) > MAX_ACTIVE_KEYS) {
      throw new TooManyKeys('end the old key at once, or revoke another first');
    }
    await appendEvent(tx, {
      accountId: old.account_id,
      type: 'key.rolled',
      at,
      actor: input.actor,
      subjectId: old.id,
      data: { name: old.name, mode: old.mode, start: old.start, new_id: id, new_start: minted.start, ...end },
    });
    return {
      id,
      key: minted.key,
      mode: old.mode,
      expiresAt,
      old: { id: old.id, expiresAt: 'expires_at' in end ? end.expires_at : null },
    };
  });
}

/** One of `ROLL_OVERLAPS`, in milliseconds. */
export function parseOverlap(text: string): number {
  if (!ROLL_OVERLAPS.some((overlap) => overlap === text)) {
    throw invalid(`The old key is kept for one of ${ROLL_OVERLAPS.join(', ')}; found ${quote(text)}.`);
  }
  return text === 'now' ? 0 : parseDuration(text);
}

const timesOf = (key: ApiKey) => ({ expiresAt: key.expires_at, revokedAt: key.revoked_at });

function refuseToRoll(key: ApiKey, now: number): void {
  if (key.rolled_to_id !== null)
    throw invalid(`The key was rolled already; the newer one has the id ${key.rolled_to_id}.`);
  const state = keyState(timesOf(key), now);
  if (state !== 'active') throw invalid(`The key is ${state} and cannot be rolled; create a new one.`);
}

/** A key with a lifetime of ninety days is replaced by one with the same lifetime. */
function sameLifetime(key: ApiKey, now: number): string | null {
  if (key.expires_at === null) return null;
  return new Date(now + Date.parse(key.expires_at) - Date.parse(key.created_at)).toISOString();
}
