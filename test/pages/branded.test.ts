/** A brand replaces the software's name everywhere except in the footer line and in texts about the software. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { BRAND_SETTINGS, type Brand, DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { FIRST_PLANS } from '../../src/base/brand/plans.ts';
import { DOCS_PATH, guidePath } from '../../src/base/paths.ts';
import { mailPreviews } from '../../src/pages/desk/outbox/previews.ts';
import { ERROR_CODES } from '../../src/pages/docs/error-pages.ts';
import { FILES_ELSEWHERE, GUIDE, markdownPath } from '../../src/pages/docs/guide.ts';
import { accentSheet, iconOf } from '../../src/pages/ui/assets.ts';
import { htmlOf, textOf } from '../../src/people/mail/letter.ts';
import { ERROR_PAGES_PATH } from '../../src/platform/errors.ts';
import { SOFTWARE } from '../../src/platform/text/text.ts';
import { createOwner, saveBrand } from '../support/marketplace.ts';
import { Person, signedInAs } from '../support/person.ts';
import { openSite } from '../support/site.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';
import { pagesOf } from './every-page.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

const ADDRESS = 'hilfe@wolken.example';

const BRAND: Brand = {
  ...DEFAULT_BRAND,
  name: 'Wolkenmarkt',
  accent: '#ffd400',
  headline: 'Alles aus der Wolke',
  lead: 'Ausgesucht in Berlin.',
  contact: `mailto:${ADDRESS}`,
  imprint: 'https://wolken.example/imprint',
  privacy: 'https://wolken.example/privacy',
  terms: 'https://wolken.example/terms',
  footer: 'Wolken GmbH, Berlin',
};
const RUNS_ON = `<small> Runs on ${SOFTWARE}.</small>`;

const SOFTWARE_PAGES: readonly string[] = [
  'tour',
  'alternatives',
  'outgoing',
  ...GUIDE.find(({ title }) => title === 'Operate')!.pages,
  ...Object.keys(FILES_ELSEWHERE),
].map(guidePath);
/** Parts of the documentation that may contain the software's name, for example in names of files or classes. */
const IDENTIFIERS = /<fieldset class="snippets">.*?<\/fieldset>|<code>.*?<\/code>/gs;

/** Removes the parts of a page that may name the software, such as the content of a page about the software. */
const ownText = (path: string, text: string): string =>
  SOFTWARE_PAGES.includes(path)
    ? text.replace(/<main.*<\/main>|<meta [^>]*description"[^>]*>/gs, '')
    : path.startsWith(DOCS_PATH)
      ? text.replace(IDENTIFIERS, '')
      : // The audit log shows the marketplace's former name, and the former name is the software's name.
        text.replace(`(was ${SOFTWARE})`, '');

let site: WholeSite;
beforeAll(async () => {
  site = await openWholeSite('sqlite');
});
afterAll(() => site?.close());

const use = (brand: Brand) => saveBrand(site.context, site.people.operator.accountId, brand);

/** Returns the unexpected occurrences of the software's name and the missing parts of the brand. */
async function faultsOf(brand: Brand, visits = pagesOf(site, true)): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { path, person } of visits) {
    const { text } = await site.request(person, 'GET', path);
    faults.push(...faultsIn(path, text, brand));
  }
  return faults;
}

function faultsIn(path: string, text: string, brand: Brand): readonly string[] {
  const faults: string[] = [];
  const shown = ownText(path, text);
  const rest = brand.showsSoftware ? shown.replace(RUNS_ON, '') : shown;
  if (brand.showsSoftware && rest === shown) faults.push(`${path}: the footer line is missing`);
  const at = rest.indexOf(SOFTWARE);
  if (at !== -1) faults.push(`${path}: ${rest.slice(Math.max(0, at - 60), at + 60)}`);
  for (const part of [
    `· ${brand.name}</title>`,
    `</svg><span dir="auto">${brand.name}</span>`,
    accentSheet(brand.accent!).path,
    iconOf(brand.accent).path,
    'Wolken GmbH, Berlin',
    ...[brand.contact, brand.imprint, brand.privacy, brand.terms].map((href) => `<a href="${href}">`),
  ]) {
    if (!shown.includes(part)) faults.push(`${path}: missing ${part}`);
  }
  return faults;
}

