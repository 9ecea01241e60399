<?php
// claimcheck.php: verifies and redeems claim tokens.
//
//   $status = Claimcheck\redeem('clm_test_YOUR_TEST_TOKEN', 'order-4711', $applyOffer);
namespace Claimcheck;

const VERIFY = 'https://claims.example.com/api/v1/marketplace/claims/verify';
const TIMEOUT_S = 5;
const PAUSES_S = [0.5, 1]; // delay before each retry, unless Retry-After is longer
const MAX_PAUSE_S = 5;

final class Failure extends \RuntimeException
{
    public float $retryAfterS = INF;
}

/**
 * Redeems the claim and returns the status. Calls $apply only if the status is redeemed. On any
 * other status, give the person nothing. A retry with the same $idempotencyKey also returns
 * redeemed, so $apply may run twice.
 */
function redeem(string $token, string $idempotencyKey, callable $apply): string
{
    $claim = verify($token, $idempotencyKey);
    if ($claim['status'] === 'redeemed') {
        $apply($claim);
    }
    return $claim['status'];
}

/**
 * Verifies the token. With an Idempotency-Key, also redeems the claim. Throws if there is no
 * outcome.
 */
function verify(string $token, ?string $idempotencyKey = null): array
{
    foreach (PAUSES_S as $pause) {
        try {
            return ask($token, $idempotencyKey);
        } catch (Failure $failure) {
            $wait = max($pause, $failure->retryAfterS);
            if ($wait > MAX_PAUSE_S) {
                throw $failure;
            }
            usleep((int) ($wait * 1e6));
        }
    }
    return ask($token, $idempotencyKey);
}

function ask(string $token, ?string $idempotencyKey): array
{
    $apiKey = getenv('CLAIMCHECK_API_KEY');
    if ((string) $apiKey === '') {
        throw new \RuntimeException('CLAIMCHECK_API_KEY is not set');
    }
    $json = fn ($value) => json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
    $headers = [
        'Authorization: Bearer ' . $apiKey,
        'Content-Type: application/json',
    ];
    if ($idempotencyKey !== null) {
        $headers[] = 'Idempotency-Key: ' . $json($idempotencyKey);
    }
    $curl = curl_init(VERIFY);
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_POSTFIELDS => $json(['token' => $token, 'redeem' => $idempotencyKey !== null]),
        CURLOPT_TIMEOUT => TIMEOUT_S,
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $text = curl_exec($curl);
    $code = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $answer = json_decode((string) $text, true);
    $status = $answer['status'] ?? null;
    if ($code === 200 && $status !== null) {
        return $answer;
    }
    if ($code === 404 && $status === 'not_found') {
        return $answer;
    }
    if ($text === false) {
        $text = curl_error($curl);
        $code = 0;
    }
    $failure = new Failure("HTTP $code: " . substr($text, 0, 500));
    if ($code === 0 || $code === 429 || $code >= 500) {
        $failure->retryAfterS = curl_getinfo($curl, CURLINFO_RETRY_AFTER);
    }
    throw $failure;
}
