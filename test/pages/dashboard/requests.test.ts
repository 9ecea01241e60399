/** The request log (Developers → Requests): calls, filters, failures by cause, and sending a call again. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { FAILURES_PATH, keyNetworksPath, REQUESTS_PATH } from '../../../src/base/paths.ts';
import { CAUSES } from '../../../src/claims/attempts/cause.ts';
import { addUnrecordedCalls } from '../../../src/claims/attempts/queries.ts';
import { createAttemptRecorder } from '../../../src/claims/attempts/recorder.ts';
import { VERIFY_PATH } from '../../../src/claims/verify/decision/verification.ts';
import { FIXED_TOKENS } from '../../../src/claims/verify/endpoint/fixed-tokens.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { revokeKey } from '../../../src/people/keys/end.ts';
import { attemptOf } from '../../support/attempts.ts';
import { CHROMIUM, createVisitor, type Visitor } from '../../support/browser.ts';
import { issueTokens } from '../../support/marketplace.ts';
import { signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { decode, problemsIn } from './support.ts';

const actor = 'operator' as const;
const MINUTE_MS = 60_000;
const HTMX = { 'hx-request': 'true' };

/** A call to the verify endpoint, with the response it got. */
interface Made {
  readonly name: string;
  readonly requestId: string;
  readonly status: number;
  readonly answer: Record<string, unknown>;
}