test('a brand replaces the software’s name on every page, with and without the footer line', async () => {
  await use(BRAND);
  expect(await faultsOf(BRAND)).toEqual([]);
  const quiet = { ...BRAND, showsSoftware: false };
  await use(quiet);
  expect(await faultsOf(quiet)).toEqual([]);
  // Without the brand, the check must find faults; otherwise the assertions above could never fail.
  await use(DEFAULT_BRAND);
  for (const visit of pagesOf(site, true).slice(0, 3)) expect(await faultsOf(BRAND, [visit])).not.toEqual([]);
  await use(BRAND);
});

test('a brand replaces the software’s name in the docs, except on pages about the software', async () => {
  const quiet = { ...BRAND, showsSoftware: false };
  await use(quiet);
  const guide = GUIDE.flatMap(({ pages }) => pages.map(guidePath));
  const paths = [...guide, ...ERROR_CODES.map((code) => `${ERROR_PAGES_PATH}/${code}`)];
  const visits = paths.map((path) => ({ name: path, path, person: null }));
  expect(await faultsOf(quiet, visits)).toEqual([]);
  const lines = (await site.request(null, 'GET', '/llms.txt')).text.split('\n');
  const isAboutSoftware = (line: string) => SOFTWARE_PAGES.some((path) => line.includes(markdownPath(path)));
  expect(lines.filter((line) => !isAboutSoftware(line)).join('\n')).not.toContain(SOFTWARE);
  await use(BRAND);
});

test('a brand replaces the software’s name in every mail', () => {
  for (const mail of mailPreviews('https://claims.example', { brand: BRAND, plans: FIRST_PLANS })) {
    for (const text of [mail.subject, textOf(BRAND, mail), htmlOf(BRAND, mail)])
      expect(text).not.toContain(SOFTWARE);
    for (const text of [textOf(BRAND, mail), htmlOf(BRAND, mail)])
      for (const part of [BRAND.name, ADDRESS, BRAND.imprint, BRAND.privacy, BRAND.terms, BRAND.footer])
        expect(text).toContain(part!);
    expect(htmlOf(BRAND, mail)).toContain(`href="mailto:${ADDRESS}"`);
    expect(textOf(BRAND, mail)).not.toContain('mailto:');
    expect(htmlOf(BRAND, mail)).not.toContain('#17594d');
  }
});

