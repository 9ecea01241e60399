const VERIFY = 'https://claims.example.com/api/v1/marketplace/claims/verify';
const TIMEOUT_MS = 5_000;

/** Without an attempt it only verifies; with one it redeems. `null`: no claim of yours. Throws on every failure. */
export async function verify(token, attempt = null) {
  const response = await fetch(VERIFY, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${process.env.CLAIMCHECK_API_KEY}`,
      'Content-Type': 'application/json',
      ...(attempt && { 'Idempotency-Key': JSON.stringify(attempt) }),
    },
    body: JSON.stringify({ token, redeem: attempt !== null }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = await response.json();
  if (response.status === 404 && answer.status === 'not_found') return null;
  if (!response.ok) throw new Error(`${answer.code}: ${answer.detail} (${answer.request_id})`);
  return answer;
}
