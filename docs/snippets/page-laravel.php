<?php
// app/Http/Controllers/WelcomeController.php; in routes/web.php:
// Route::get('/welcome', [WelcomeController::class, 'show']);
// Route::post('/welcome', [WelcomeController::class, 'redeem']);
// /welcome is the path of your redemption link. To load claimcheck.php, add
// "autoload": { "files": ["app/claimcheck.php"] } to composer.json, then run composer dump-autoload.
namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Str;
use function Claimcheck\redeem;
use function Claimcheck\verify;

class WelcomeController
{
    private const PAGES = [
        'redeemed' => [200, 'The offer is yours.'],
        'already_redeemed' => [200, 'This offer has already been redeemed.'],
        'not_found' => [404, 'This link is not valid.'],
    ];

    /** Shows the offer with a button and redeems nothing: link scanners come here too. */
    public function show(Request $request): Response
    {
        $token = (string) $request->query('claim');
        try {
            $claim = $token === '' ? ['status' => 'not_found'] : verify($token);
        } catch (\Throwable $failure) {
            return $this->failed($failure);
        }
        if ($claim['status'] !== 'valid') {
            return $this->page(...self::PAGES[$claim['status']]);
        }
        return $this->page(200, '<form method="post" action="?">' . csrf_field() . '
            <input type="hidden" name="token" value="' . e($token) . '">
            <input type="hidden" name="attempt" value="' . Str::uuid() . '">
            <button>Get ' . e($claim['offer']) . '</button>
        </form>');
    }

    /** Redeems the claim. A second click sends the same attempt ID and gets the same response. */
    public function redeem(Request $request): Response
    {
        $token = (string) $request->post('token');
        $attempt = (string) $request->post('attempt');
        if ($token === '' || $attempt === '') {
            return $this->page(...self::PAGES['not_found']);
        }
        try {
            $apply = fn ($claim) => $this->applyOffer($claim['offer_id'], $attempt);
            $status = redeem($token, $attempt, $apply);
        } catch (\Throwable $failure) {
            return $this->failed($failure);
        }
        return $this->page(...self::PAGES[$status]);
    }

    /** Replace this. If called twice with the same attempt, it must apply the offer only once. */
    private function applyOffer(string $offerId, string $attempt): void
    {
        Log::info("apply $offerId for $attempt");
    }

    /** A failure does not mean that the token is invalid. */
    private function failed(\Throwable $failure): Response
    {
        report($failure);
        return $this->page(503, 'Please try again in a moment.');
    }

    private function page(int $code, string $body): Response
    {
        return response("<!doctype html><title>Your offer</title>$body", $code)
            ->header('Cache-Control', 'no-store')
            ->header('Referrer-Policy', 'strict-origin');
    }
}
