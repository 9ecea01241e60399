import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { REDEEMED_TOKEN } from '../../claims/verify/endpoint/fixed-tokens.ts';
import { SANDBOX_KEY } from '../../people/keys/key.ts';
import { fill, fillProgram, ownPageOf } from './fill.ts';

const BASE = { baseUrl: 'https://claims.ada.example', testToken: null };
const OPENED = 'http://localhost:8080/welcome?claim=clm_test_YOUR_TEST_TOKEN';
const programOf = (file: string): string =>
  readFileSync(new URL(`../../../docs/snippets/${file}`, import.meta.url), 'utf8');

const guidePage = (file: string): string =>
  readFileSync(new URL(`../../../docs/guide/${file}`, import.meta.url), 'utf8');

test('the sandbox key replaces the reader’s key in all verifications, and nowhere else', () => {
  for (const file of ['quickstart.md', 'verify.md', 'safe-retries.md']) {
    const text = fill(guidePage(file), { ...BASE, ownPage: null });
    expect(text, file).toContain(`Bearer ${SANDBOX_KEY}"`);
    expect(text, file).not.toContain('$CLAIMCHECK_API_KEY');
  }
  const receipts = fill(guidePage('receipts.md'), { ...BASE, ownPage: null });
  expect(receipts).toContain('Bearer $CLAIMCHECK_API_KEY"');
  expect(receipts).not.toContain(SANDBOX_KEY);
});

describe('the reader’s redemption page', () => {
  test.each([
    ['page-express.mjs', "'/offers/start',", 'request.query.token;'],
    ['page-hono.mjs', "app.get('/offers/start'", "c.req.query('token')"],
    ['page-next.ts', '// app/offers/start/route.ts', "searchParams.get('token')"],
    ['page-django.py', 'path("offers/start", views.welcome)', 'request.GET.get("token")'],
    ['page-flask.py', '@welcome.get("/offers/start")', 'request.args.get("token")'],
    ['page-php.php', '/offers/start is the path', "$_GET['token']"],
    ['page-laravel.php', "Route::get('/offers/start'", "$request->query('token')"],
    ['page-rails.rb', 'get "/offers/start", to: "welcome#show"', 'params[:token]'],
    ['page-aspnet.cs', '[Route("/offers/start")]', '[FromQuery(Name = "token")]'],
    ['page-spring.java', '@GetMapping("/offers/start")', '@RequestParam(name = "token", defaultValue = "")'],
  ])('replaces the example path and parameter in %s', (file, path, parameter) => {
    const ownPage = ownPageOf('https://ada.example/offers/start?from=market&token={claim}');
    const text = fillProgram(programOf(file), { ...BASE, ownPage });
    expect(text).toContain(path);
    expect(text).toContain(parameter);
    expect(text).not.toMatch(/\/welcome\b/);
    const example = fillProgram(programOf(file), { ...BASE, ownPage: null });
    expect(example).toContain('/welcome');
  });

  test('replaces the example page in links', () => {
    const ownPage = ownPageOf('https://ada.example/offers/start?from=market&token={claim}');
    expect(fill(OPENED, { ...BASE, ownPage })).toBe(
      `https://ada.example/offers/start?from=market&token=${REDEEMED_TOKEN.token}`,
    );
    expect(fill(OPENED, { ...BASE, ownPage: null })).toBe(
      `http://localhost:8080/welcome?claim=${REDEEMED_TOKEN.token}`,
    );
  });

  test('sets the port in programs only if the page is on the reader’s machine', () => {
    const portFor = (link: string) =>
      fillProgram('flask run --port 8080', { ...BASE, ownPage: ownPageOf(link) })
        .split(' ')
        .at(-1);
    expect(portFor('http://localhost:5000/w?c={claim}')).toBe('5000');
    expect(portFor('http://127.0.0.1/w?c={claim}')).toBe('80');
    expect(portFor('https://ada.example:8443/w?c={claim}')).toBe('8080');
  });

  test('leaves the base URL of the service unchanged', () => {
    const ownPage = ownPageOf('http://localhost:5000/start?c={claim}');
    const baseUrl = 'http://localhost:8080/welcome';
    const text = fillProgram(programOf('claimcheck.mjs'), { baseUrl, testToken: null, ownPage });
    expect(text).toContain(`'${baseUrl}/api/v1/marketplace/claims/verify'`);
  });

  test.each([
    'https://ada.example/?claim={claim}',
    "https://ada.example/it's?claim={claim}",
    'https://ada.example/a:b?claim={claim}',
    'https://ada.example/welcome?claim-token={claim}',
  ])('is ignored if programs can’t contain its path or parameter unchanged: %s', (link) => {
    expect(ownPageOf(link)).toBeNull();
  });
});
