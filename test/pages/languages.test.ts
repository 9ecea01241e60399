/** Renders mails and pages in a right-to-left pseudo-language. No English text may remain. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { FIRST_PLANS } from '../../src/base/brand/plans.ts';
import { changeBrand } from '../../src/base/settings/change-brand.ts';
import type { CountedOffer } from '../../src/marketplace/offers/queries.ts';
import { Stock } from '../../src/pages/dashboard/offers/codes-page.tsx';
import { mailPreviews } from '../../src/pages/desk/outbox/previews.ts';
import { languageAt } from '../../src/pages/frame/pages.ts';
import { htmlOf, textOf } from '../../src/people/mail/letter.ts';
import { createMailer } from '../../src/people/mail/mail.ts';
import { newPassword } from '../../src/people/sign-in/email/letters.ts';
import { inLanguage } from '../../src/platform/languages/language.ts';
import { wordsOf } from '../../src/platform/languages/translate.ts';
import {
  CHROMIUM,
  keepPicture,
  openLooker,
  openProfile,
  overflows,
  pageFindings,
} from '../support/browser.ts';
import { PSEUDO_LANGUAGE } from '../support/pseudo-language.ts';
import { readTables } from '../support/tables.ts';
import { pagesOf } from './every-page.ts';
import { pathWith, routesOf } from './site-routes.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

const BRAND = {
  ...DEFAULT_BRAND,
  language: PSEUDO_LANGUAGE,
  contact: 'https://claims.example/contact',
  imprint: 'https://claims.example/imprint',
  privacy: 'https://claims.example/privacy',
  terms: 'https://claims.example/terms',
};

const ATTRIBUTES =
  /\s(?:alt|aria-label|placeholder|title|data-(?:cancelled|copied|failed|hide|known|label|refused|your-time))="([^"]*)"/g;
/** Elements with text that is never translated: code, styles, scripts, images, key names and monospaced values. */
const VERBATIM = /<(code|pre|script|style|svg|kbd)\b.*?<\/\1>|<(span|a) class="mono[^>]*>.*?<\/\2>/gs;
/** Cities in the list of time zones. */
const CITIES = /<option value="[A-Z]\w+\/[^>]*>[^<]*/g;
const NO_WORDS =
  /[\w.+-]+@[\w.-]+|https?:\/\/\S+|\b(?:[\w-]+\.)+(?:example|org)\b|\b[A-Z0-9]{2,}(?:-[A-Z0-9]+)+\b/g;
const NAMES =
  /\b(?:Claimcheck|UTC|Node\.js|SQLite|MiB|GiB|CSV|NDJSON|JSON|SVG|PNG|QR|node|localhost|HTML|Markdown|URL|TLSv1|GET|HEAD|POST|UUID|Slack|Discord|Mattermost|ntfy)\b/g;