test('a brand replaces the software’s name in the manifest, OpenAPI document and text files', async () => {
  const read = async (path: string) => (await site.request(null, 'GET', path)).text;
  expect(JSON.parse(await read('/manifest.webmanifest'))).toMatchObject({
    name: 'Wolkenmarkt',
    short_name: 'Wolkenmarkt',
    theme_color: '#8b7300',
    icons: [{ src: iconOf('#ffd400').path }, { type: 'image/png', sizes: '180x180' }],
  });
  const openapi = await read('/openapi.json');
  expect(openapi).not.toContain(SOFTWARE);
  expect(JSON.parse(openapi).info).toMatchObject({
    title: 'Wolkenmarkt',
    contact: { email: ADDRESS },
  });
  expect(await read('/.well-known/security.txt')).toContain('Contact: mailto:hilfe@wolken.example\n');
  for (const path of ['/llms.txt', '/llms-full.txt']) expect(await read(path)).toMatch(/^# Wolkenmarkt\n/);
  const front = await read('/');
  expect(front).toMatch(/<h1 dir="auto">Alles aus der Wolke<\/h1>.*Ausgesucht in Berlin\./s);
});

test('the brand’s style sheet and icon are served only if the hash in the path matches the colour', async () => {
  const sheet = accentSheet('#ffd400');
  const found = await site.request(null, 'GET', sheet.path);
  expect(found.text).toBe(sheet.text);
  expect(found.text).toContain('--accent:light-dark(#8b7300,');
  for (const { path } of [sheet, iconOf('#ffd400')]) {
    const other = path.replace('ffd400', '1b2a6b');
    expect((await site.request(null, 'GET', other)).status).toBe(404);
  }
  expect((await site.request(null, 'GET', iconOf('#ffd400').path)).text).toContain('fill="#ffd400"');
});

test('the brand comes from the environment until an operator changes it', async () => {
  const values = Object.entries({ ...BRAND, asksConsent: true, showsSoftware: false });
  const env = values.flatMap(([field, value]) =>
    value === null ? [] : [[BRAND_SETTINGS[field as keyof Brand].environment, String(value)]],
  );
  const fresh = await openSite('sqlite', Object.fromEntries(env));
  try {
    const { context } = fresh;
    const get = async (path: string) => (await fetch(fresh.baseUrl + path)).text();
    for (const path of ['/', '/help', '/sign-up']) {
      const text = await get(path);
      expect(faultsIn(path, text, { ...BRAND, showsSoftware: false }), path).toEqual([]);
    }
    const front = await get('/');
    for (const words of [BRAND.headline!, BRAND.lead!]) expect(front).toContain(words);
    expect(await get('/sign-up')).toContain('name="acceptsTerms"');

    const { person, accountId } = await signedInAs(fresh, { email: 'olga@example.com', operator: true });
    expect((await person.get('/desk/settings/brand')).text).toContain(
      '#ffd400<p class="hint"><code>MARKETPLACE_ACCENT</code></p>',
    );
    expect((await person.get('/desk/settings/general')).text).toContain(
      'off<p class="hint"><code>MARKETPLACE_RUNS_ON</code></p>',
    );
    await saveBrand(context, accountId, { headline: null, showsSoftware: true });
    const saved = await get('/');
    expect(saved).not.toContain(BRAND.headline);
    expect(saved).toContain(RUNS_ON);
  } finally {
    await fresh.close();
  }
});

test('new users are asked to accept the terms, even if they sign in with an emailed code', async () => {
  const consent = /By continuing, you accept the <a href="https:\/\/wolken\.example\/terms">terms<\/a>/;
  expect((await site.request(null, 'GET', '/sign-up')).text).toMatch(consent);
  const smtp = await startSmtpSink();
  const mailing = await openSite('sqlite', {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'claims@example.com',
    MARKETPLACE_NAME: 'Wolkenmarkt',
  });
  try {
    const { context, baseUrl } = mailing;
    const { accountId } = await signedInAs(mailing, { email: 'olga@example.com', operator: true });
    const { slug, offerId } = await createOwner(context);
    const pages = ['/sign-in', `/l/${slug}`, `/l/${slug}/offers/${offerId}/claim`];
    const get = async (path: string) => (await fetch(baseUrl + path)).text();
    for (const path of pages) {
      const text = await get(path);
      expect(text, path).not.toContain('you accept');
      expect(text, path).toContain('· Wolkenmarkt</title>');
    }
    const { terms } = BRAND;
    await saveBrand(context, accountId, { terms });
    for (const path of pages) expect(await get(path), path).toMatch(consent);
    await saveBrand(context, accountId, { terms, asksConsent: true });
    for (const path of pages) expect(await get(path), path).toContain('name="acceptsTerms"');
    const refused = await new Person(baseUrl).post('/sign-in', { email: 'bo@example.com' });
    expect([refused.status, refused.text.includes('Accept the terms to continue.')]).toEqual([422, true]);
    await saveBrand(context, accountId, { terms });
    // MAIL_FROM has no display name, so mails show the marketplace's name as the sender.
    const visitor = new Person(baseUrl);
    await visitor.post('/sign-in', { email: 'ada@example.com' });
    expect(await smtp.mailTo('ada@example.com')).toContain('From: Wolkenmarkt <claims@example.com>\n');
  } finally {
    await mailing.close();
    await smtp.close();
  }
});

test('the help page and the plan page link to the operator’s contact address', async () => {
  const link = 'href="mailto:hilfe@wolken.example" rel="noopener noreferrer nofollow"';
  expect((await site.request(null, 'GET', '/help')).text).toContain(link);
  expect((await site.request('claimant', 'GET', '/dashboard/settings/plan')).text).toContain(link);
});

test('developer links are shown only in the documentation, the dashboard and the desk', async () => {
  for (const [person, path, isShown] of [
    [null, '/', false],
    ['claimant', '/claims', false],
    [null, '/sign-in', false],
    [null, '/docs', true],
    ['owner', '/dashboard', true],
    ['operator', '/desk', true],
  ] as const) {
    const { text } = await site.request(person, 'GET', path);
    expect(text.includes('href="/openapi.json">API</a>'), path).toBe(isShown);
  }
});
