// claimcheck.mjs: verifies and redeems claim tokens.
//
//   const status = await redeem('clm_test_YOUR_TEST_TOKEN', 'order-4711', applyOffer);
import { setTimeout } from 'node:timers/promises';

const VERIFY = 'https://claims.example.com/api/v1/marketplace/claims/verify';
const TIMEOUT_MS = 5_000;
const PAUSES_S = [0.5, 1]; // delay before each retry, unless Retry-After is longer
const MAX_PAUSE_S = 5;

/**
 * Redeems the claim and returns the status. Calls `apply` only if the status is `redeemed`. On
 * any other status, give the person nothing. A retry with the same `idempotencyKey` also returns
 * `redeemed`, so `apply` may run twice.
 */
export async function redeem(token, idempotencyKey, apply) {
  const claim = await verify(token, idempotencyKey);
  if (claim.status === 'redeemed') await apply(claim);
  return claim.status;
}

/**
 * Verifies the token. With an Idempotency-Key, also redeems the claim. Throws if there is no
 * outcome.
 */
export async function verify(token, idempotencyKey = null) {
  if (!process.env.CLAIMCHECK_API_KEY) throw new Error('CLAIMCHECK_API_KEY is not set');
  for (const pause of PAUSES_S) {
    try {
      return await ask(token, idempotencyKey);
    } catch (error) {
      const wait = Math.max(pause, error.retryAfterS ?? 0);
      if (!(wait <= MAX_PAUSE_S)) throw error;
      await setTimeout(wait * 1_000);
    }
  }
  return ask(token, idempotencyKey);
}

async function ask(token, idempotencyKey) {
  const response = await fetch(VERIFY, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${process.env.CLAIMCHECK_API_KEY}`,
      'Content-Type': 'application/json',
      ...(idempotencyKey !== null && { 'Idempotency-Key': idempotencyKey }),
    },
    body: JSON.stringify({ token, redeem: idempotencyKey !== null }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { ok, status, headers } = response;
  const text = await response.text();
  const answer = text.startsWith('{') ? JSON.parse(text) : {};
  if (ok && answer.status) return answer;
  if (status === 404 && answer.status === 'not_found') return answer;
  const mayPass = status === 429 || status >= 500;
  const retryAfterS = mayPass ? Number(headers.get('Retry-After')) : Infinity;
  throw Object.assign(new Error(`HTTP ${status}: ${text.slice(0, 500)}`), {
    retryAfterS,
  });
}