/** API and URL text that is never translated: error codes, event types, IDs, parts of tokens, and field values. */
const CODES =
  /\{claim\}|\(none\)|"(?:token|redeem|reference)"|\{"token.*?\}|\b(?:claim|listing|offer|key)\.[a-z_]+|\b[a-z]+(?:_[\w-]+)+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|…[\w}-]{4,8}|\b(?:text\/plain|webhook-id)\b|https:\/\/|\bredeem: (?:true|false)|clm_…|\/welcome\?claim=|\b(?:now|\d+[hd]|member|owner|operator|bonus|access)\b|\b(?:accounts|listings|offers|keys|claims):(?:read|write)\b/g;

/** The codes of languages in changes of settings, in the audit log. */
const LANGUAGE_CODES = /\b(?:en|de|ar-XB)\b/g;
/** Findings of system checks contain paths, settings of the database, and fingerprints of keys. */
const MACHINE = /(?:\/[\w.-]+){2,}|\b\w+ = [\w-]+|= wal|\b[0-9a-f]{16}\b/g;
const TIME_ZONES = /\b[A-Z][A-Za-z]+(?:\/[\w+-]+)+/g;

const decoded = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

const SEARCH = 'nothing-of-this';
/**
 * Data that appears on pages but is not a separate value in any row of `TABLES_OF_PEOPLE`: a search term, labels, plan
 * names and parts of links. To highlight a change in a link, pages split the link into parts.
 */
const DATA = [
  SEARCH,
  'newsletter',
  'podcast',
  'person-4711',
  'shop.elsewhere',
  'elsewhere',
  '.example',
  'Starter',
  'Studio',
  'Everything',
  'everything',
  '-copy',
  'Calm',
  'Ada Lovelace',
  'English',
  'Deutsch',
  'We are growing.',
  'Regular customers',
  'It ended last week.',
  'en or de',
  'shop',
  'Shop',
  // The offer that a test adds.
  'Ein Jahr gratis',
  'GRATIS',
];
/** Paths of forms that are not submitted, because they revoke the session or remove data that other forms need. */
const ENDS = /^\/sign-out$|\/sessions\/|^\/dashboard\/.*\/(?:delete|disable|revoke|withdraw)$/;

const TABLES_OF_PEOPLE = ['accounts', 'listings', 'offers', 'api_keys', 'operator_keys', 'passkeys'];

/** Returns a page's untranslated texts: the texts that still contain Latin letters after `data` is removed. */
function latinIn(html: string, data: readonly string[]): readonly string[] {
  const shown = html
    .replaceAll(VERBATIM, '')
    .replaceAll(CITIES, '')
    .replaceAll(/<wbr\s*\/?>/g, '');
  const texts = [
    ...shown.replaceAll(/<[^>]*>/g, '\n').split('\n'),
    ...[...html.matchAll(ATTRIBUTES)].map(([, text]) => text!),
  ];
  const left = texts.map((text) => withoutData(decoded(text), data));
  return [...new Set(left.filter((text) => /[a-z]{2}/i.test(text)))];
}

const withoutData = (text: string, data: readonly string[]): string => {
  const words = text
    .replaceAll(/[\u2066-\u2069]/g, '')
    .replaceAll(NO_WORDS, '')
    .replaceAll(NAMES, '')
    .replaceAll(CODES, '')
    .replaceAll(TIME_ZONES, '')
    .replaceAll(MACHINE, '');
  const rest = data.reduce((left, one) => left.replaceAll(one, ''), words);
  return rest.replaceAll(LANGUAGE_CODES, '').trim();
};

describe('translation', () => {
  let site: WholeSite;
  let data: readonly string[];
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
    const tables = await readTables(site.context);
    const rows = TABLES_OF_PEOPLE.flatMap((name) => tables.get(name) ?? []);
    data = [...DATA, ...new Set(rows.flatMap((row) => Object.values(row as object)))]
      .flatMap((value) => (typeof value === 'string' ? value.split('\n') : []))
      .filter((value) => value.length > 1)
      .toSorted((a, b) => b.length - a.length);
    await use(PSEUDO_LANGUAGE);
  });
  const use = (language: string) =>
    changeBrand(site.context, {
      brand: { ...BRAND, language },
      operatorId: site.people.operator.accountId,
      actor: 'operator',
    });
  afterAll(() => site?.close());

  const isTranslated = ({ path }: { readonly path: string }): boolean =>
    languageAt(path, BRAND) === PSEUDO_LANGUAGE;

  async function faultsOf(person: Parameters<WholeSite['request']>[0], method: string, path: string) {
    const { text, status } = await site.request(person, method, path, method === 'POST' ? { form: {} } : {});
    if (!text.includes('</html>')) return [];
    const faults = latinIn(text, data).map((found) => `${method} ${path} (${status}): ${found}`);
    return text.includes(`<html lang="${PSEUDO_LANGUAGE}" dir="rtl">`)
      ? faults
      : [`${path}: the html element has the wrong lang or dir`, ...faults];
  }

  test('previews at the desk and in the dashboard use the language of the marketplace', async () => {
    await use('de');
    const brand = await site.request('operator', 'GET', '/desk/settings/brand');
    const own = await site.request('owner', 'GET', `/dashboard/listings/${site.ids.listing}`);
    await use(PSEUDO_LANGUAGE);
    expect(brand.text.includes('Angebot sichern</span>')).toBe(true);
    expect(/<div lang="de" dir="ltr">.*<dt[^>]*>Anbieter</s.test(own.text)).toBe(true);
  });

  test('forms read numbers with the separators of the language, and refuse a number that may have decimals', async () => {
    await use('de');
    const path = `/dashboard/listings/${site.ids.listing}/offers/new`;
    const fields = { offer: 'Ein Jahr gratis', kind: 'gift', code: 'GRATIS' };
    const add = (limit: string) =>
      site.request('owner', 'POST', path, { form: { ...fields, claim_limit: limit } });
    const limits = () =>
      site.context.db.read
        .selectFrom('offers')
        .select('claim_limit')
        .where('offer', '=', fields.offer)
        .execute();
    const refused = await add('1,000');
    expect([refused.status, await limits()]).toEqual([422, []]);
    expect(decoded(refused.text)).toContain(
      '"1,000" könnte 1000 bedeuten oder eine Zahl mit Nachkommastellen.',
    );
    expect(decoded((await add('1,5')).text)).toContain('Das Limit ist eine ganze Zahl von 1 bis');
    expect((await add('1.000')).status).toBe(303);
    expect(await limits()).toEqual([{ claim_limit: 1_000 }]);
    const retention = await site.request('operator', 'POST', '/desk/settings/retention', {
      form: { mailDays: '9,000' },
    });
    expect(decoded(retention.text)).toContain('"9,000" könnte 9000 bedeuten');
    await use(PSEUDO_LANGUAGE);
  });

  test('every CSV file is also offered with the separators of a German Excel', async () => {
    await use('de');
    const files = routesOf(site.service).filter(({ path }) => path.endsWith('.csv'));
    expect(files.length).toBeGreaterThan(4);
    for (const route of files) {
      const person = route.path.startsWith('/desk') ? 'operator' : 'owner';
      const get = (query: string) =>
        site.request(person, 'GET', `${pathWith(route, site.ids)}?listing=${site.slug}${query}`);
      const [plain, excel] = [await get(''), await get('&for=excel')];
      const heading = ({ text }: { text: string }) => text.split('\r\n')[0]!.replace('\ufeff', '');
      const columns = heading(plain).split(',');
      expect(heading(excel).replaceAll(/ \([^)]*\)/g, '')).toBe(columns.join(';'));
      expect(columns.length).toBeGreaterThan(2);
      expect(excel.headers.get('content-disposition')).toMatch(/-excel\.csv"$/);
      // A byte order mark, which `text` leaves out.
      expect(excel.headers.get('content-type')).toBe(plain.headers.get('content-type'));
    }
    await use(PSEUDO_LANGUAGE);
  });

  test('every page with a CSV file links to the one for Excel', async () => {
    const links = (text: string) => [...text.matchAll(/href="([^"]*\.csv[^"]*)"/g)].map(([, href]) => href!);
    let pages = 0;
    for (const { path, person } of pagesOf(site, true)) {
      const hrefs = links((await site.request(person, 'GET', path)).text);
      const [excel, plain] = [true, false].map((is) =>
        hrefs.filter((href) => href.includes('for=excel') === is),
      );
      expect([path, excel!.length]).toEqual([path, plain!.length]);
      if (hrefs.length > 0) pages += 1;
    }
    expect(pages).toBeGreaterThan(4);
  });

  test('pages for claimants, owners and operators contain no English text', async () => {
    const visits = pagesOf(site, true).filter(isTranslated);
    expect(visits.length).toBeGreaterThan(15);
    const more = [
      { path: `/?q=${SEARCH}&kind=gift`, person: null },
      { path: '/?category=none', person: null },
      { path: '/?sort=ending&kind=credit', person: null },
      { path: '/?page=9', person: null },
      { path: '/', person: 'claimant' as const },
      { path: '/nothing-here', person: 'claimant' as const },
      { path: `/l/${site.slug}?via=newsletter`, person: 'claimant' as const },
      { path: '/account', person: 'claimant' as const },
      { path: '/account', person: 'operator' as const },
    ];
    const faults = [];
    for (const { path, person } of [...visits, ...more])
      faults.push(...(await faultsOf(person, 'GET', path)));
    expect(faults).toEqual([]);
  });

  test('form errors for claimants, owners and operators contain no English text', async () => {
    const faults = [];
    for (const route of routesOf(site.service)) {
      if (route.method !== 'POST' || !isTranslated(route) || ENDS.test(route.path)) continue;
      const path = pathWith(route, { ...site.ids, draftSlug: site.slug });
      const people = path.startsWith('/desk') ? (['operator'] as const) : ([null, 'owner'] as const);
      for (const person of people) faults.push(...(await faultsOf(person, 'POST', path)));
    }
    expect(faults).toEqual([]);
  });

  test.skipIf(CHROMIUM === null)(
    'pages fit the window in a right-to-left language and in German',
    async () => {
      const { baseUrl } = site.service;
      const profile = await openProfile(await openLooker(), { baseUrl });
      const faults: string[] = [];
      try {
        await profile.addCookies(site.people.claimant.person.profileCookies(baseUrl));
        const page = await profile.newPage();
        for (const path of [
          '/',
          `/l/${site.slug}`,
          `/claims/${site.ids.claim}`,
          '/account',
          '/account/delete',
        ]) {
          await page.goto(path);
          faults.push(...(await pageFindings(page, `right to left ${path}`)));
        }
        const look = async (path: string, language: string) => {
          await page.goto(path);
          faults.push(...(await overflows(page)).map((fault) => `${path} in ${language}: ${fault}`));
          await keepPicture(page, `${language} ${path}`);
        };
        await page.setViewportSize({ width: 390, height: 800 });
        for (const path of ['/claims', '/help', '/invitation', '/account/prove'])
          await look(path, PSEUDO_LANGUAGE);
        await use('de');
        for (const { path, person } of pagesOf(site, true).filter(isTranslated)) {
          if (person === null || person === 'claimant') await look(path, 'de');
        }
      } finally {
        await profile.close();
        await use(PSEUDO_LANGUAGE);
      }
      expect(faults).toEqual([]);
    },
  );

  test('mails and the Outbox use the language of the marketplace', async () => {
    await use('de');
    const { context } = site;
    const mailer = createMailer(context, { smtpUrl: null, from: '', onFailure: () => {} });
    // The mail is sent outside a request, as in a background job.
    const mail = { to: 'jo@people.example', ...newPassword('https://claims.example', 'K7QX3M9TR0') };
    await context.db.transaction((tx) => mailer.keep(tx, mail));
    const outbox = async () => (await site.request('operator', 'GET', '/desk/outbox')).text;
    expect(await outbox()).toContain('Oder öffnen Sie diese Seite und geben Sie den Code unten ein');
    expect(await outbox()).toMatch(/<html lang="de" dir="ltr">.*<h1 dir="auto">Postausgang<\/h1>/s);
    const preview = (await site.request('operator', 'GET', '/desk/outbox/previews/0')).text;
    expect(preview).toMatch(/<html lang="de" dir="ltr">.*Ihr Anmeldecode/s);
    await use(PSEUDO_LANGUAGE);
  });

  test('API errors are in English, and errors on pages are translated', async () => {
    const sent = { form: {}, headers: { 'sec-fetch-site': 'cross-site' } };
    const headers = { authorization: `Bearer ${site.apiKey}` };
    const answer = await site.request(null, 'GET', '/api/v1/marketplace/claims?until=x', { headers });
    expect(JSON.parse(answer.text).detail).toMatch(/^[\x20-\x7e]+$/);
    expect((await site.request(null, 'POST', '/sign-in', sent)).text).not.toContain('did not come from');
  });

  test('the documentation is in English', async () => {
    expect((await site.request(null, 'GET', '/docs')).text).toContain('<html lang="en" dir="ltr">');
  });
});