const withoutQuotes = (sentence: string): string => sentence.replaceAll(/[`"]/g, '');

/** The page's text. Code in sentences is an element instead of quoted. */
const wordsIn = (html: string): string =>
  withoutQuotes(decode(html.replaceAll(/<\/?(?:span|code)[^>]*>|<wbr\/>/g, '')));

describe('the request log in the dashboard', () => {
  let context: Context;
  let site: OwnSite;
  let owner: Owner;
  let visitor: Visitor;
  const made = new Map<string, Made>();

  beforeAll(async () => {
    site = await openSite('sqlite', { REQUEST_LOG_DAYS: '10', REQUEST_LOG_CALLS: '5000' });
    context = site.context;
    owner = await newOwner('ada');
    visitor = createVisitor(site.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    await site.close();
  });

  type Owner = Awaited<ReturnType<typeof newOwner>>;

  async function newOwner(name: string) {
    const person = await signedInAs(site, { email: `${name}@example.com`, plan: 'studio' });
    const { accountId } = person;
    const origin = `https://${name}.example`;
    const listing = { account: accountId, slug: name, name, url: origin, actor };
    await createListing(context, { ...listing, upTo: 'approved' });
    const offer = (text: string) =>
      createOffer(context, {
        listing: name,
        offer: text,
        kind: 'discount',
        redemption_link: `${origin}/claim?token={claim}`,
        actor,
      });
    const offers = [await offer('20 % off'), await offer('A “month” free')] as const;
    const key = (keyName: string, mode: 'live' | 'test') =>
      createKey(context, { account: accountId, name: keyName, mode, actor });
    return { ...person, offers, live: await key('web server', 'live'), test: await key('staging', 'test') };
  }

  const newToken = async (offerId: string, options: Parameters<typeof issueTokens>[3] = {}) =>
    (await issueTokens(context, { offerId }, 1, options))[0]!;

  const tokens: Record<string, string> = {};

  /** Makes one call of each kind. */
  async function makeCalls(): Promise<void> {
    const [first, second] = owner.offers;
    const token = await newToken(first.id, { via: 'newsletter' });
    const other = await newToken(second.id);
    Object.assign(tokens, { first: token, second: other });
    tokens['unknown'] = await newToken((await newOwner('stranger')).offers[0].id);
    tokens['test'] = await newToken(first.id, { mode: 'test' });
    const old = await createKey(context, { account: owner.accountId, name: 'old', mode: 'live', actor });
    await revokeKey(context, { keyId: old.id, actor });
    const call = async (name: string, init: RequestInit & { headers?: Record<string, string> }) => {
      const response = await fetch(site.baseUrl + VERIFY_PATH, {
        method: 'POST',
        ...init,
        headers: {
          Authorization: `Bearer ${owner.live.key}`,
          'Content-Type': 'application/json',
          'User-Agent': 'shop/1.2 <b>',
          ...init.headers,
        },
      });
      const answer = (await response.json()) as Record<string, unknown>;
      const requestId = response.headers.get('x-request-id')!;
      made.set(name, { name, requestId, status: response.status, answer });
    };
    const json = (body: unknown) => JSON.stringify(body);
    const once = { headers: { 'Idempotency-Key': '"order-4711"' } };
    await call('valid', { body: json({ token, redeem: false }) });
    await call('redeemed', { body: json({ token, redeem: true }), ...once });
    await call('repeated', { body: json({ token, redeem: true }), ...once });
    await call('already redeemed', { body: json({ token, redeem: true }) });
    await call('key reused', { body: json({ token: other, redeem: true }), ...once });
    await call('second valid', { body: json({ token: other, redeem: false }) });
    await call('unknown token', { body: json({ token: tokens['unknown'] }) });
    await call('altered token', { body: json({ token: `${token.slice(0, -1)}!` }) });
    await call('placeholder', { body: json({ token: '{claim}' }) });
    await call('test token', { body: json({ token: tokens['test'], redeem: true }) });
    await call('no token', { body: json({ redeem: true }) });
    await call('text', { body: json({ token }), headers: { 'Content-Type': 'text/plain' } });
    await call('revoked key', {
      body: json({ token: other }),
      headers: { Authorization: `Bearer ${old.key}` },
    });
    await call('from a page', { body: json({ token }), headers: { Origin: 'https://ada.example' } });
    await call('opened', { method: 'GET' });
    await listed(owner, 15);
  }

  const get = (path: string, person = owner, headers = {}) => person.person.get(path, headers);
  const idsIn = (html: string) => [...html.matchAll(/id="call-([^"]+)"/g)].map((match) => match[1]);
  const list = async (query = '', person = owner) => idsIn((await get(REQUESTS_PATH + query, person)).text);
  const listed = (person: Owner, count: number) =>
    expect.poll(async () => (await list('', person)).length, { timeout: 8_000 }).toBe(count);
  const idOf = (...names: readonly string[]) => names.map((name) => made.get(name)!.requestId);
  const pathOf = (name: string) => `${REQUESTS_PATH}/${made.get(name)!.requestId}`;
  /** The text of each code block, without markup. */
  const blocksIn = (html: string) =>
    [...html.matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)].map((match) =>
      decode(match[1]!.replaceAll(/<[^>]+>/g, '')),
    );
  const secrets = () => [...Object.values(tokens), owner.live.key, owner.test.key];

  test('contains every call shortly after its response', makeCalls);

  test('lists each call with its outcome, error code, key, label, time and latency', async () => {
    const { text } = await get(REQUESTS_PATH);
    expect(new Set(idsIn(text))).toEqual(new Set([...made.values()].map(({ requestId }) => requestId)));
    const rows = text.replaceAll(/<wbr\/>|<span class="num" translate="no">/g, '').split('<tr ');
    const rowOf = (name: string) => rows.find((row) => row.includes(`id="call-${idOf(name)[0]}"`))!;
    const redeemed = rowOf('redeemed');
    for (const shown of [
      'Redeemed',
      `…${tokens['first']!.slice(-4)}`,
      'web server',
      'newsletter',
      idOf('redeemed')[0]!,
    ]) {
      expect(redeemed).toContain(shown);
    }
    expect(redeemed).toMatch(/<time datetime="[^"]+Z"/);
    expect(redeemed).toMatch(/[\d.]+ ms/);
    expect(rowOf('no token')).toContain('400 invalid_request<');
    expect(wordsIn(rowOf('no token'))).toContain(withoutQuotes(String(CAUSES.token_missing.what)));
    expect(rowOf('no token')).not.toContain('token_missing');
    expect(rowOf('key reused')).toContain('422 idempotency_key_reused');
    expect(rowOf('unknown token')).toContain('Not found');
    expect(rowOf('revoked key')).toContain('old');
  });

  test.each([
    ['outcome=not_found', ['test token', 'placeholder', 'altered token', 'unknown token']],
    ['code=idempotency_key_reused&outcome=failed', ['key reused']],
    ['cause=placeholder_sent', ['placeholder']],
    ['until=2020-01-01', []],
  ] as const)('filters by ?%s and keeps the filter selected', async (query, names) => {
    const { text } = await get(`${REQUESTS_PATH}?${query}`);
    expect(idsIn(text)).toEqual(idOf(...names));
    if (names.length === 0) expect(text).toContain('No requests match.');
    else expect(text).toMatch(/<select[^>]* name="(?:outcome|code|cause)".*?<option value="[^"]+" selected/s);
  });

  test('filters by key, offer and time', async () => {
    expect(await list(`?key=${owner.test.id}`)).toEqual([]);
    expect(await list(`?key=${owner.live.id}&outcome=valid`)).toEqual(idOf('second valid', 'valid'));
    expect(await list(`?offer=${owner.offers[1].id}`)).toEqual(idOf('second valid'));
    const { text } = await get(`${REQUESTS_PATH}?since=2026-01-01&until=2126-01-01T10:00&outcome=valid`);
    expect(text).toContain('value="2026-01-01T00:00:00"');
    expect(text).toContain('value="2126-01-01T10:00:00"');
    expect(idsIn(text)).toHaveLength(2);
  });

  test('rejects an invalid filter with an error at its field', async () => {
    const { text } = await get(`${REQUESTS_PATH}?outcome=good&since=noon`);
    expect(problemsIn(text)).toEqual([
      expect.stringContaining('The outcome must be one of'),
      expect.stringContaining('“From” must look like'),
    ]);
    expect(text).toContain('The search was not run');
    expect(idsIn(text)).toEqual([]);
  });

  test('shows the response to a call unchanged, and the request with secrets redacted', async () => {
    for (const { name, requestId, status, answer } of made.values()) {
      const response = await get(pathOf(name));
      expect(response.status, name).toBe(200);
      const [sent, answered] = blocksIn(response.text);
      expect(answered, name).toMatch(new RegExp(`^${status} [A-Z]`));
      expect(JSON.parse(answered!.slice(answered!.indexOf('{'))), name).toEqual(answer);
      expect(sent, name).toContain('User-Agent: shop/1.2 <b>');
      expect(response.text).toContain(requestId);
      expect(response.text).not.toContain('shop/1.2 <b>');
    }
    const [sent, answered] = blocksIn((await get(pathOf('repeated'))).text);
    expect(sent).toBe(
      [
        `POST ${VERIFY_PATH}`,
        `Authorization: Bearer cck_live_${owner.live.key.slice(9, 13)}…`,
        'Content-Type: application/json',
        'Idempotency-Key: …4711',
        'User-Agent: shop/1.2 <b>',
        '',
        `{"token":"…${tokens['first']!.slice(-4)}","redeem":true}`,
      ].join('\n'),
    );
    expect(answered).toContain('\nIdempotency-Replayed: true\n');
    expect(blocksIn((await get(pathOf('opened'))).text)[0]).toMatch(`GET ${VERIFY_PATH}\nAuthorization`);
    expect(blocksIn((await get(pathOf('from a page'))).text)[0]).toContain('Origin: https://ada.example');
    expect(blocksIn((await get(pathOf('no token'))).text)[0]).toContain('was not recorded');
  });

  test('explains the cause and the fix of a failed call', async () => {
    const words: Readonly<Record<string, string>> = {
      'key reused': String(CAUSES.idempotency_key_reused.fix),
      placeholder: String(CAUSES.placeholder_sent.fix),
      'test token': 'A test token was sent with a live key.',
      'revoked key': 'The API key “old” is revoked.',
      opened: 'Send a POST',
      'from a page': 'roll the key',
    };
    for (const [name, sentence] of Object.entries(words)) {
      const { text } = await get(pathOf(name));
      expect(wordsIn(text), name).toContain(sentence);
    }
    expect((await get(pathOf('redeemed'))).text).not.toContain('class="notice');
  });

  test('never shows a full token or API key', async () => {
    const paths = [REQUESTS_PATH, FAILURES_PATH, ...[...made.keys()].map(pathOf)];
    for (const path of paths) {
      const { text } = await get(path);
      for (const secret of secrets()) expect(text).not.toContain(secret.slice(0, -6));
    }
  });

  test('shows a curl command that contains no secrets and repeats the call without redeeming the token', async () => {
    const command = blocksIn((await get(pathOf('redeemed'))).text).at(-1)!;
    expect(command).toContain(`curl -sS ${site.baseUrl}${VERIFY_PATH} \\`);
    expect(command).toContain('\\"redeem\\": false');
    expect(command).toContain('"Authorization: Bearer $CLAIMCHECK_API_KEY"');
    expect(command).toContain(`TOKEN=…${tokens['first']!.slice(-4)}`);
    expect(command).not.toContain('true');
  });

  const verify = (key: string, token: string, redeem: boolean) =>
    fetch(site.baseUrl + VERIFY_PATH, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, redeem }),
    });
  const sendAgain = (name: string, person = owner) => person.person.post(`${pathOf(name)}/again`);
  /** Returns the response to the repeated call, which is the third code block of the page. */
  const answerIn = (text: string) => {
    const [, , shown] = blocksIn(text);
    return JSON.parse(shown!.slice(shown!.indexOf('{'))) as Record<string, unknown>;
  };

  test('sends a call again without redeeming the token or logging the call, and shows the new response', async () => {
    const before = await list();
    const fresh = await newToken(owner.offers[0].id);
    const answerTo = async (token: string, redeem: boolean) =>
      await (await verify(owner.live.key, token, redeem)).json();
    expect((await get(pathOf('redeemed'))).text).toContain(`action="${pathOf('redeemed')}/again#again"`);
    const again = await sendAgain('redeemed');
    expect(again.status).toBe(200);
    expect(answerIn(again.text)).toEqual({ ...made.get('redeemed')!.answer, status: 'already_redeemed' });
    // This call failed because its Idempotency-Key was reused. Sending a call again omits the header.
    for (let sent = 0; sent < 2; sent += 1) {
      const { text } = await sendAgain('key reused');
      expect(answerIn(text)).toMatchObject({ status: 'valid', redeemed_at: null });
    }
    expect(answerIn((await sendAgain('unknown token')).text)).toEqual({ status: 'not_found' });
    expect(await answerTo(tokens['second']!, false)).toMatchObject({ status: 'valid' });
    expect(await answerTo(fresh, true)).toMatchObject({ status: 'redeemed' });
    await listed(owner, before.length + 2);
  });

  test('shows a 401 if a call is sent again after its key was revoked', async () => {
    const bo = await newOwner('bob');
    const token = await newToken(bo.offers[0].id);
    const response = await verify(bo.live.key, token, false);
    await listed(bo, 1);
    await revokeKey(context, { keyId: bo.live.id, actor });
    const path = `${REQUESTS_PATH}/${response.headers.get('x-request-id')}/again`;
    const { status, text } = await bo.person.post(path);
    expect(status).toBe(200);
    expect(answerIn(text)).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test.each([
    ['altered token', 'Its token is malformed'],
    ['no token', 'refused before its token was looked up'],
    ['text', 'refused before its token was looked up'],
    ['revoked key', 'Send again'],
  ] as const)(
    'offers “Send again” for a call or explains why it cannot be sent again: %s',
    async (name, words) => {
      const { text } = await get(pathOf(name));
      expect(text).toContain(words);
      if (words === 'Send again') return;
      expect(text).not.toContain('/again');
      const sent = await sendAgain(name);
      expect(sent.status).toBe(422);
      expect(sent.text).toContain('This request cannot be sent again.');
    },
  );

  test('groups failures by cause, with the fix and a link to the calls', async () => {
    const { text } = await get(FAILURES_PATH);
    const words = wordsIn(text);
    for (const cause of [
      'token_unknown',
      'token_altered',
      'placeholder_sent',
      'test_token_with_live_key',
      'token_missing',
      'unsupported_media_type',
      'invalid_api_key',
      'browser_call',
      'method_not_allowed',
      'idempotency_key_reused',
    ] as const) {
      expect(words).toContain(withoutQuotes(String(CAUSES[cause].what)));
      expect(words).toContain(withoutQuotes(String(CAUSES[cause].fix)));
      expect(text).toContain(`href="${REQUESTS_PATH}?cause=${cause}"`);
    }
    expect(words).not.toContain(String(CAUSES.redeemed.what));
    expect(text.replaceAll('<wbr/>', '')).toContain(
      'Send <code translate="no">Content-Type: application/json</code> and',
    );
    expect(text).toContain('The body had no member <code translate="no">token</code>.');
    expect(text).toContain('href="/docs/errors/invalid_request"');
    const hour = await get(`${FAILURES_PATH}?period=1h`);
    expect(hour.text).toMatch(new RegExp(`href="${REQUESTS_PATH}\\?cause=placeholder_sent&amp;since=`));
    expect((await get(`${FAILURES_PATH}?period=nonsense`)).status).toBe(200);
  });

  test('links to the key whose networks refused a call', async () => {
    const input = { account: owner.accountId, name: 'office', networks: '203.0.113.7', actor };
    const { id, key } = await createKey(context, input);
    const body = JSON.stringify({ token: tokens['first'], redeem: true });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const refused = await fetch(site.baseUrl + VERIFY_PATH, { method: 'POST', headers, body });
    expect(refused.status).toBe(401);
    await expect
      .poll(async () => (await get(FAILURES_PATH)).text)
      .toContain(`href="${keyNetworksPath(id)}">Networks of the key</a>`);
    expect((await get(keyNetworksPath(id))).status).toBe(200);
  });

  test('is paginated, and states the retention period and the number of unrecorded calls', async () => {
    const busy = await newOwner('busy');
    const recorder = createAttemptRecorder(context);
    const now = Date.now();
    for (let i = 0; i < 120; i += 1) {
      const call = { accountId: busy.accountId, keyId: busy.live.id, atMs: now - i * MINUTE_MS };
      recorder.record(attemptOf({ ...call, requestId: `req_${i}`, cause: 'valid' }));
    }
    await recorder.close();
    const found: (string | undefined)[] = [];
    let path: string | undefined = REQUESTS_PATH;
    let text = '';
    while (path !== undefined) {
      text = (await get(path, busy)).text;
      found.push(...idsIn(text));
      path = /<a class="button small" href="([^"]*after[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(found).toEqual(Array.from({ length: 120 }, (_, i) => `req_${i}`));
    expect(decode(text)).toContain('The newest 5,000 requests of each mode are kept for 10 days.');
    expect(text).toContain('Back to the newest');
    expect(text).not.toContain('not recorded');
    const { accountId } = busy;
    await context.db.transaction((tx) => addUnrecordedCalls(tx, [{ accountId, calls: 1_234, lastMs: now }]));
    for (const path of [REQUESTS_PATH, `${REQUESTS_PATH}?mode=test`, FAILURES_PATH]) {
      expect((await get(path, busy)).text, path).toContain(
        '1,234 requests were answered as usual but not recorded, most recently',
      );
    }
    expect((await get(REQUESTS_PATH)).text).not.toContain('not recorded');
  });

  test('lists calls with test keys, including calls with fixed tokens, in test mode only', async () => {
    const tess = await newOwner('tess');
    const answers = new Map<string, Record<string, unknown> | null>();
    for (const { token, name } of FIXED_TOKENS.values()) {
      if (name === 'LateAnswer') continue;
      const response = await verify(tess.test.key, token, true).catch(() => null);
      if (response === null) continue;
      answers.set(response.headers.get('x-request-id')!, (await response.json()) as Record<string, unknown>);
    }
    const testLog = `${REQUESTS_PATH}?mode=test`;
    const shown = async () => idsIn((await get(testLog, tess)).text);
    // The call with the fixed token LostAnswer is logged but gets no response, so its request ID is unknown here.
    await expect.poll(async () => (await shown()).length, { timeout: 8_000 }).toBe(answers.size + 1);
    expect(await list('', tess)).toEqual([]);
    const { text } = await get(testLog, tess);
    expect(text).toContain('Leave test mode');
    expect(text).toContain('name="mode" value="test"');
    for (const [requestId, answer] of answers) {
      const called = await get(`${REQUESTS_PATH}/${requestId}`, tess);
      const [, answered] = blocksIn(called.text);
      expect(JSON.parse(answered!.slice(answered!.indexOf('{')))).toEqual(answer);
      expect(called.text).toContain('Leave test mode');
    }
    const lost = (await shown()).find((requestId) => !answers.has(requestId!))!;
    expect(blocksIn((await get(`${REQUESTS_PATH}/${lost}`, tess)).text)[1]).toContain(
      'closed without a response',
    );
    const again = await tess.person.post(`${REQUESTS_PATH}/${lost}/again`);
    expect(answerIn(again.text)).toMatchObject({ status: 'valid' });
    const failures = await get(`${FAILURES_PATH}?mode=test`, tess);
    expect(failures.text).toContain('No requests failed in this period.');
    expect(idsIn((await get(`${testLog}&code=rate_limited`, tess)).text)).toHaveLength(1);
    expect((await get(`${REQUESTS_PATH}?mode=both`, tess)).text).toContain('The mode must be');
  });

  test('polls for new calls while a list is followed, and stops at the time limit', async () => {
    const { text } = await get(`${REQUESTS_PATH}?follow=yes&outcome=valid`);
    const path = decode(/hx-get="([^"]*followed[^"]*)"/.exec(text)![1]!);
    expect(path).toContain('outcome=valid');
    expect((await get(path, owner, HTMX)).status).toBe(204);
    expect((await get(path)).location).toBe(`${REQUESTS_PATH}?outcome=valid&follow=yes`);
    const ended = await get(path.replace(/end=\d+/, 'end=1'), owner, HTMX);
    expect(ended.status).toBe(200);
    expect(ended.text).not.toContain('hx-get');
    expect(ended.text).toContain('Follow again');
    const other = await get(path.replace(/seen=[^&]+/, 'seen=x'), owner, HTMX);
    expect(other.status).toBe(200);
    expect(idsIn(other.text)).toEqual(await list('?outcome=valid'));
    // A manipulated `end` parameter cannot extend polling beyond 15 minutes.
    const far = await get(path.replace(/seen=[^&]+/, 'seen=x').replace(/end=\d+/, 'end=9e15'), owner, HTMX);
    const end = Number(/end=(\d+)/.exec(decode(far.text))![1]);
    expect(end).toBeLessThanOrEqual(Date.now() + 15 * MINUTE_MS);
  });

  test.skipIf(CHROMIUM === null)('adds new calls to a followed list without moving the focus', async () => {
    const cleo = await newOwner('cleo');
    const token = await newToken(cleo.offers[0].id);
    await verify(cleo.live.key, token, false);
    await listed(cleo, 1);
    const work: Parameters<Visitor['visit']>[1] = async (page, faults) => {
      await page.getByRole('link', { name: 'Follow live' }).click();
      await page.getByText('New requests appear here').waitFor();
      const first = page.getByRole('rowheader').getByRole('link');
      await first.focus();
      const focused = await first.getAttribute('id');
      await verify(cleo.live.key, token, false);
      await expect.poll(() => page.getByRole('rowheader').count(), { timeout: 8_000 }).toBe(2);
      expect(await page.evaluate('document.activeElement.id')).toBe(focused);
      await page.getByRole('link', { name: 'Stop' }).click();
      await page.getByRole('link', { name: 'Follow live' }).waitFor();
      expect(faults).toEqual([]);
    };
    await visitor.visit(REQUESTS_PATH, work, true, cleo.person.profileCookies(site.baseUrl));
  });
});
