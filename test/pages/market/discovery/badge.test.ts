/** The badge: an SVG image that owners embed on their sites. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { badgePath } from '../../../../src/base/paths.ts';
import { badgeHtml, badgeMarkdown } from '../../../../src/marketplace/campaigns/badge.ts';
import { withdrawListing } from '../../../../src/marketplace/listings/decisions.ts';
import { CHROMIUM, keepPicture, openBrowser, openProfile } from '../../../support/browser.ts';
import { addApp, CACHED, cachingOf, HOSTILE_NAMES, readXml, shareMarket } from './support.ts';

const market = shareMarket();
const { site, ask } = market;

test('only live listings have a badge, which is a cacheable SVG without active content', async () => {
  await addApp(site.context, market.owner, 'ada-notes', {
    name: 'Ada Notes',
    offer: '20% off',
    claim_limit: '40',
    claims: 21,
  });
  expect(await cachingOf(ask, badgePath('ada-notes'))).toEqual({ ...CACHED, control: 'public, max-age=300' });
  const answer = await ask(badgePath('ada-notes'));
  expect(answer.headers.get('content-type')).toBe('image/svg+xml');
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  const svg = await answer.text();
  expect(readXml(svg).get('svg/text')).toEqual(['Claimcheck', '20% off · 19 left']);
  expect(svg).not.toMatch(/<script|<style|style=|<a\b|href=|<image|\bon\w+=|url\(/);
  expect(await (await ask(badgePath('ada-notes', 'dark'))).text()).not.toBe(svg);

  await addApp(site.context, market.owner, 'gone');
  await withdrawListing(site.context, { listing: 'gone', actor: 'operator' });
  await addApp(site.context, market.owner, 'draft', { draft: true });
  for (const slug of ['gone', 'draft', 'nowhere', 'Ada%20Notes']) {
    const missing = await ask(badgePath(slug));
    expect([slug, missing.status, missing.headers.get('content-type')]).toEqual([
      slug,
      404,
      'text/plain; charset=UTF-8',
    ]);
  }
});

test('the HTML and Markdown of the badge escape its text', () => {
  const badge = { link: 'https://m.example/l/a?via=x', picture: 'https://m.example/l/a/badge.svg' };
  expect(badgeHtml({ ...badge, text: 'Offers for "A" <b>' })).toBe(
    '<a href="https://m.example/l/a?via=x"><img src="https://m.example/l/a/badge.svg" alt="Offers for &quot;A&quot; &lt;b&gt;" height="32"></a>',
  );
  expect(badgeMarkdown({ ...badge, text: 'A](javascript:x) <b>' })).toBe(
    '[![A\\]\\(javascript:x\\) \\<b\\>](https://m.example/l/a/badge.svg)](https://m.example/l/a?via=x)',
  );
});

test.skipIf(CHROMIUM === null)('a browser displays badges with hostile names on another site', async () => {
  const pictures = [];
  for (const [at, name] of HOSTILE_NAMES.entries()) {
    const slug = `hostile-${at}`;
    await addApp(site.context, market.owner, slug, { name, offer: name });
    for (const theme of ['light', 'dark'] as const) pictures.push(site.baseUrl + badgePath(slug, theme));
  }
  const html = pictures.map((picture) => `<p>${badgeHtml({ link: '/', picture, text: 'Offers' })}`).join('');
  const owners = createServer((_, response) => response.end(`<!doctype html><meta charset="utf-8">${html}`));
  await new Promise<void>((resolve) => owners.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://localhost:${(owners.address() as AddressInfo).port}`;
  const page = await (await openProfile(await openBrowser(), { baseUrl })).newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto('/');
  const shown = await page.evaluate(
    '[...document.images].map(({ naturalWidth, naturalHeight }) => [naturalWidth > 150, naturalWidth < 800, naturalHeight])',
  );
  expect(shown).toEqual(pictures.map(() => [true, true, 32]));
  expect(requests.filter((url) => !url.endsWith('/favicon.ico')).sort()).toEqual(
    [`${baseUrl}/`, ...pictures].sort(),
  );
  await keepPicture(page, 'badges');
  await page.context().close();
  await new Promise((resolve) => {
    owners.close(resolve);
    owners.closeAllConnections();
  });
});