test('the notice about an empty code list contains no English text', () => {
  const offer = { code_list: 'close', codes_left: 0, codes_given: 3 } as CountedOffer;
  expect(
    latinIn(
      inLanguage(PSEUDO_LANGUAGE, () => String(Stock({ offer }))),
      [],
    ),
  ).toEqual([]);
});

test('plain-text and HTML mails contain no English text', () => {
  const faults = inLanguage(PSEUDO_LANGUAGE, () =>
    mailPreviews('https://claims.example', { brand: BRAND, plans: FIRST_PLANS }).flatMap((mail) =>
      [wordsOf(mail.subject), textOf(BRAND, mail), htmlOf(BRAND, mail)].flatMap((text) =>
        latinIn(text, [
          '20% off the first year',
          'Calm Apps',
          'Calm Notes',
          'Loud Notes',
          'Ada Lovelace',
          'The price on the page differs from the offer.',
          '310 MB free of 40 GB. At least 512 MB should be free.',
          'Publish your listing first, then ask again.',
          'Studio',
          'We met at the makers’ fair and would love to have your app.',
          'launch',
          'Is the offer still valid this week?',
          'Yes, the offer is open until Friday.',
        ]).map((found) => `${mail.when}: ${found}`),
      ),
    ),
  );
  expect(faults).toEqual([]);
});
