/** UI components in Chromium, in both themes and at all widths, with and without JavaScript. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, overflowsOnPhone, pageFindings, press, type Visitor } from '../../support/browser.ts';
import { OPERATOR, startPages, type TestPages } from '../support.ts';
import { findGalleryPicture, GALLERY_PATHS, galleryPages } from './gallery.tsx';

let pages: TestPages;

beforeAll(async () => {
  pages = await startPages([galleryPages], { findPicture: findGalleryPicture });
  pages.viewer = OPERATOR;
});
afterAll(async () => {
  await pages.close();
});

const visit: Visitor['visit'] = (...args) => pages.visitor.visit(...args);

describe.skipIf(CHROMIUM === null)('gallery pages', () => {
  test.each(GALLERY_PATHS)(
    '%s passes the page checks, and fits on a phone without JavaScript',
    async (path) => {
      const findings = await pages.visitor.look(path, path);
      expect(findings.filter((finding) => !finding.includes('status of 422'))).toEqual([]);
      expect(await pages.visitor.visit(path, overflowsOnPhone, false)).toEqual([]);
    },
  );
});

describe.skipIf(CHROMIUM === null)('a picture', () => {
  test('is loaded as AVIF in a suitable size and keeps its aspect ratio', async () => {
    await visit('/gallery/pictures', async (page, faults) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.reload();
      // Code for the page is passed as strings, because tests are compiled without the DOM types.
      const read = <T>(what: string) => page.evaluate<T>(`document.querySelector('picture img').${what}`);
      await expect.poll(() => read('complete')).toBe(true);
      expect(await read('currentSrc')).toMatch(/\.avif$/);
      expect(await read('naturalWidth')).toBeGreaterThan(300);
      const { width, height } = await read<{ width: number; height: number }>('getBoundingClientRect()');
      expect(width).toBeLessThan(390);
      expect(width / height).toBeCloseTo(16 / 9, 1);
      expect(faults).toEqual([]);
    });
  });
});

describe.skipIf(CHROMIUM === null)('the page checks', () => {
  test('report missing labels, overflow, small controls and blocked inline scripts', async () => {
    await visit('/gallery/wrong', async (page, faults) => {
      const findings = (await pageFindings(page, 'wrong')).join('\n');
      expect(findings).toContain('light 1280: label');
      expect(findings).toContain('320: The page is');
      expect(findings).toContain('320: less than 44 pixels high');
      expect(findings).toContain('320: text smaller than 16 pixels');
      expect(faults.join()).toContain('Content Security Policy');
      expect(await page.title()).toBe('Wrong · Claimcheck');
    });
  });

  test.each([
    ['light', '#aaa'],
    ['dark', '#555'],
  ])('report low text contrast in the %s theme', async (theme, color) => {
    await visit('/gallery/wrong', async (page) => {
      await page.evaluate(`document.querySelector('h1').style.color = '${color}'`);
      const findings = await pageFindings(page, 'contrast');
      const found = findings.filter((finding) => /color-contrast.* h1/s.test(finding));
      const widths = new Set(found.map((finding) => finding.split(':')[0]));
      expect([...widths].sort()).toEqual([`${theme} 1280`, `${theme} 320`]);
    });
  });
});

describe.skipIf(CHROMIUM === null)('components with JavaScript', () => {
  test('a time shows the viewer’s local time on hover', async () => {
    await visit('/dashboard/gallery/states', async (page) => {
      const time = page.locator('time[data-precision=second]').first();
      expect(await time.textContent()).toBe('20\u00a0Nov\u00a02026, 10:00:00');
      expect(await time.getAttribute('title')).toBe('Your time: 20 Nov 2026, 11:00:00');
    });
  });

  test('an open dialog traps the focus, and closing the dialog restores the focus', async () => {
    await visit('/dashboard/gallery/dialogs', async (page) => {
      await page.getByRole('button', { name: 'Create API key' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Create API key' });
      await dialog.waitFor();
      const focusedAfter = async (key: string): Promise<unknown> => {
        await page.keyboard.press(key);
        return page.evaluate('document.activeElement.name || document.activeElement.textContent');
      };
      const stops = ['name', 'mode', 'Create', 'Cancel'];
      for (const stop of [...stops, ...stops]) expect(await focusedAfter('Tab')).toBe(stop);
      for (const stop of ['Create', 'mode', 'name', 'Cancel'])
        expect(await focusedAfter('Shift+Tab')).toBe(stop);
      await page.keyboard.press('Escape');
      expect(await page.evaluate("document.activeElement.getAttribute('popovertarget')")).toBe('new-key');
    });
  });

  test('URL parameters that only show a notice are removed when the page opens', async () => {
    await visit('/dashboard/gallery/dialogs?saved=merged&done=name&mode=test', async (page) => {
      expect(new URL(page.url()).search).toBe('?mode=test');
    });
  });
});

describe.skipIf(CHROMIUM === null)('components without JavaScript', () => {
  test('a dialog opens, closes and submits its form', async () => {
    await visit(
      '/dashboard/gallery/dialogs',
      async (page) => {
        await page.getByRole('button', { name: 'Revoke… laptop' }).click();
        const dialog = page.getByRole('dialog', { name: 'Revoke laptop?' });
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        expect(await dialog.isVisible()).toBe(false);
        await page.getByRole('button', { name: 'Revoke… laptop' }).click();
        await press(page, dialog.getByRole('button', { name: 'Revoke key' }));
        await page.getByRole('heading', { name: 'New offer' }).waitFor();
      },
      false,
    );
  });

  test('the navigation collapses into a menu on phones and tablets', async () => {
    await visit(
      '/dashboard/gallery/dialogs',
      async (page) => {
        await page.setViewportSize({ width: 320, height: 640 });
        const link = page.getByRole('link', { name: 'Campaigns' });
        expect(await link.isVisible()).toBe(false);
        await page.setViewportSize({ width: 1024, height: 640 });
        expect(await link.isVisible()).toBe(true);
        await page.setViewportSize({ width: 820, height: 640 });
        expect(await link.isVisible()).toBe(false);
        await page.setViewportSize({ width: 320, height: 640 });
        await page.getByRole('button', { name: 'Menu' }).click();
        expect(await link.isVisible()).toBe(true);
      },
      false,
    );
  });

  test('a field error is shown next to its field, and the form keeps its input', async () => {
    await visit(
      '/gallery/refused',
      async (page) => {
        const slug = page.getByLabel('Address');
        await slug.fill('<b>"NOTES"</b>');
        await page.getByLabel('About (optional)', { exact: true }).fill('\n& <textarea>');
        await press(page, page.getByRole('button', { name: 'Save offer' }));
        expect(await slug.inputValue()).toBe('<b>"NOTES"</b>');
        expect(await page.getByLabel('About (optional)', { exact: true }).inputValue()).toBe(
          '\n& <textarea>',
        );
        expect(await slug.getAttribute('aria-invalid')).toBe('true');
        const problem = page.locator(`#${(await slug.getAttribute('aria-describedby'))!}`);
        expect(await problem.textContent()).toContain('The slug may contain only letters');
        await page.getByRole('alert').getByRole('link').click();
        expect(await page.evaluate('document.activeElement.id')).toBe(await slug.getAttribute('id'));
      },
      false,
    );
  });
});
