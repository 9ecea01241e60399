/** Components in Chromium: light and dark, on a phone and on a computer, with their script and without. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, overflowsOnPhone, pageFindings, press, type Visitor } from '../support/browser.ts';
import { findGalleryPicture, GALLERY_PATHS, galleryPages } from './gallery.tsx';
import { OPERATOR, startPages, type TestPages } from './support.ts';

let pages: TestPages;

beforeAll(async () => {
  pages = await startPages([galleryPages], { findPicture: findGalleryPicture });
  pages.viewer = OPERATOR;
});
afterAll(async () => {
  await pages.close();
});

const visit: Visitor['visit'] = (...args) => pages.visitor.visit(...args);

describe.skipIf(CHROMIUM === null)('the components', () => {
  it.each(GALLERY_PATHS)(
    '%s has no finding in any theme or width, and does not overflow on a phone without the script',
    async (path) => {
      const findings = await pages.visitor.look(path, path);
      expect(findings.filter((finding) => !finding.includes('status of 422'))).toEqual([]);
      expect(await pages.visitor.visit(path, overflowsOnPhone, false)).toEqual([]);
    },
  );
});

describe.skipIf(CHROMIUM === null)('a picture', () => {
  it('is loaded in the best format and the size that fits, and nothing on the page moves', async () => {
    await visit('/gallery/pictures', async (page, faults) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await page.reload();
      // Code that runs in the page is written as strings, because the tests are compiled without the DOM types.
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

describe.skipIf(CHROMIUM === null)('the checks of a page', () => {
  it('find what is wrong with it', async () => {
    await visit('/gallery/wrong', async (page, faults) => {
      const findings = (await pageFindings(page, 'wrong')).join('\n');
      expect(findings).toContain('light 1280: label');
      expect(findings).toContain('320: The page is');
      expect(findings).toContain('320: lower than 44 pixels');
      expect(faults.join()).toContain('Content Security Policy');
      expect(await page.title()).toBe('Wrong · Claimcheck');
    });
  });

  it.each([
    ['light', '#aaa'],
    ['dark', '#555'],
  ])('find a text with too little contrast in the %s theme', async (theme, color) => {
    await visit('/gallery/wrong', async (page) => {
      await page.evaluate(`document.querySelector('h1').style.color = '${color}'`);
      const findings = await pageFindings(page, 'contrast');
      const found = findings.filter((finding) => /color-contrast.* h1/s.test(finding));
      const widths = new Set(found.map((finding) => finding.split(':')[0]));
      expect([...widths]).toEqual([`${theme} 1280`, `${theme} 320`]);
    });
  });
});

describe.skipIf(CHROMIUM === null)('with the script', () => {
  it('times show the viewer’s local time on hover', async () => {
    await visit('/dashboard/gallery/states', async (page) => {
      const time = page.locator('time[data-precision=second]').first();
      expect(await time.textContent()).toBe('20\u00a0Nov\u00a02026, 10:00:00');
      expect(await time.getAttribute('title')).toBe('Your time: 20 Nov 2026, 11:00:00');
    });
  });

  it('Tab stays in an open dialog, and closing it gives the focus back', async () => {
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

  it('the parameters of a notice are removed from the address of its page', async () => {
    await visit('/dashboard/gallery/dialogs?saved=merged&done=name&mode=test', async (page) => {
      expect(new URL(page.url()).search).toBe('?mode=test');
    });
  });
});

describe.skipIf(CHROMIUM === null)('without the script', () => {
  it('a dialog opens and closes, and its form is sent', async () => {
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

  it('the navigation opens on a phone and on a tablet', async () => {
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

  it('a refusal is shown beside its field, and the input is kept', async () => {
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
        expect(await problem.textContent()).toContain('The slug has letters only');
        await page.getByRole('alert').getByRole('link').click();
        expect(await page.evaluate('document.activeElement.id')).toBe(await slug.getAttribute('id'));
      },
      false,
    );
  });
});
