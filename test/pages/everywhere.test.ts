/** What holds on every page: the pages come from the router, with data and without. */
import { brotliCompressSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSETS } from '../../src/ui/assets.ts';
import { CHROMIUM, collectFaults, openLooker, openProfile, pageFindings } from '../support/browser.ts';
import { keyboardFindings } from '../support/keyboard.ts';
import { pagesOf, type Visit } from './every-page.ts';
import { openWholeSite, type PersonName, type WholeSite } from './whole-site.ts';

/** Limits of a page's compressed files. */
const MAX_STYLE_BYTES = 12 * 1024;
const MAX_SCRIPT_BYTES = 20 * 1024;

const REFUSED_FILTERS = 'outcome=good&since=noon&cause=placeholder_sent';

/** More pages: other states of the data, or another viewer. */
const moreVisits = (site: WholeSite): readonly Visit[] => {
  const { ids, slug } = site;
  return [
    { name: 'the marketplace signed in', path: '/', person: 'claimant' },
    { name: 'the marketplace with nothing found', path: '/?q=nothing-of-this&kind=gift', person: null },
    { name: 'a listing signed out', path: `/l/${slug}`, person: null },
    { name: 'a listing through a share link', path: `/l/${slug}?via=newsletter`, person: 'claimant' },
    { name: 'an offer whose link waits', path: `/dashboard/offers/${ids.waitingOffer}`, person: 'owner' },
    { name: 'claims filtered', path: '/dashboard/claims?via=podcast', person: 'owner' },
    { name: 'claims with nothing found', path: '/dashboard/claims?via=nobody', person: 'owner' },
    {
      name: 'requests with refused filters',
      path: `/dashboard/requests?${REFUSED_FILTERS}`,
      person: 'owner',
    },
    { name: 'a refused request', path: `/dashboard/requests/${ids.refusedRequest}`, person: 'owner' },
    { name: 'requests with nothing found', path: '/dashboard/requests?code=rate_limited', person: 'owner' },
    { name: 'requests on a plan without keys', path: '/dashboard/requests', person: 'claimant' },
    { name: 'keys on a plan without', path: '/dashboard/settings/keys', person: 'claimant' },
    { name: 'the plan without keys', path: '/dashboard/settings/plan', person: 'claimant' },
    { name: 'accounts with nothing found', path: '/desk/accounts?q=nobody', person: 'operator' },
    { name: 'events of an account', path: '/desk/events?account=adele@acme.example', person: 'operator' },
    { name: 'listings with nothing found', path: '/desk/listings?q=nobody', person: 'operator' },
    { name: 'a search in the documentation', path: '/docs/search?q=key', person: null },
    {
      name: 'documentation with the reader’s own failed calls',
      path: '/docs/errors/invalid_request',
      person: 'owner',
    },
    { name: 'nothing at all', path: '/nothing-here', person: 'owner' },
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

describe.skipIf(CHROMIUM === null)('every page', () => {
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

  /** Everything wrong with the pages of a site, one line each. Each person has a browser page for all their visits. */
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
      if (new URL(page.url()).pathname !== pathname) say(`went to ${page.url()}`);
      const headings = await page.evaluate<number>(COUNT_HEADINGS);
      if (headings !== 1) say(`${headings} h1`);
      seenTitles.push({ title: `${audienceOf(pathname)}: ${await page.title()}`, path: pathname });
      for (const fault of weightFaults(await page.evaluate<string[]>(ASSETS_USED))) say(fault);
      for (const finding of await pageFindings(page, `everywhere ${name}`)) say(finding);
      for (const finding of await keyboardFindings(page)) say(finding);
      // The browser itself reports the 404 of a missing page.
      const isFine = response?.ok() ?? false;
      for (const fault of seen) if (isFine || !fault.includes('Failed to load resource')) say(fault);
      page.removeAllListeners('console');
      page.removeAllListeners('pageerror');
    }
    return faults;
  }

  it('reads well, fits the window, stays within its size limits and can be used by keyboard, with data', async () => {
    const visits = pagesOf(site, true);
    expect(visits.length).toBeGreaterThan(25);
    expect(await faultsOf(site, [...visits, ...moreVisits(site)])).toEqual([]);
  }, 600_000);

  it('with tabs opens at its top on a phone', async () => {
    const profile = await openFor(site, 'operator');
    const page = await profile.newPage();
    await page.setViewportSize({ width: 390, height: 600 });
    await page.goto('/desk/settings/general');
    expect(await page.evaluate<number>('window.scrollY')).toBe(0);
    await profile.close();
  });

  it('reads well, fits the window, stays within its size limits and can be used by keyboard, without data', async () => {
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

describe('without a browser, every page', () => {
  // The tests of most pages look at them on SQLite.
  it('is whole HTML on each engine', async () => {
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

  it('of the desk has the number of waiting items in its menu', async () => {
    const { text } = await site.request('operator', 'GET', '/desk/system');
    expect(text).toMatch(/Queue<span class="count">[1-9]\d*<span class="visually-hidden"> waiting/);
    expect((await site.request('owner', 'GET', '/dashboard')).text).not.toContain(' waiting</span>');
  });

  it('that /home leads to is the right one: the dashboard for owners, the desk for operators, the marketplace for everyone else', async () => {
    const homes = { owner: '/dashboard', operator: '/desk', claimant: '/' } as const;
    for (const [person, home] of Object.entries(homes)) {
      expect((await site.request(person as PersonName, 'GET', '/home')).location, person).toBe(home);
    }
    expect((await site.request(null, 'GET', '/home')).location).toBe('/');
  });

  it('for people who are signed in sends a visitor without a session to sign in, and back', async () => {
    for (const { name, path, person } of pagesOf(site, true)) {
      if (person === null) continue;
      const { status, location } = await site.request(null, 'GET', path);
      expect([status, location], name).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
    }
  });
});

/**
 * The content of a page, without ids and numbers, for telling whether data changes it: most forms look the same with
 * and without data.
 */
const contentOf = async (site: WholeSite, { person, path }: Visit): Promise<string | undefined> =>
  /<main.*<\/main>/s
    .exec((await site.request(person, 'GET', path)).text)?.[0]
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '');

/** Two pages with the same title look alike in a list of tabs. */
function titleFaults(seen: readonly { readonly title: string; readonly path: string }[]): readonly string[] {
  const paths = new Map<string, Set<string>>();
  for (const { title, path } of seen) paths.set(title, (paths.get(title) ?? new Set()).add(path));
  return [...paths]
    .filter(([, those]) => those.size > 1)
    .map(([title, those]) => `one title, ${title}, of ${[...those].join(', ')}`);
}

const audienceOf = (path: string): string => /^\/(?:dashboard|desk)(?=\/|$)/.exec(path)?.[0] ?? 'public';

/** One line for styles and one for scripts that are over their budget. */
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

/** Bytes as the server sends them; infinite for a file that is not ours. */
const compressedSize = (path: string): number => SIZES.get(path) ?? Number.POSITIVE_INFINITY;
