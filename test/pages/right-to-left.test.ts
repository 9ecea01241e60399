/**
 * Every translated page of every audience, from right to left, in Chromium. `languages.test.ts` checks more about a few of
 * these pages.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeBrand } from '../../src/base/settings/change-brand.ts';
import { languageAt } from '../../src/pages/frame/pages.ts';
import { CHROMIUM, openLooker, openProfile, overflows } from '../support/browser.ts';
import { PSEUDO_LANGUAGE } from '../support/pseudo-language.ts';
import { moreVisits, pagesOf, type Visit } from './every-page.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

const WIDTHS = [1280, 320] as const;

const OPEN_DETAILS = "for (const more of document.querySelectorAll('details')) more.open = true";

/**
 * The lines in which the bidirectional algorithm would change the order of a text: one that begins with a number and
 * goes on with Latin letters ("20% off"), one whose last number is followed by Arabic letters, and a path or URL with a
 * slash at its start or end. U+FFFC stands for isolated text.
 */
const MISPLACED = `(() => {
  const lines = [];
  const lineOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) return '';
    if (node.matches('script, style, svg, template, noscript, textarea, select')) return '\\ufffc';
    const { unicodeBidi, direction, display } = getComputedStyle(node);
    if (display === 'none') return '';
    const inside = [...node.childNodes].map(lineOf).join('');
    if (display === 'inline') return unicodeBidi === 'normal' && direction === 'rtl' ? inside : '\\ufffc';
    if (direction === 'rtl') {
      for (const line of inside.split('\\n\\n')) lines.push([bare(line).trim(), node, unicodeBidi]);
    }
    return '\\n\\n';
  };
  const isolated = /[\\u2066-\\u2068][^\\u2066-\\u2069]*\\u2069/g;
  const bare = (line) => {
    const next = line.replaceAll(isolated, '\\ufffc');
    return next === line ? line : bare(next);
  };
  lineOf(document.body);
  const faults = [
    /^[^\\p{L}\\ufffc]*\\d[^\\p{L}\\d]*\\s\\p{Script=Latin}{2}/u,
    /\\p{Script=Latin}[^\\p{L}]*\\s\\d[^\\p{L}]*\\s\\p{Script=Arabic}/u,
    /(?:^|\\s)\\/\\p{Script=Latin}/u,
    /\\p{Script=Latin}\\/(?:\\s|$)/u,
  ];
  // The first letter decides the direction of such a line.
  const isPlain = (line, unicodeBidi) => unicodeBidi === 'plaintext' && /^\\P{L}*\\p{Script=Latin}/u.test(line);
  const found = lines
    .filter(([line, , unicodeBidi]) =>
      isPlain(line, unicodeBidi) ? /\\p{Script=Arabic}/u.test(line) : faults.some((fault) => fault.test(line)),
    )
    .map(([line, node]) => line.slice(0, 80) + ' in ' + node.outerHTML.slice(0, 160));
  return [...new Set(found)];
})()`;

describe.skipIf(CHROMIUM === null)('pages in a right-to-left language', () => {
  let site: WholeSite;
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
    const { brand } = site.context.marketplace;
    await changeBrand(site.context, {
      brand: { ...brand, language: PSEUDO_LANGUAGE },
      operatorId: site.people.operator.accountId,
      actor: 'operator',
    });
  });
  afterAll(() => site?.close());

  async function faultsOf(person: Visit['person'], visits: readonly Visit[]): Promise<readonly string[]> {
    const { baseUrl } = site.service;
    const profile = await openProfile(await openLooker(), { baseUrl });
    if (person !== null) await profile.addCookies(site.people[person].person.profileCookies(baseUrl));
    const page = await profile.newPage();
    const faults: string[] = [];
    for (const { name, path } of visits) {
      await page.goto(path);
      const direction = await page.evaluate<string>('document.documentElement.dir');
      if (direction !== 'rtl') faults.push(`${name}: ${direction}`);
      await page.evaluate(OPEN_DETAILS);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        faults.push(...(await overflows(page)).map((fault) => `${name} at ${width}: ${fault}`));
      }
      const misplaced = await page.evaluate<string[]>(MISPLACED);
      faults.push(...misplaced.map((text) => `${name}: not isolated: ${text}`));
    }
    await profile.close();
    return faults;
  }

  test('fit windows of every width, and isolate text that people entered', async () => {
    const { brand } = site.context.marketplace;
    // The others, such as the documentation, are in English, from left to right.
    const visits: readonly Visit[] = [...pagesOf(site, true), ...moreVisits(site)].filter(
      ({ path }) => languageAt(path, brand) === PSEUDO_LANGUAGE,
    );
    expect(visits.length).toBeGreaterThan(80);
    const people = [...new Set(visits.map(({ person }) => person))];
    const faults: string[] = [];
    for (const person of people) {
      faults.push(
        ...(await faultsOf(
          person,
          visits.filter((visit) => visit.person === person),
        )),
      );
    }
    expect(faults).toEqual([]);
  }, 600_000);
});
