<?php
// welcome.php, in the same folder as claimcheck.php; /welcome is the path of your redemption link.
require __DIR__ . '/claimcheck.php';

const PAGES = [
    'redeemed' => [200, 'The offer is yours.'],
    'already_redeemed' => [200, 'This offer has already been redeemed.'],
    'not_found' => [404, 'This link is not valid.'],
];

try {
    [$code, $body] = $_SERVER['REQUEST_METHOD'] === 'POST' ? redeemOnce() : show();
} catch (\Throwable $failure) {
    // A failure does not mean that the token is invalid.
    error_log((string) $failure);
    [$code, $body] = [503, 'Please try again in a moment.'];
}
http_response_code($code);
header('Cache-Control: no-store');
header('Referrer-Policy: strict-origin');
echo "<!doctype html><title>Your offer</title>$body";

/** Shows the offer with a button and redeems nothing: link scanners come here too. */
function show(): array
{
    $token = $_GET['claim'] ?? '';
    if (!is_string($token) || $token === '') {
        return PAGES['not_found'];
    }
    $claim = Claimcheck\verify($token);
    if ($claim['status'] !== 'valid') {
        return PAGES[$claim['status']];
    }
    return [200, '<form method="post" action="?">
        <input type="hidden" name="token" value="' . htmlspecialchars($token) . '">
        <input type="hidden" name="attempt" value="' . bin2hex(random_bytes(16)) . '">
        <button>Get ' . htmlspecialchars($claim['offer']) . '</button>
    </form>'];
}

/** Redeems the claim. A second click sends the same attempt ID and gets the same response. */
function redeemOnce(): array
{
    $token = $_POST['token'] ?? '';
    $attempt = $_POST['attempt'] ?? '';
    if (!is_string($token) || !is_string($attempt) || $token === '' || $attempt === '') {
        return PAGES['not_found'];
    }
    $apply = fn ($claim) => applyOffer($claim['offer_id'], $attempt);
    return PAGES[Claimcheck\redeem($token, $attempt, $apply)];
}

/** Replace this. If called twice with the same attempt, it must apply the offer only once. */
function applyOffer(string $offerId, string $attempt): void
{
    error_log("apply $offerId for $attempt");
}
