/** Checks for every page of the router, with and without data. */
import { brotliCompressSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEW_EMAIL_PATH } from '../../src/pages/account/paths.ts';
import { ASSETS } from '../../src/pages/ui/assets.ts';
import { CHROMIUM, collectFaults, openLooker, openProfile, pageFindings } from '../support/browser.ts';
import { keyboardFindings } from '../support/keyboard.ts';
import { pagesOf, type Visit } from './every-page.ts';
import { openWholeSite, type PersonName, type WholeSite } from './whole-site.ts';

/** Limits for the styles and scripts of a page, compressed with Brotli. */
const MAX_STYLE_BYTES = 12 * 1024;
const MAX_SCRIPT_BYTES = 20 * 1024;

const REFUSED_FILTERS = 'outcome=good&since=noon&cause=placeholder_sent';

/** Visits that `pagesOf` does not return: pages in other states, and pages opened by another person. */
const moreVisits = (site: WholeSite): readonly Visit[] => {
  const { ids, slug } = site;
  return [
    { name: 'marketplace, signed in', path: '/', person: 'claimant' },
    { name: 'marketplace, no results', path: '/?q=nothing-of-this&kind=gift', person: null },
    { name: 'new address, signed in', path: NEW_EMAIL_PATH, person: 'claimant' },
    { name: 'listing, signed out', path: `/l/${slug}`, person: null },
    { name: 'listing, opened through a share link', path: `/l/${slug}?via=newsletter`, person: 'claimant' },
    {
      name: 'offer with a link waiting for review',
      path: `/dashboard/offers/${ids.waitingOffer}`,
      person: 'owner',
    },
    { name: 'claims, filtered', path: '/dashboard/claims?via=podcast', person: 'owner' },
    { name: 'claims, no results', path: '/dashboard/claims?via=nobody', person: 'owner' },
    {
      name: 'requests, invalid filters',
      path: `/dashboard/requests?${REFUSED_FILTERS}`,
      person: 'owner',
    },
    { name: 'refused request', path: `/dashboard/requests/${ids.refusedRequest}`, person: 'owner' },
    { name: 'requests, no results', path: '/dashboard/requests?code=rate_limited', person: 'owner' },
    { name: 'requests, on a plan without API keys', path: '/dashboard/requests', person: 'claimant' },
    { name: 'API keys, on a plan without them', path: '/dashboard/settings/keys', person: 'claimant' },
    { name: 'plan, without API keys', path: '/dashboard/settings/plan', person: 'claimant' },
    { name: 'accounts, no results', path: '/desk/accounts?q=nobody', person: 'operator' },
    { name: 'events of one account', path: '/desk/events?account=adele@acme.example', person: 'operator' },
    { name: 'listings, no results', path: '/desk/listings?q=nobody', person: 'operator' },
    { name: 'documentation search', path: '/docs/search?q=key', person: null },
    {
      name: 'documentation with the owner’s failed calls',
      path: '/docs/errors/invalid_request',
      person: 'owner',
    },
    { name: 'page not found', path: '/nothing-here', person: 'owner' },
  ];
};

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

  it('pass the layout, accessibility, keyboard and asset size checks with data', async () => {
    const visits = pagesOf(site, true);
    expect(visits.length).toBeGreaterThan(25);
    expect(await faultsOf(site, [...visits, ...moreVisits(site)])).toEqual([]);
  }, 600_000);

  it('a page with tabs opens at the top on a phone', async () => {
    const profile = await openFor(site, 'operator');
    const page = await profile.newPage();
    await page.setViewportSize({ width: 390, height: 600 });
    await page.goto('/desk/settings/general');
    expect(await page.evaluate<number>('window.scrollY')).toBe(0);
    await profile.close();
  });

  it('pass the layout, accessibility, keyboard and asset size checks without data', async () => {
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

describe('pages over HTTP', () => {
  // Most page tests run only on SQLite.
  it('are HTML documents with the expected status on SQLite and PostgreSQL', async () => {
    const onPostgres = await openWholeSite('postgres');
    try {
      for (const one of [site, onPostgres]) {
        for (const { name, path, person } of [...pagesOf(one, true), ...moreVisits(one)]) {
          const { text, status } = await one.request(person, 'GET', path);
          const expected = path === '/nothing-here' ? [404] : [200, 410];
          expect(expected, `${name} on ${one.engine}: ${status}`).toContain(status);
          expect(text.slice(0, 15), name).toBe('<!doctype html>');
        }
      }
    } finally {
      await onPostgres.close();
    }
  });

  it('the desk menu shows the number of waiting items', async () => {
    const { text } = await site.request('operator', 'GET', '/desk/system');
    expect(text).toMatch(/Queue<span class="count">[1-9]\d*<span class="visually-hidden"> waiting/);
    expect((await site.request('owner', 'GET', '/dashboard')).text).not.toContain(' waiting</span>');
  });

  it('/home redirects owners to the dashboard, operators to the desk, and others to the marketplace', async () => {
    const homes = { owner: '/dashboard', operator: '/desk', claimant: '/' } as const;
    for (const [person, home] of Object.entries(homes)) {
      expect((await site.request(person as PersonName, 'GET', '/home')).location, person).toBe(home);
    }
    expect((await site.request(null, 'GET', '/home')).location).toBe('/');
  });

  it('a page that requires a session redirects signed-out visitors to sign-in, with its own path as `next`', async () => {
    for (const { name, path, person } of pagesOf(site, true)) {
      if (person === null) continue;
      const { status, location } = await site.request(null, 'GET', path);
      expect([status, location], name).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
    }
  });
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
