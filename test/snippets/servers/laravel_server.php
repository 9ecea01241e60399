<?php
// Handles one request like a Laravel application, with middleware from Laravel's default `web` group.
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Http\Kernel;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;

require_once 'Illuminate/autoload.php';
require_once __DIR__ . '/claimcheck.php';
require_once __DIR__ . '/WelcomeController.php';

final class WebKernel extends Kernel
{
    protected $middlewareGroups = [
        'web' => [
            \Illuminate\Cookie\Middleware\EncryptCookies::class,
            \Illuminate\Cookie\Middleware\AddQueuedCookiesToResponse::class,
            \Illuminate\Session\Middleware\StartSession::class,
            \Illuminate\Foundation\Http\Middleware\VerifyCsrfToken::class,
            \Illuminate\Routing\Middleware\SubstituteBindings::class,
        ],
    ];
}

// Settings that a new Laravel application has in its `config` folder.
$settings = [
    'app' => [
        'env' => 'production',
        'debug' => false,
        'timezone' => 'UTC',
        'key' => 'base64:' . base64_encode(str_repeat('k', 32)),
        'cipher' => 'AES-256-CBC',
        'providers' => [
            \Illuminate\Cookie\CookieServiceProvider::class,
            \Illuminate\Encryption\EncryptionServiceProvider::class,
            \Illuminate\Filesystem\FilesystemServiceProvider::class,
            \Illuminate\Foundation\Providers\FoundationServiceProvider::class,
            \Illuminate\Session\SessionServiceProvider::class,
            \Illuminate\View\ViewServiceProvider::class,
        ],
    ],
    'session' => [
        'driver' => 'cookie',
        'lifetime' => 120,
        'expire_on_close' => false,
        'encrypt' => false,
        'lottery' => [0, 100],
        'cookie' => 'session',
        'path' => '/',
        'domain' => null,
        'secure' => false,
        'http_only' => true,
        'same_site' => 'lax',
    ],
    'logging' => [
        'default' => 'stderr',
        'channels' => [
            'stderr' => ['driver' => 'errorlog'],
        ],
    ],
    'view' => ['paths' => [__DIR__], 'compiled' => __DIR__],
];
foreach (['config', 'bootstrap/cache', 'storage/framework'] as $folder) {
    @mkdir(__DIR__ . "/$folder", recursive: true);
}
foreach ($settings as $name => $values) {
    file_put_contents(__DIR__ . "/config/$name.php", '<?php return ' . var_export($values, true) . ';', LOCK_EX);
}

$app = new Application(__DIR__);
$app->singleton(HttpKernel::class, WebKernel::class);
$app->singleton(ExceptionHandler::class, Handler::class);
$app->booted(fn () => Route::middleware('web')->group(function () {
    Route::get('/welcome', [\App\Http\Controllers\WelcomeController::class, 'show']);
    Route::post('/welcome', [\App\Http\Controllers\WelcomeController::class, 'redeem']);
}));
$kernel = $app->make(HttpKernel::class);
$response = $kernel->handle($request = Request::capture());
$response->send();
$kernel->terminate($request, $response);
