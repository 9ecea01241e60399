/** Every page of the router in Chromium, with and without data. */
import { brotliCompressSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSETS } from '../../src/pages/ui/assets.ts';
import { CHROMIUM, collectFaults, openLooker, openProfile, pageFindings } from '../support/browser.ts';
import { keyboardFindings } from '../support/keyboard.ts';
import { moreVisits, pagesOf, type Visit } from './every-page.ts';
import type { PersonName } from './sample-data.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

/** Limits for the styles and scripts of a page, compressed with Brotli. */
const MAX_STYLE_BYTES = 12 * 1024;
const MAX_SCRIPT_BYTES = 20 * 1024;

const COUNT_HEADINGS = "document.querySelectorAll('h1').length";
const ASSETS_USED =
  "[...document.querySelectorAll('script[src], link[rel=stylesheet]')].map((element) => new URL(element.src ?? element.href).pathname)";

let site: WholeSite;
beforeAll(async () => {
  site = await openWholeSite('sqlite');
});
afterAll(() => site?.close());

describe.skipIf(CHROMIUM === null)('pages in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openLooker();
  });

  async function openFor(site: WholeSite, person: PersonName | null): Promise<BrowserContext> {
    const { baseUrl } = site.service;
    const profile = await openProfile(browser, { baseUrl });
    if (person !== null) await profile.addCookies(site.people[person].person.profileCookies(baseUrl));
    return profile;
  }

  /** Returns all findings. All visits by the same person share one browser page. */
  async function faultsOf(site: WholeSite, visits: readonly Visit[]): Promise<readonly string[]> {
    const people = [...new Set(visits.map(({ person }) => person))];
    const faults = await Promise.all(
      people.map(async (person) => {
        const profile = await openFor(site, person);
        const own = visits.filter((visit) => visit.person === person);
        const found = await faultsOfPerson(await profile.newPage(), site.service.baseUrl, own);
        await profile.close();
        return found;
      }),
    );
    return [...faults.flat(), ...titleFaults(seenTitles.splice(0))];
  }

  const seenTitles: { title: string; path: string }[] = [];

  async function faultsOfPerson(
    page: Page,
    baseUrl: string,
    visits: readonly Visit[],
  ): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const { name, path } of visits) {
      const say = (fault: string) => faults.push(`${name}: ${fault}`);
      const seen = collectFaults(page);
      const response = await page.goto(path);
      const { pathname } = new URL(path, baseUrl);
      if (new URL(page.url()).pathname !== pathname) say(`redirected to ${page.url()}`);
      const headings = await page.evaluate<number>(COUNT_HEADINGS);
      if (headings !== 1) say(`${headings} h1 elements`);
      seenTitles.push({ title: `${audienceOf(pathname)}: ${await page.title()}`, path: pathname });
      for (const fault of weightFaults(await page.evaluate<string[]>(ASSETS_USED))) say(fault);
      for (const finding of await pageFindings(page, `everywhere ${name}`)) say(finding);
      for (const finding of await keyboardFindings(page)) say(finding);
      // If a page returns an error status, the browser logs `Failed to load resource`.
      const isFine = response?.ok() ?? false;
      for (const fault of seen) if (isFine || !fault.includes('Failed to load resource')) say(fault);
      page.removeAllListeners('console');
      page.removeAllListeners('pageerror');
    }
    return faults;
  }

  test('pass the layout, accessibility, keyboard and asset size checks with data', async () => {
    const visits = pagesOf(site, true);
    expect(visits.length).toBeGreaterThan(25);
    expect(await faultsOf(site, [...visits, ...moreVisits(site)])).toEqual([]);
  }, 600_000);

  test('a page with tabs opens at the top on a phone', async () => {
    const profile = await openFor(site, 'operator');
    const page = await profile.newPage();
    await page.setViewportSize({ width: 390, height: 600 });
    await page.goto('/desk/settings/general');
    expect(await page.evaluate<number>('window.scrollY')).toBe(0);
    await profile.close();
  });

  test('pass the layout, accessibility, keyboard and asset size checks without data', async () => {
    const empty = await openWholeSite('sqlite', { isFilled: false });
    try {
      const visits: Visit[] = [];
      for (const visit of pagesOf(empty, false).filter(({ person }) => person !== null)) {
        const [withData, without] = await Promise.all([site, empty].map((one) => contentOf(one, visit)));
        if (withData !== without) visits.push(visit);
      }
      expect(visits.length).toBeGreaterThan(10);
      expect(await faultsOf(empty, visits)).toEqual([]);
      const desk = (await empty.request('operator', 'GET', '/desk')).text;
      for (const step of ['Publish an app', 'Set up mail', 'Make a backup']) expect(desk).toContain(step);
    } finally {
      await empty.close();
    }
  }, 600_000);
});

/** Returns a page's main content without ids and numbers, to find the pages that look different without data. */
const contentOf = async (site: WholeSite, { person, path }: Visit): Promise<string | undefined> =>
  /<main.*<\/main>/s
    .exec((await site.request(person, 'GET', path)).text)?.[0]
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '');

/** Reports pages with the same title, because their browser tabs would look alike. */
function titleFaults(seen: readonly { readonly title: string; readonly path: string }[]): readonly string[] {
  const paths = new Map<string, Set<string>>();
  for (const { title, path } of seen) paths.set(title, (paths.get(title) ?? new Set()).add(path));
  return [...paths]
    .filter(([, those]) => those.size > 1)
    .map(([title, those]) => `the title “${title}” is used by ${[...those].join(', ')}`);
}

const audienceOf = (path: string): string => /^\/(?:dashboard|desk)(?=\/|$)/.exec(path)?.[0] ?? 'public';

/** Reports styles or scripts that are missing or exceed their limit. */
function weightFaults(paths: readonly string[]): readonly string[] {
  const faults: string[] = [];
  for (const [ending, most] of [
    ['css', MAX_STYLE_BYTES],
    ['js', MAX_SCRIPT_BYTES],
  ] as const) {
    const used = [...new Set(paths)].filter((path) => path.endsWith(`.${ending}`));
    const bytes = used.reduce((sum, path) => sum + compressedSize(path), 0);
    if (bytes === 0 || bytes > most) faults.push(`${bytes} bytes of ${ending}`);
  }
  return faults;
}

const SIZES = new Map(ASSETS.map(({ path, text }) => [path, brotliCompressSync(text).length]));

/** Brotli-compressed size in bytes; infinite for an unknown file, so that the total exceeds the limit. */
const compressedSize = (path: string): number => SIZES.get(path) ?? Number.POSITIVE_INFINITY;
