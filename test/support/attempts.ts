/** Calls for the request log, as the verify operation gives them to the recorder. */
import type { Attempt } from '../../src/attempts/attempt.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import type { RefusedCall } from '../../src/errors.ts';

/** A verification of an unknown token, unless changed. */
export const attemptOf = (
  call: Pick<Attempt, 'accountId' | 'keyId' | 'atMs'> & Partial<Attempt>,
): Attempt => ({
  mode: 'live',
  requestId: 'r',
  cause: 'token_unknown',
  detail: null,
  redeem: true,
  tokenLast4: null,
  tokenHash: null,
  offerId: null,
  via: null,
  idempotencyKey: null,
  latencyUs: 900,
  ip: null,
  userAgent: null,
  ...call,
});

/** A call that is refused before its key is looked up. */
export const refusedCallOf = (call: Pick<RefusedCall, 'keyHash'> & Partial<RefusedCall>): RefusedCall => ({
  detail: 'This call was refused.',
  requestLine: `GET ${VERIFY_PATH}`,
  origin: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  ...call,
});
