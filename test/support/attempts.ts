/** Test calls for the request log. */
import type { Attempt } from '../../src/claims/attempts/attempt.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import type { RefusedCall } from '../../src/platform/errors.ts';

/** Returns an entry of the request log; by default, a call with an unknown token. */
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

/** Returns a call that was rejected before its key was looked up. */
export const refusedCallOf = (call: Pick<RefusedCall, 'keyHash'> & Partial<RefusedCall>): RefusedCall => ({
  detail: 'This call was refused.',
  requestLine: `GET ${VERIFY_PATH}`,
  origin: null,
  ip: null,
  userAgent: null,
  requestId: 'r',
  trace: null,
  ...call,
});
