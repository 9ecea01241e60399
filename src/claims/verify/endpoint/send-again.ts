/**
 * Repeats a logged call in this process, without redeeming. The logged hashes of API key and token suffice, because
 * verifications look up both by hash.
 */

import type { Context } from '../../../base/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { type Message, message } from '../../../platform/languages/translate.ts';
import { ask } from '../../../platform/store/batch-queue.ts';
import { outcomeOf } from '../../attempts/cause.ts';
import { findCall } from '../../attempts/queries.ts';
import type { VerificationResponse } from '../decision/verification.ts';
import type { Verifier } from '../verifier.ts';
import { type FixedResponse, fixedTokenOfHash } from './fixed-tokens.ts';

export interface SentAgain {
  readonly response: VerificationResponse | FixedResponse;
  readonly latencyUs: number;
}

export function whyNotAgain(call: {
  readonly cause: string;
  readonly api_key_id: string | null;
  readonly token_hash: Uint8Array | null;
}): Message | null {
  if (call.api_key_id === null) return message('The request had no API key.');
  if (call.token_hash !== null) return null;
  if (outcomeOf(call.cause) === 'not_found') {
    return message('Its token is malformed, so the result would be not_found again.');
  }
  return message('It was refused before its token was looked up.');
}

/**
 * Returns the response that the call would get now with `redeem: false`; `null` if the account's log does not contain
 * the call. The repeated call is not logged. Throws `invalid_request` for a call that cannot be repeated.
 */
export async function sendAgain(
  { db }: Pick<Context, 'db'>,
  verifier: Verifier,
  { accountId, requestId }: { readonly accountId: string; readonly requestId: string },
): Promise<SentAgain | null> {
  const call = await findCall(db.read, accountId, requestId);
  if (call === undefined) return null;
  const { key_hash: keyHash, token_hash: tokenHash } = call;
  if (keyHash === null || tokenHash === null) {
    throw invalid(
      message('This request cannot be sent again. {whyNot}', { whyNot: whyNotAgain(call) ?? '' }),
    );
  }
  // Fixed tokens are not in the database, so only the key is looked up.
  const fixed = call.mode === 'test' ? fixedTokenOfHash(tokenHash) : undefined;
  const startedAt = performance.now();
  const lookedUp = { keyHash, tokenHash: fixed === undefined ? tokenHash : null };
  const result = await ask(verifier, {
    ...lookedUp,
    redeem: false,
    idempotencyHash: null,
    reference: null,
    networks: call.key_networks,
    trace: null,
  });
  if (result.kind === 'networks_changed') return await sendAgain({ db }, verifier, { accountId, requestId });
  const isAuthorized = result.kind === 'authorized' && fixed !== undefined;
  return {
    response: isAuthorized ? fixed.toVerify : result,
    latencyUs: (performance.now() - startedAt) * 1_000,
  };
}
