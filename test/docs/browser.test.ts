/** What people do on pages of the documentation, in a browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDE } from '../../src/docs/guide.ts';
import { guidePath } from '../../src/docs/paths.ts';
import { openWholeSite, type WholeSite } from '../pages/whole-site.ts';
import {
  axeFindings,
  CHROMIUM,
  createVisitor,
  openBrowser,
  openLooker,
  overflows,
  type Visitor,
} from '../support/browser.ts';

describe.skipIf(CHROMIUM === null)('the documentation in a browser', () => {
  let browser: Browser;
  let site: WholeSite;
  let visitor: Visitor;
  beforeAll(async () => {
    browser = await openBrowser();
    site = await openWholeSite('sqlite', { isFilled: false });
    visitor = createVisitor(browser, site.service.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    await site?.close();
  });

  it('shows one program at a time without scripts, in the language that was chosen by mouse or keyboard', async () => {
    await visitor.visit(
      '/docs/verify',
      async (page) => {
        const shown = () => page.locator('.snippets pre:visible').allTextContents();
        expect(await shown()).toEqual([expect.stringMatching(/^#!\/bin\/sh\n/)]);
        await page.getByText('JavaScript', { exact: true }).click();
        expect(await shown()).toEqual([expect.stringMatching(/^\/\/ claimcheck\.js: /)]);
        await page.keyboard.press('ArrowLeft');
        expect(await shown()).toEqual([expect.stringMatching(/^#!\/bin\/sh\n/)]);
      },
      false,
    );
  });

  it('is searched by keyboard without scripts, and leads to the section', async () => {
    await visitor.visit(
      '/docs',
      async (page) => {
        await page.getByRole('searchbox').fill('choose the key');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: 'How to choose the key' }).click();
        await page.waitForURL('**/docs/safe-retries#how-to-choose-the-key');
      },
      false,
    );
  });

  it('fits a phone and a laptop and reads well on every page', async () => {
    const looks = createVisitor(await openLooker(), site.service.baseUrl);
    const faults: string[] = [];
    for (const path of GUIDE.flatMap(({ pages }) => pages.map(guidePath))) {
      await looks.visit(path, async (page) => {
        for (const width of [1024, 320]) {
          await page.setViewportSize({ width, height: 800 });
          for (const fault of await overflows(page)) faults.push(`${path}: ${width}: ${fault}`);
        }
        for (const finding of await axeFindings(page)) faults.push(`${path}: ${finding}`);
      });
    }
    await looks.close();
    expect(faults).toEqual([]);
  });
});
