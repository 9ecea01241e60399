/** Switching the dashboard between live and test mode. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MODE_PATH } from '../../../src/base/paths.ts';
import { createAttemptRecorder } from '../../../src/claims/attempts/recorder.ts';
import { issueClaims } from '../../../src/claims/creation/issue.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { hashKey, type Mode } from '../../../src/people/keys/key.ts';
import { cookieName } from '../../../src/people/sign-in/sessions/cookies.ts';
import { refusedCallOf } from '../../support/attempts.ts';
import { CHROMIUM, createVisitor, pageFindings, press, type Visitor } from '../../support/browser.ts';
import { type Person, signedInAs } from '../../support/person.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';

const CLAIMS = '/dashboard/claims';
const KEYS = '/dashboard/settings/keys';

let site: WholeSite;
let owner: Person;
beforeAll(async () => {
  site = await openWholeSite('sqlite');
  owner = site.people.owner.person;
  const input = { offerId: site.ids.offer, count: 2, mode: 'test' as const, via: 'shop' };
  for await (const _ of issueClaims(site.context, input));
});
afterAll(() => site?.close());
beforeEach(() => owner.cookies.delete(cookieName(site.service.baseUrl, 'mode')));

const switchTo = (mode: string, next = CLAIMS) => owner.post(MODE_PATH, { mode, next });
const amountIn = (text: string): string | undefined => /(\d+) claims, newest first/.exec(text)?.[1];

test('the mode filters claims and is remembered, and dashboard pages in test mode show a banner', async () => {
  const live = await owner.get(CLAIMS);
  expect(amountIn(live.text)).toBe('43');
  expect(live.text).toContain('value="live" aria-pressed="true"');
  expect(live.text).not.toContain('Leave test mode');
  const switched = await switchTo('test');
  expect([switched.status, switched.location]).toEqual([303, CLAIMS]);
  expect(switched.headers.get('set-cookie')).toMatch(
    /^claimcheck\.mode=test; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const inTest = await owner.get(CLAIMS);
  expect(amountIn(inTest.text)).toBe('2');
  expect(inTest.text).toContain('export.csv?mode=test');
  expect((await owner.get(`${CLAIMS}/export.ndjson`)).text.trim().split('\n')).toHaveLength(2);
  for (const path of ['/dashboard', '/dashboard/listings', CLAIMS, KEYS, '/dashboard/campaigns']) {
    expect((await owner.get(path)).text, path).toContain('Leave test mode');
  }
  expect((await owner.get('/docs')).text).not.toContain('Leave test mode');
  await switchTo('live');
  expect(amountIn((await owner.get(CLAIMS)).text)).toBe('43');
});

test('an account with only test keys opens in test mode until the person chooses a mode', async () => {
  const { accountId, person } = await signedInAs(
    { ...site.service, context: site.context },
    { email: 'tester@example.com', plan: 'studio' },
  );
  const isTest = async (path = KEYS) => (await person.get(path)).text.includes('Leave test mode');
  const proposed = async (query = '') =>
    /value="(\w+)" checked/.exec((await person.get(`${KEYS}/new${query}`)).text)![1];
  expect([await isTest(), await proposed(), await proposed('?mode=live')]).toEqual([false, 'test', 'live']);
  const create = (mode: Mode) =>
    createKey(site.context, { account: accountId, name: mode, mode, actor: 'operator' });
  await create('test');
  expect([await isTest(), await isTest(CLAIMS), await isTest('/dashboard/requests')]).toEqual([
    true,
    true,
    true,
  ]);
  expect(await proposed()).toBe('test');
  await person.post(MODE_PATH, { mode: 'live', next: KEYS });
  expect([await isTest(), await proposed()]).toEqual([false, 'live']);
  person.cookies.delete(cookieName(site.service.baseUrl, 'mode'));
  await create('live');
  expect([await isTest(), await proposed()]).toEqual([false, 'live']);
});

test('account pages show owners the dashboard menu, operators the desk menu and claimants the site menu', async () => {
  const menuOf = async (name: 'owner' | 'operator' | 'claimant') => {
    const { text } = await site.people[name].person.get('/account');
    return /<nav class="(?:side-menu|site-nav)"[^>]* aria-label="(\w+)"/.exec(text)?.[1];
  };
  expect(await Promise.all([menuOf('owner'), menuOf('operator'), menuOf('claimant')])).toEqual([
    'Dashboard',
    'Desk',
    'Site',
  ]);
  expect((await owner.get('/account')).text).toContain('href="/account" aria-current="page"');
  await switchTo('test');
  expect((await owner.get('/account')).text).toContain('Leave test mode');
});

test('the keys page lists keys of one mode, counts keys of the other, and warns about exposed keys', async () => {
  const live = (await owner.get(KEYS)).text;
  expect(live).toContain('Server');
  expect(live).not.toContain('Tests');
  expect(live).toContain('You also have 1 active test key.');
  await switchTo('test');
  const inTest = (await owner.get(KEYS)).text;
  expect(inTest).toContain('Tests');
  expect(inTest).not.toContain('Old server');
  expect(inTest).toContain('You also have 1 active live key.');
  expect((await owner.get(`${KEYS}/new`)).text).toMatch(/value="test" checked/);
  const recorder = createAttemptRecorder(site.context);
  recorder.recordBrowserCall(refusedCallOf({ keyHash: hashKey(site.apiKey) }));
  await recorder.close();
  expect((await owner.get(KEYS)).text).toContain('A live key was sent by a browser');
});

test('mode=live in the URL shows live claims, even in test mode', async () => {
  await switchTo('test');
  const campaigns = (await owner.get('/dashboard/campaigns?listing=notes')).text;
  const link = /href="(\/dashboard\/claims\?[^"]*mode=live)"/.exec(campaigns)![1]!.replaceAll('&amp;', '&');
  const { text } = await owner.get(link);
  expect(text).not.toContain('Leave test mode');
  expect(text).toContain('value="live" aria-pressed="true"');
  expect(text).toContain('<input type="hidden" name="mode" value="live"/>');
  expect(text).toContain('export.csv?listing=notes&amp;via=');
});

test('switching modes redirects to the first page of the current list, and never to another site', async () => {
  const next = async (form: Record<string, string>, referer?: string) => {
    const headers = referer === undefined ? {} : { Referer: site.service.baseUrl + referer };
    return (await owner.post(MODE_PATH, { mode: 'live', ...form }, headers)).location;
  };
  // A cursor (`after`) is valid in one mode only.
  expect(await next({}, `${CLAIMS}?via=shop&after=x&mode=test`)).toBe(`${CLAIMS}?via=shop`);
  expect(await next({}, '/dashboard')).toBe('/dashboard');
  expect(await next({})).toBe('/dashboard');
  expect(await next({ next: KEYS }, `${KEYS}/x/roll`)).toBe(KEYS);
  for (const foreign of [
    'https://elsewhere.example/',
    '//elsewhere.example/',
    '/\\elsewhere.example',
    '/..//elsewhere.example',
  ]) {
    expect(await next({ next: foreign })).toBe('/dashboard');
  }
});

test('on the error page of a form, the mode switch redirects to the form', async () => {
  const form = { form: 'x', name: 'n', mode: 'live', expires: 'never' };
  const refused = await owner.post(KEYS, form, { Referer: `${site.service.baseUrl}${KEYS}/new` });
  expect(refused.text).toContain(`<input type="hidden" name="next" value="${KEYS}/new"/>`);
});

test('in test mode, a search by claimant reference also finds live claims and lists them in live mode', async () => {
  const find = async (q: string) => (await owner.post(`${CLAIMS}/find`, { q })).location;
  expect(await find('person-4711')).toBe(`${CLAIMS}?claimant=person-4711`);
  await switchTo('test');
  expect(await find('person-4711')).toBe(`${CLAIMS}?claimant=person-4711&mode=live`);
});

test('the mode switch rejects an unknown mode and a visitor without a session', async () => {
  const refused = await switchTo('both');
  expect([refused.status, refused.headers.get('set-cookie')]).toEqual([400, null]);
  expect(refused.text).toMatch(/The mode must be .*live.* or .*test/);
  const stranger = await site.request(null, 'POST', MODE_PATH, { form: { mode: 'test' } });
  expect([stranger.status, stranger.headers.get('set-cookie')]).toEqual([403, null]);
});

test.skipIf(CHROMIUM === null)('a click switches the mode, and the page passes the checks', async () => {
  const { baseUrl } = site.service;
  const visitor = createVisitor(baseUrl);
  const path = `${CLAIMS}?via=shop`;
  const work: Parameters<Visitor['visit']>[1] = async (page, faults) => {
    await press(page, page.getByRole('button', { name: 'Test', exact: true }));
    await page.getByText('2 claims, newest first').waitFor();
    expect(page.url()).toBe(baseUrl + path);
    expect(await pageFindings(page, 'claims in test mode')).toEqual([]);
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('rowheader', { name: 'Tests' }).waitFor();
    await press(page, page.getByRole('button', { name: 'Leave test mode' }));
    await page.getByRole('rowheader', { name: 'Server' }).waitFor();
    expect(faults).toEqual([]);
  };
  await visitor.visit(path, work, true, owner.profileCookies(baseUrl));
  await visitor.close();
});
