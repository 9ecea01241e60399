/** Every component in Chromium: light and dark, on a phone and at a desk, with its script and without. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, collectFaults, openBrowser, openProfile, pageFindings } from '../support/browser.ts';
import { GALLERY_PATHS, galleryPages } from './gallery.tsx';
import { OPERATOR, startPages, type TestPages } from './support.ts';

let pages: TestPages;
let browser: Browser;

beforeAll(async () => {
  pages = await startPages([galleryPages]);
  pages.viewer = OPERATOR;
  if (CHROMIUM !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await pages.close();
});

/** Opens a path in a profile of its own; `faults` fills while the page is used. */
async function visit<T>(
  path: string,
  work: (page: Page, faults: readonly string[]) => Promise<T>,
  javaScript = true,
): Promise<T> {
  const profile = await openProfile(browser, { baseUrl: pages.url, javaScript });
  try {
    const page = await profile.newPage();
    const faults = collectFaults(page);
    await page.goto(path);
    return await work(page, faults);
  } finally {
    await profile.close();
  }
}

describe.skipIf(CHROMIUM === null)('the components', () => {
  it.each(GALLERY_PATHS)('%s: no finding of axe, no sideways scroll, no fault', async (path) => {
    await visit(path, async (page, faults) => {
      expect(await pageFindings(page, path)).toEqual([]);
      expect(faults.filter((fault) => !fault.includes('status of 422'))).toEqual([]);
    });
  });
});
