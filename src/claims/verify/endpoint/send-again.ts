/**
 * Sends a call of the request log again, in this process and without redeeming anything. Neither the API key nor the
 * token is kept, but the hashes of both are, and they are all that a verification looks up.
 */
import { outcomeOf } from '../../../attempts/cause.ts';
import { findCallHashes } from '../../../attempts/queries.ts';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import type { VerificationAnswer, Verifier } from '../decision/verification.ts';
import { type FixedAnswer, fixedTokenOfHash } from './fixed-tokens.ts';

export interface SentAgain {
  readonly answer: VerificationAnswer | FixedAnswer;
  readonly latencyUs: number;
}

/** Why a call cannot be sent again; `null`: it can. */
export function whyNotAgain(call: {
  readonly cause: string;
  readonly api_key_id: string | null;
  readonly token_hash: Uint8Array | null;
}): string | null {
  if (call.api_key_id === null) return 'The call had no API key.';
  if (call.token_hash !== null) return null;
  if (outcomeOf(call.cause) === 'not_found') {
    return 'No claim can have its token, so the answer would be not_found again.';
  }
  return 'It was refused before its token was read.';
}

/**
 * Finds out how the call would be answered now with `redeem: false`; nothing is recorded. `null` where the account has
 * no such call, or no longer has it. Throws `invalid_request` for a call that cannot be sent again.
 */
export async function sendAgain(
  { db }: Pick<Context, 'db'>,
  verifier: Verifier,
  { accountId, requestId }: { readonly accountId: string; readonly requestId: string },
): Promise<SentAgain | null> {
  const call = await findCallHashes(db.read, accountId, requestId);
  if (call === undefined) return null;
  const { secret_hash: keyHash, token_hash: tokenHash } = call;
  if (keyHash === null || tokenHash === null) {
    throw invalid(`This call cannot be sent again. ${whyNotAgain(call) ?? ''}`);
  }
  // Test keys know the fixed tokens, which are in no database: for such a token the database only checks the key.
  const fixed = call.mode === 'test' ? fixedTokenOfHash(tokenHash) : undefined;
  const startedAt = performance.now();
  const answer = await new Promise<VerificationAnswer>((resolve, reject) => {
    const lookedUp = fixed === undefined ? tokenHash : null;
    const verification = { keyHash, tokenHash: lookedUp, redeem: false, idempotencyHash: null };
    verifier.submit(verification, (error, found) => {
      if (found === null) reject(error ?? new Error('no answer'));
      else resolve(found);
    });
  });
  const isAdmitted = answer.kind === 'admitted' && fixed !== undefined;
  return {
    answer: isAdmitted ? fixed.toVerify : answer,
    latencyUs: (performance.now() - startedAt) * 1_000,
  };
}
