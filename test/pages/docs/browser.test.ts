/** The documentation pages in a real browser. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guidePath } from '../../../src/base/paths.ts';
import { GUIDE } from '../../../src/pages/docs/guide.ts';
import { authoredFindings } from '../../support/axe.ts';
import { CHROMIUM, createVisitor, openLooker, overflows, type Visitor } from '../../support/browser.ts';
import { openWholeSite, type WholeSite } from '../whole-site.ts';

/** Runs in the page. Tests are compiled without the DOM types, so the elements are cast. */
const valuesOf = (inputs: readonly unknown[]): readonly string[] =>
  inputs.map((input) => (input as { readonly value: string }).value);

describe.skipIf(CHROMIUM === null)('the documentation in a browser', () => {
  let site: WholeSite;
  let visitor: Visitor;
  beforeAll(async () => {
    site = await openWholeSite('sqlite', { isFilled: false });
    visitor = createVisitor(site.service.baseUrl);
  });
  afterAll(async () => {
    await visitor?.close();
    await site?.close();
  });

  test('shows only the program in the selected language, even with scripts disabled', async () => {
    await visitor.visit(
      '/docs/verify',
      async (page) => {
        const shown = () => page.locator('.snippets pre:visible').allTextContents();
        expect(await shown()).toEqual([expect.stringMatching(/^#!\/bin\/sh\n/)]);
        await page.getByText('JavaScript', { exact: true }).click();
        expect(await shown()).toEqual([expect.stringMatching(/^\/\/ claimcheck\.mjs: /)]);
        await page.keyboard.press('ArrowLeft');
        expect(await shown()).toEqual([expect.stringMatching(/^#!\/bin\/sh\n/)]);
      },
      false,
    );
  });

  test('remembers the selected framework and its language across pages', async () => {
    await visitor.visit('/docs/quickstart', async (page) => {
      const starts = async () =>
        (await page.locator('.snippets pre:visible').allTextContents()).map((text) => text.slice(0, 15));
      const chosen = () => page.locator('.snippets input:checked').evaluateAll(valuesOf);
      expect(await starts()).toEqual(['// claimcheck.m', '// welcome.mjs,', 'npm install exp']);
      await page.getByText('Flask', { exact: true }).click();
      expect(await starts()).toEqual(['"""claimcheck.p', '# app.py; /welc', "python3 -c 'imp"]);
      await page.goto('/docs/verify');
      expect(await chosen()).toEqual(['Python']);
      await page.goto('/docs/recommended-page');
      expect(await chosen()).toEqual(['Flask']);
      await page.goto('/docs/verify');
      // No recipe uses Go, so the page falls back to the first recipe.
      await page.getByText('Go', { exact: true }).click();
      await page.goto('/docs/recommended-page');
      expect(await chosen()).toEqual(['Express']);
    });
  });

  test('expands and collapses a long program with scripts disabled', async () => {
    await visitor.visit(
      '/docs/verify',
      async (page) => {
        const height = async () => (await page.locator('.programs pre:visible').boundingBox())!.height;
        const before = await height();
        await page.locator('.opens:visible').click();
        expect(await height()).toBeGreaterThan(before);
        await page.locator('.closes:visible').click();
        expect(await height()).toBe(before);
      },
      false,
    );
  });

  test('copies and downloads a program exactly as shown', async () => {
    await visitor.visit('/docs/quickstart', async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy welcome.mjs' }).first().click();
      await page.getByText('Copied', { exact: true }).waitFor();
      const shown = await page.locator('.snippets pre:visible').nth(1).textContent();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download welcome.mjs' }).first().click();
      const download = await saving;
      expect(download.suggestedFilename()).toBe('welcome.mjs');
      expect(readFileSync((await download.path())!, 'utf8')).toBe(shown);
    });
  });

  test('can be searched by keyboard with scripts disabled, and the results link to sections', async () => {
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

  test('control: an empty link, a skipped level of headings and a picture without a text are detected', async () => {
    await visitor.visit('/docs/verify', async (page) => {
      const wrong = '<h6>Level</h6><a href="/docs"></a><img src="/favicon.ico">';
      await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend', '${wrong}')`);
      const rules = (await authoredFindings(page)).map((finding) => finding.split(' ')[0]);
      expect(rules).toEqual(expect.arrayContaining(['heading-order', 'link-name', 'image-alt']));
    });
  });

  test('has no overflow at phone and laptop widths and no accessibility violations', async () => {
    const looks = createVisitor(site.service.baseUrl, openLooker);
    const faults: string[] = [];
    await looks.visit('/docs', async (page) => {
      for (const path of GUIDE.flatMap(({ pages }) => pages.map(guidePath))) {
        await page.goto(path);
        for (const width of [1024, 320]) {
          await page.setViewportSize({ width, height: 800 });
          for (const fault of await overflows(page)) faults.push(`${path}: ${width}: ${fault}`);
        }
        // `everywhere.test.ts` checks all rules on the pages that contain every kind of block.
        for (const finding of await authoredFindings(page)) faults.push(`${path}: ${finding}`);
      }
    });
    await looks.close();
    expect(faults).toEqual([]);
  });
});
