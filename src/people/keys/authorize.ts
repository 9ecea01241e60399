/** Looks up each call's operator key in the database, so that every process refuses a revoked key immediately. */
import type { Context } from '../../base/context.ts';
import type { OperatorActor } from '../../base/events/queries.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { keyState, splitScopes } from './key.ts';
import { findKeyOfOperator, type OperatorKeyCall, recordOperatorKeyCall } from './queries.ts';

const RECORD_INTERVAL_MS = MINUTE_MS;

export interface OperatorCaller {
  readonly actor: OperatorActor;
}

export interface KeyCaller extends OperatorCaller {
  readonly keyId: string;
  /** The networks from which the key may be used; `null`: all. */
  readonly networks: string | null;
  readonly lastUsedAt: string | null;
  /** The last recorded call from outside the networks. */
  readonly refusedAt: string | null;
}

type OperatorAuthorization =
  | { readonly kind: 'authorized'; readonly caller: KeyCaller }
  | {
      readonly kind: 'refused';
      readonly code: 'invalid_api_key' | 'account_suspended' | 'missing_scope';
      /** `null` for a key that is unknown, expired or revoked, or whose account is no longer an operator. */
      readonly caller: KeyCaller | null;
    };

export async function authorizeOperatorKey(
  context: Pick<Context, 'db' | 'now'>,
  hash: Uint8Array,
  scope: string,
): Promise<OperatorAuthorization> {
  const key = await findKeyOfOperator(context.db.read, hash);
  if (key === undefined || key.operator_since === null) return UNKNOWN;
  if (keyState(key, context.now()) !== 'active') return UNKNOWN;
  const caller: KeyCaller = {
    actor: `operator-key:${key.id}`,
    keyId: key.id,
    networks: key.networks,
    lastUsedAt: key.last_used_at,
    refusedAt: key.refused_at,
  };
  if (key.suspended_at !== null) return { kind: 'refused', code: 'account_suspended', caller };
  if (!splitScopes(key.scopes).includes(scope)) return { kind: 'refused', code: 'missing_scope', caller };
  return { kind: 'authorized', caller };
}

const UNKNOWN: OperatorAuthorization = { kind: 'refused', code: 'invalid_api_key', caller: null };

/** Records that the key was used. Writes at most once a minute per key. */
export const recordKeyUse = (context: Pick<Context, 'db' | 'now'>, caller: KeyCaller): Promise<void> =>
  recordCall(context, caller.keyId, caller.lastUsedAt, (at) => ({ last_used_at: at }));

/** Records a call from outside the key's networks. Writes at most once a minute per key. `ip`: `null` if unknown. */
export const recordOutsideCall = (
  context: Pick<Context, 'db' | 'now'>,
  caller: KeyCaller,
  ip: string | null,
): Promise<void> =>
  recordCall(context, caller.keyId, caller.refusedAt, (at) => ({ refused_at: at, refused_ip: ip }));

async function recordCall(
  { db, now }: Pick<Context, 'db' | 'now'>,
  keyId: string,
  lastAt: string | null,
  callAt: (at: string) => OperatorKeyCall,
): Promise<void> {
  const nowMs = now();
  const before = toIso(nowMs - RECORD_INTERVAL_MS);
  if (lastAt !== null && lastAt > before) return;
  await db.transaction((tx) => recordOperatorKeyCall(tx, keyId, callAt(toIso(nowMs)), before));
}
