/** The operator's pages in Chromium: how they look, by keyboard alone, with their shortcuts and without. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, collectFaults, openBrowser, openProfile, pageFindings } from '../support/browser.ts';
import { type Desk, listingWithProposals, openDesk, pendingListing } from './desk-support.ts';

let desk: Desk;
let browser: Browser;
let pendingId: string;
let movedId: string;

beforeAll(async () => {
  desk = await openDesk('sqlite');
  movedId = (await listingWithProposals(desk, 'moved')).id;
  const names = [
    'Notes',
    'Photo Fix',
    'A rather long name of an app that says at length what it is all about',
  ];
  for (const [index, name] of names.entries()) {
    pendingId = (await pendingListing(desk, `app-${index}`, name)).id;
  }
  if (CHROMIUM !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await desk.close();
});

async function visit<T>(
  path: string,
  work: (page: Page, faults: readonly string[]) => Promise<T>,
  javaScript = true,
): Promise<T> {
  const profile = await openProfile(browser, { baseUrl: desk.pages.url, javaScript });
  try {
    const page = await profile.newPage();
    const faults = collectFaults(page);
    await page.goto(path);
    return await work(page, faults);
  } finally {
    await profile.close();
  }
}

const pathsOfPages = (): readonly (readonly [name: string, path: string])[] => [
  ['queue', '/desk'],
  ['listing', `/desk/listings/${pendingId}`],
  ['listing with proposals', `/desk/listings/${movedId}`],
  ['events', '/desk/events'],
  ['events of nobody', '/desk/events?account=nobody@example.com'],
  ['events without any', '/desk/events?type=key.revoked'],
];

describe.skipIf(CHROMIUM === null)('every page of the desk', () => {
  it('has no finding of axe, no sideways scroll and no fault, in any look', async () => {
    for (const [name, path] of pathsOfPages()) {
      await visit(path, async (page, faults) => {
        expect(await pageFindings(page, `desk ${name}`), name).toEqual([]);
        expect(faults, name).toEqual([]);
      });
    }
  }, 120_000);
});
