/** `claimcheck docs export`: every link leads to a file of the export, and a browser shows the files without a server. */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, collectFaults, openBrowser, openProfile } from '../../support/browser.ts';
import { run } from './support.ts';

describe('the exported documentation', () => {
  let root: string;
  let folder: string;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'claimcheck-docs-'));
    folder = join(root, 'new', 'site with spaces');
    const { code, stderr } = await run(['docs', 'export', folder], { DATA_DIR: join(root, 'data') });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const files = (pattern: string) => globSync(pattern, { cwd: folder });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  test('needs no database and creates none', () => {
    expect(existsSync(join(root, 'data'))).toBe(false);
  });

  test('has only links to files of the export, their anchors, and other sites', () => {
    const pages = files('**/*.html');
    expect(pages.length).toBeGreaterThan(50);
    const idsIn = new Map(
      pages.map((name) => [
        resolve(folder, name),
        new Set([...read(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const broken = pages.flatMap((name) =>
      [...read(name).matchAll(/ (?:href|src|srcset)="([^"]*)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => !/^https?:/.test(href))
        .filter((href) => {
          const [path = '', anchor] = href.split('#');
          const target = path === '' ? resolve(folder, name) : resolve(folder, dirname(name), path);
          if (href.startsWith('/') || !target.startsWith(folder) || !existsSync(target)) return true;
          return anchor !== undefined && !idsIn.get(target)?.has(anchor);
        })
        .map((href) => `${name}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  test('has no links to pages that only a service has, but keeps their text', () => {
    const settings = read('settings.html');
    expect(settings).toContain('Desk → Settings');
    expect(settings).not.toContain('/desk/settings"');
    expect(settings).not.toContain('role="search"');
    expect(settings).not.toContain('<search>');
  });

  test('contains the OpenAPI document and the Grafana dashboard', () => {
    expect(JSON.parse(read('openapi.json'))).toMatchObject({ openapi: '3.1.0' });
    expect(JSON.parse(read('grafana/claimcheck.json'))).toHaveProperty('panels');
  });

  test.skipIf(CHROMIUM === null)('is shown by a browser from file: URLs, with styles and links', async () => {
    const profile = await openProfile(await openBrowser(), { baseUrl: pathToFileURL(`${folder}/`).href });
    try {
      const page = await profile.newPage();
      const faults = collectFaults(page);
      await page.goto('index.html');
      await page.getByRole('link', { name: 'I integrate' }).click();
      // A click ends before the next page has its styles.
      await page.waitForURL('**/quickstart.html');
      expect(await page.title()).toBe('Quickstart · Claimcheck');
      const layout = "getComputedStyle(document.querySelector('.with-menu')).display";
      expect(await page.evaluate(layout)).toBe('grid');
      await page.getByText('Flask', { exact: true }).click();
      await page.getByRole('button', { name: 'Copy', exact: false }).first().waitFor();
      await page.getByRole('link', { name: 'Errors', exact: true }).first().click();
      await page.getByRole('link', { name: 'invalid_api_key' }).first().click();
      expect(await page.title()).toBe('Invalid API key · Claimcheck');
      expect(faults).toEqual([]);
    } finally {
      await profile.close();
    }
  });

  test('is written only into a new or an empty folder', async () => {
    const occupied = join(root, 'occupied');
    mkdirSync(occupied);
    writeFileSync(join(occupied, 'own.txt'), 'own');
    expect(await run(['docs', 'export', occupied], {})).toMatchObject({
      code: 2,
      stderr: `${occupied} is not empty: name a new or an empty folder.\n`,
    });
    expect(await run(['docs', 'export', join(occupied, 'own.txt')], {})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a file'),
    });
    expect(readFileSync(join(occupied, 'own.txt'), 'utf8')).toBe('own');
    expect(readdirSync(occupied)).toEqual(['own.txt']);
  });
});
