/** The announcement starts and ends on time, also on cached pages, and only its audience sees it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openMarketplace } from '../../../src/base/brand/marketplace.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';

const PATH = '/desk/settings/announcement';
const TEXT = 'Maintenance tonight at ten';
const FORM = { text: TEXT, level: 'warning', audience: 'everyone' };
const HOUR_MS = 3_600_000;

let laterMs = 0;
let site: OwnSite;
let operator: SignedIn;
beforeAll(async () => {
  site = await openSite('sqlite', { TIME_ZONE: 'Europe/Berlin' }, () => Date.now() + laterMs);
  operator = await signedInAs(site, { email: 'olga@example.com', operator: true });
});
afterAll(() => site?.close());
afterEach(async () => {
  laterMs = 0;
  await operator.person.post(PATH, { ...FORM, text: '' });
});

const get = async (path: string) => (await fetch(site.baseUrl + path)).text();
const save = (form: Readonly<Record<string, string>>) => operator.person.post(PATH, { ...FORM, ...form });
const inHours = (hours: number) => new Date(site.context.now() + hours * HOUR_MS).toISOString();

test('everyone sees it on every page, at the start of the page', async () => {
  expect((await save({})).location).toBe(`${PATH}?done`);
  for (const path of ['/', '/help', '/docs', '/sign-in', '/nothing-here']) {
    expect(await get(path), path).toMatch(/<aside aria-label="Announcement"><p class="announcement warn">/);
  }
  expect((await operator.person.get('/dashboard')).text).toContain(TEXT);
  expect((await operator.person.get('/desk')).text).toContain(TEXT);
});

test('an announcement for owners is only on the dashboard', async () => {
  await save({ audience: 'owners' });
  expect(await get('/')).not.toContain(TEXT);
  expect((await operator.person.get('/')).text).not.toContain(TEXT);
  expect((await operator.person.get('/dashboard')).text).toContain(TEXT);
});

test('cached pages change at the start and at the end, without a request that saves something', async () => {
  await save({ startsAt: inHours(1), endsAt: inHours(2) });
  const shows = async () => [(await get('/help')).includes(TEXT), (await get('/')).includes(TEXT)];
  expect(await shows()).toEqual([false, false]);
  expect(await shows()).toEqual([false, false]);
  laterMs = 1.5 * HOUR_MS;
  expect(await shows()).toEqual([true, true]);
  expect(await shows()).toEqual([true, true]);
  laterMs = 2.5 * HOUR_MS;
  expect(await shows()).toEqual([false, false]);
});

test('another process shows it too', async () => {
  await save({});
  const other = await openMarketplace(site.context.db, site.context.marketplace.first, site.context.now);
  expect(other.announcement).toMatchObject({ text: TEXT, level: 'warning' });
});

test('its text is text: markup is escaped, on the page and in the form', async () => {
  const attack = '<script>alert(1)</script> "onload="x" &amp; {t} javascript:alert(1) https://evil.example';
  await save({ text: attack });
  const escaped = attack
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  for (const text of [await get('/'), (await operator.person.get(PATH)).text]) {
    expect(text).toContain(escaped);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('href="https://evil.example');
  }
});

test('an invalid form is not saved and keeps what was typed', async () => {
  const refused = await save({ startsAt: '2026-11-20T12:00', endsAt: '2026-11-20T11:00', level: 'loud' });
  expect(refused.status).toBe(422);
  for (const words of [TEXT, 'The end must be after the start.', 'Choose the level.', '2026-11-20T12:00']) {
    expect(refused.text).toContain(words);
  }
  expect(site.context.marketplace.announcement).toBeNull();
});

test('only operators change it, and the audit log says what they changed', async () => {
  const { person } = await signedInAs(site, { email: 'bo@example.com' });
  expect((await person.get(PATH)).status).toBe(404);
  expect((await person.post(PATH, FORM)).status).toBe(404);
  await save({});
  const log = (await operator.person.get('/desk/events?type=all')).text;
  expect(log).toContain(`Announcement: ${TEXT} (was not set)`);
});
