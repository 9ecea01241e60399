/** The switches for the theme and the language. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_PATH, THEME_PATH } from '../../src/base/paths.ts';
import { displayPages } from '../../src/pages/account/display-pages.ts';
import { page } from '../../src/pages/frame/pages.ts';
import { setCookie } from '../../src/people/sign-in/sessions/cookies.ts';
import { CHROMIUM } from '../support/browser.ts';
import { NO_PAGES } from '../support/no-pages.ts';
import { OPERATOR, OWNER, startPages, type TestPages } from './support.ts';

let pages: TestPages;
beforeAll(async () => {
  pages = await startPages([
    displayPages,
    (app) => {
      for (const path of [
        '/probe',
        '/probe.svg',
        '/dashboard/probe',
        '/desk/probe',
        '/docs/probe',
        '/account/probe',
      ] as const) {
        app.get(path, { for: 'anyone' }, (c) => page(c, 'Probe', { title: 'Probe' }));
        app.post(path, { for: 'anyone' }, (c) => page(c, 'Refused', { title: 'Probe', status: 422 }));
      }
    },
  ]);
});
afterAll(() => pages.close());

const choose = (theme: string, fields: Record<string, string> = {}, referer = '/probe?q=1') =>
  fetch(pages.url + THEME_PATH, {
    method: 'POST',
    headers: { Origin: pages.url, Referer: pages.url + referer },
    body: new URLSearchParams({ theme, ...fields }),
    redirect: 'manual',
  });

test('choosing a theme sets a cookie and returns to the page; choosing “Automatic” removes the cookie', async () => {
  const dark = await choose('dark');
  expect([dark.status, dark.headers.get('location')]).toEqual([303, '/probe?q=1']);
  expect(dark.headers.get('set-cookie')).toBe(
    'claimcheck-theme=dark; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
  );
  expect(setCookie('https://claims.example.com', 'theme', 'dark', 1_000)).toBe(
    '__Host-claimcheck-theme=dark; Max-Age=1; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  for (const theme of ['auto', 'pink', '', 'dark; Domain=example.com']) {
    expect((await choose(theme)).headers.get('set-cookie')).toBe(
      'claimcheck-theme=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    );
  }
});

test('the switch leads only to pages of this service, and other sites cannot use it', async () => {
  expect((await choose('dark', { next: '/docs?a=b' })).headers.get('location')).toBe('/docs?a=b');
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    expect((await choose('dark', { next })).headers.get('location')).toBe('/home');
  }
  const foreign = await fetch(pages.url + THEME_PATH, {
    method: 'POST',
    headers: { Origin: 'https://evil.example' },
    body: new URLSearchParams({ theme: 'dark' }),
  });
  expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null]);
});

test('pages for every audience have the switch and are rendered in the chosen theme', async () => {
  for (const viewer of [null, OWNER, OPERATOR]) {
    for (const path of ['/probe', '/dashboard/probe', '/desk/probe', '/docs/probe', '/account/probe']) {
      pages.viewer = viewer;
      for (const theme of ['light', 'dark', 'auto'] as const) {
        const headers = { Cookie: theme === 'auto' ? 'a=b' : `claimcheck-theme=${theme}` };
        const html = await (await fetch(pages.url + path, { headers })).text();
        expect(html).toContain(`value="${theme}" aria-pressed="true"`);
        expect(html.match(/aria-pressed="true"/g)?.length).toBe(
          path === '/dashboard/probe' && viewer !== null ? 2 : 1,
        );
        expect(html.includes('data-theme')).toBe(theme !== 'auto');
        const scheme = theme === 'auto' ? 'light dark' : theme;
        expect(html).toContain(`<meta name="color-scheme" content="${scheme}"/>`);
      }
    }
  }
  pages.viewer = null;
});

test('on the response to a form, the switch leads to the page of the form', async () => {
  const refused = await fetch(`${pages.url}/probe`, {
    method: 'POST',
    headers: { Origin: pages.url, Referer: `${pages.url}/probe?q=1` },
    body: new URLSearchParams(),
  });
  expect(await refused.text()).toContain('name="next" value="/probe?q=1"');
});

test('choosing a language sets a cookie, and any other value removes it', async () => {
  const choose = async (language: string) => {
    const answer = await fetch(pages.url + LANGUAGE_PATH, {
      method: 'POST',
      headers: { Origin: pages.url, Referer: `${pages.url}/probe?q=1` },
      body: new URLSearchParams({ language }),
      redirect: 'manual',
    });
    return [answer.headers.get('location'), answer.headers.get('set-cookie')!.split(';')[0]];
  };
  expect(await choose('de')).toEqual(['/probe?q=1', 'claimcheck-language=de']);
  for (const other of ['', 'xx', 'de; Domain=example.com']) {
    expect(await choose(other)).toEqual(['/probe?q=1', 'claimcheck-language=']);
  }
});

test('pages change their language only if people may switch it; files and the documentation never do', async () => {
  const look = async (path: string) => {
    const html = await (
      await fetch(pages.url + path, { headers: { Cookie: 'claimcheck-language=de' } })
    ).text();
    return [/<html lang="(\w+)"/.exec(html)?.[1], html.includes('value="de" lang="de" aria-pressed="true"')];
  };
  expect(await look('/probe')).toEqual(['en', false]);
  Object.assign(NO_PAGES.marketplace.look, { hasLanguageSwitch: true });
  try {
    expect(await look('/probe')).toEqual(['de', true]);
    expect(await look('/probe.svg')).toEqual(['en', false]);
    expect(await look('/docs/probe')).toEqual(['en', false]);
  } finally {
    Object.assign(NO_PAGES.marketplace.look, { hasLanguageSwitch: false });
  }
});

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  const BACKGROUND = 'getComputedStyle(document.body).backgroundColor';

  test.each([true, false])('the switch overrides the device, with JavaScript: %s', async (hasScripts) => {
    await pages.visitor.visit(
      '/probe#code',
      async (browserPage, faults) => {
        await browserPage.emulateMedia({ colorScheme: 'light' });
        const seen: unknown[] = [];
        for (const name of ['Dark', 'Light', 'Automatic']) {
          await browserPage.getByRole('button', { name }).click();
          await browserPage.locator(`#theme-switch [aria-pressed=true]`, { hasText: name }).waitFor();
          // Without scripts, the button loads the page again, and its styles may arrive after the switch.
          await browserPage.waitForLoadState();
          seen.push(await browserPage.evaluate(BACKGROUND));
        }
        expect(seen[1]).toBe(seen[2]);
        expect(seen[0]).not.toBe(seen[1]);
        // The fragment may contain a code, so scripts don't leave the page.
        if (hasScripts) expect(browserPage.url()).toBe(`${pages.url}/probe#code`);
        expect(faults).toEqual([]);
      },
      hasScripts,
    );
  });
});
