/** Every page over HTTP, and controls of the checks in Chromium, which `everywhere.test.ts` runs on every page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, createVisitor, openLooker, pageFindings } from '../support/browser.ts';
import { keyboardFindings } from '../support/keyboard.ts';
import { moreVisits, pagesOf } from './every-page.ts';
import type { PersonName } from './sample-data.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

let site: WholeSite;
beforeAll(async () => {
  site = await openWholeSite('sqlite');
});
afterAll(() => site?.close());

describe.skipIf(CHROMIUM === null)('the layout, accessibility and keyboard checks', () => {
  test('report every fault, also on the second page with it', async () => {
    const faults = {
      'image-alt': '<img src="data:,">',
      label: '<input>',
      'heading-order': '<h4>Four</h4>',
      'target-size':
        '<p class="tiny" role="button" tabindex="0">a</p><p class="tiny" role="button" tabindex="0">b</p>',
      'link-in-text-block':
        '<p>Some longer text with a <a href="/c" style="color: #333; text-decoration: none">link</a></p>',
      'light 1280: color-contrast': '<p style="color: #ddd">Faint</p>',
      'dark 1280: color-contrast': '<p class="bright">Bright</p>',
      '.on-white': '<div class="white"><p class="on-white">4.48 : 1</p></div>',
      '.see-through': '<div class="black"><p class="see-through">2.9 : 1</p></div>',
      'light 320: input-button-name': '<input type="button" class="phone">',
      'scrollable-region-focusable': '<div class="scrolls"><p>Long</p></div>',
      'pixels wide': '<div style="width: 2000px">Wide</div>',
      region: '</main><p>Outside</p>',
    };
    const style = `
        @media (prefers-color-scheme: dark) { .bright { color: white } }
        @media (width > 400px) { .phone { display: none } }
        .white { background: white; color: #777 }
      .black { background: black; color: #757575 }
      .see-through { background: #fffc }
      .tiny { display: block; width: 10px; height: 10px; font-size: 8px }
        .scrolls { height: 30px; overflow: auto }
        .scrolls p { height: 90px }`;
    const content = Object.values(faults).join('');
    const html = `<!doctype html><html lang="en"><title>x</title><style>${style}</style><main><h1>x</h1>${content}`;
    const visitor = createVisitor(site.service.baseUrl, openLooker);
    await visitor
      .visit('about:blank', async (page) => {
        for (let repeated = 0; repeated < 2; repeated += 1) {
          await page.setContent(html);
          const findings = (await pageFindings(page, 'control')).join('\n');
          for (const fault of Object.keys(faults)) expect(findings).toContain(fault);
        }
      })
      .finally(() => visitor.close());
  });

  test('find every fault of the order of Tab, also between controls that had none on an earlier page', async () => {
    const html = (content: string) => `<!doctype html><style>.bare:focus { outline: none }</style>
        <header><a href="/a">a</a><a href="/b">b</a></header>${content}<footer><a href="/z">z</a></footer>`;
    const date = '<input type="date" name="day">';
    const faults = {
      'no visible focus: <a href="/bare"': '<a href="/bare" class="bare">bare</a>',
      'focus off screen: <a href="/off"': '<a href="/off" style="position: fixed; top: -90px">off</a>',
      'not reached by Tab: <a href="/never"': '<a href="/never" tabindex="-1">never</a>',
      'not reached by Tab: <a href="/early"': '<a href="/early" tabindex="2">early</a>',
    };
    const visitor = createVisitor(site.service.baseUrl, openLooker);
    await visitor
      .visit('about:blank', async (page) => {
        const findingsOf = async (content: string) => {
          await page.setContent(html(content));
          return keyboardFindings(page);
        };
        for (const content of ['', date, `${date}<a href="/m">m</a>`])
          expect(await findingsOf(content)).toEqual([]);
        for (let repeated = 0; repeated < 2; repeated += 1) {
          for (const [finding, content] of Object.entries(faults)) {
            expect((await findingsOf(content)).join('\n')).toContain(finding);
          }
        }
        const trap = "this.focus() || addEventListener('keydown', (event) => event.preventDefault())";
        expect((await findingsOf(`<a href="/t" onfocus="${trap}">t</a><a href="/u">u</a>`)).join()).toContain(
          'not reached by Tab: <a href="/u"',
        );
      })
      .finally(() => visitor.close());
  });
});

describe('pages over HTTP', () => {
  // Most page tests run only on SQLite.
  test('are HTML documents with the expected status on SQLite and PostgreSQL', async () => {
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

  test('the desk menu shows the number of waiting items', async () => {
    const { text } = await site.request('operator', 'GET', '/desk/system');
    expect(text).toMatch(/Queue<span class="count">[1-9]\d*<span class="visually-hidden"> waiting/);
    expect((await site.request('owner', 'GET', '/dashboard')).text).not.toContain(' waiting</span>');
  });

  test('/home redirects owners to the dashboard, operators to the desk, and others to the marketplace', async () => {
    const homes = { owner: '/dashboard', operator: '/desk', claimant: '/' } as const;
    for (const [person, home] of Object.entries(homes)) {
      expect((await site.request(person as PersonName, 'GET', '/home')).location, person).toBe(home);
    }
    expect((await site.request(null, 'GET', '/home')).location).toBe('/');
  });

  test('a page that requires a session redirects signed-out visitors to sign-in, with its own path as `next`', async () => {
    for (const { name, path, person } of pagesOf(site, true)) {
      if (person === null) continue;
      const { status, location } = await site.request(null, 'GET', path);
      expect([status, location], name).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
    }
  });
});
