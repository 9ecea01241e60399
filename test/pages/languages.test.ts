/** Pages of claimants and mails in a language that runs from right to left, in which no English text may be left. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeBrand } from '../../src/brand/change.ts';
import { mailPreviews } from '../../src/desk/outbox/previews.ts';
import { languageAt } from '../../src/http/pages/pages.ts';
import { inLanguage } from '../../src/languages/language.ts';
import { wordsOf } from '../../src/languages/translate.ts';
import { htmlOf, textOf } from '../../src/mail/letter.ts';
import { UNBRANDED } from '../support/brand.ts';
import { PSEUDO_LANGUAGE } from '../support/pseudo-language.ts';
import { readTables } from '../support/tables.ts';
import { pagesOf } from './every-page.ts';
import { openWholeSite, pathWith, routesOf, type WholeSite } from './whole-site.ts';

const BRAND = {
  ...UNBRANDED,
  language: PSEUDO_LANGUAGE,
  contact: 'https://claims.example/contact',
  imprint: 'https://claims.example/imprint',
  privacy: 'https://claims.example/privacy',
  terms: 'https://claims.example/terms',
};

const ATTRIBUTES =
  /\s(?:alt|aria-label|placeholder|title|data-(?:copied|hide|label|refused|your-time))="([^"]*)"/g;
/** Secrets, addresses, codes and programs are the same in each language. */
const VERBATIM = /<(code|pre|script|style|svg|kbd)\b.*?<\/\1>/gs;
const NO_WORDS =
  /[\w.+-]+@[\w.-]+|https?:\/\/\S+|\b(?:[\w-]+\.)+(?:example|org)\b|\b[A-Z0-9]{2,}(?:-[A-Z0-9]+)+\b/g;
const NAMES = /\b(?:Claimcheck|UTC|CSV|JSON|QR|node|localhost)\b/g;

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&').replaceAll('&lt;', '<');

const TABLES_OF_PEOPLE = ['accounts', 'listings', 'offers', 'api_keys', 'passkeys', 'campaign_labels'];

/** The Latin words of a page, besides data. */
function latinIn(html: string, data: readonly string[]): readonly string[] {
  const texts = [
    ...html
      .replaceAll(VERBATIM, '')
      .replaceAll(/<[^>]*>/g, '\n')
      .split('\n'),
    ...[...html.matchAll(ATTRIBUTES)].map(([, text]) => text!),
  ];
  return [
    ...new Set(
      texts.map((text) => withoutData(decoded(text), data)).filter((text) => /[a-z]{2}/i.test(text)),
    ),
  ];
}

const withoutData = (text: string, data: readonly string[]): string =>
  data
    .reduce((rest, one) => rest.replaceAll(one, ''), text.replaceAll(/[\u2066-\u2069]|<wbr>/g, ''))
    .replaceAll(NO_WORDS, '')
    .replaceAll(NAMES, '')
    .trim();

describe('in a language of its own', () => {
  let site: WholeSite;
  let data: readonly string[];
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
    const tables = await readTables(site.context);
    const rows = TABLES_OF_PEOPLE.flatMap((name) => tables.get(name) ?? []);
    data = [...new Set(rows.flatMap((row) => Object.values(row as object)))]
      .filter((value): value is string => typeof value === 'string' && value.length > 1)
      .toSorted((a, b) => b.length - a.length);
    await changeBrand(site.context, {
      brand: BRAND,
      operatorId: site.people.operator.accountId,
      actor: 'operator',
    });
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
      : [`${path}: not marked`, ...faults];
  }

  it('every page of claimants has no English text', async () => {
    const visits = pagesOf(site, true).filter(isTranslated);
    expect(visits.length).toBeGreaterThan(15);
    const more = [
      { path: '/?q=nothing-of-this&kind=gift', person: null },
      { path: '/', person: 'claimant' as const },
      { path: '/nothing-here', person: 'claimant' as const },
      { path: `/l/${site.slug}?via=newsletter`, person: 'claimant' as const },
      { path: '/account', person: 'claimant' as const },
    ];
    const faults = [];
    for (const { path, person } of [...visits, ...more])
      faults.push(...(await faultsOf(person, 'GET', path)));
    expect(faults).toEqual([]);
  });

  it('every form of claimants is refused without an English text', async () => {
    const faults = [];
    for (const route of routesOf(site.service)) {
      if (route.method !== 'POST' || !isTranslated(route) || route.path === '/sign-out') continue;
      const path = pathWith(route, { ...site.ids, draftSlug: site.slug });
      for (const person of [null, 'owner'] as const) faults.push(...(await faultsOf(person, 'POST', path)));
    }
    expect(faults).toEqual([]);
  });

  it('the pages of owners, operators and developers are in English', async () => {
    for (const [person, path] of [
      ['owner', '/dashboard/listings'],
      ['operator', '/desk'],
      [null, '/docs'],
    ] as const) {
      expect((await site.request(person, 'GET', path)).text).toContain('<html lang="en" dir="ltr">');
    }
  });
});

it('every mail has no English text, as text and as HTML', () => {
  const faults = inLanguage(PSEUDO_LANGUAGE, () =>
    mailPreviews('https://claims.example', BRAND).flatMap(([, mails]) =>
      mails.flatMap((mail) =>
        [wordsOf(mail.subject), textOf(BRAND, mail), htmlOf(BRAND, mail)].flatMap((text) =>
          latinIn(text, [
            '20% off the first year',
            'Calm Notes',
            'Loud Notes',
            'Ada Lovelace',
            'The price on the page differs from the offer.',
            '310 MB free of 40 GB; free at least 512 MB.',
          ]).map((found) => `${mail.when}: ${found}`),
        ),
      ),
    ),
  );
  expect(faults).toEqual([]);
});
