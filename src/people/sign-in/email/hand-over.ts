/**
 * An account is handed over by changing its address to another person’s. Everything that the former owner could
 * still use ends. API keys keep working for a while, so that the new owner can replace them on the servers.
 */

import type { Context } from '../../../base/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';
import type { Transaction } from '../../../platform/store/database.ts';
import { DAY_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { type Account, deleteRowsOf } from '../../accounts/queries.ts';
import { endIntegrations, endSteps, expireOwnKeys } from '../access-queries.ts';
import { deleteTwoFactor } from '../credentials/queries.ts';
import { endSessions } from '../sessions/sessions.ts';

export const KEYS_AFTER_HAND_OVER_DAYS = 7;

export interface HandedOver {
  /** API keys that stop working at `keysEndAt`, because the former owner may know them. */
  readonly keys: number;
  readonly keysEndAt: string;
}

/** The caller must hold the account's lock. Ends all sessions, also the one of the former owner. */
export async function endFormerOwner(
  context: Context,
  tx: Transaction,
  { id, operator_since }: Account,
): Promise<HandedOver> {
  if (operator_since !== null) {
    throw invalid(message('An operator’s account can’t be handed over. Remove its operator rights first.'));
  }
  const nowMs = context.now();
  // First, so that a change by one of these sessions is either refused (`renewSession`) or visible below.
  await endSessions(context, tx, id, null);
  await deleteRowsOf(tx, id, 'passwords', 'passkeys', 'oidc_identities');
  await deleteTwoFactor(tx, id);
  await endSteps(tx, id);
  await endIntegrations(tx, id, toIso(nowMs), 'elsewhere');
  const keysEndAt = toIso(nowMs + KEYS_AFTER_HAND_OVER_DAYS * DAY_MS);
  return { keys: await expireOwnKeys(tx, id, { at: toIso(nowMs), until: keysEndAt }), keysEndAt };
}
