import { describe, expect, it } from 'vitest';
import { namedToken } from '../claims/token.ts';
import { SANDBOX_KEY } from '../keys/key.ts';
import { withChecksum } from '../secrets.ts';
import { factsOfPage } from './page-facts.ts';

const TOKEN = namedToken('Mine');
const URL_OF_PAGE = `https://notes.example/welcome?claim=${TOKEN}`;
const factsOf = (html: string, policyHeader?: string) =>
  factsOfPage({ html, url: URL_OF_PAGE, token: TOKEN, policyHeader });

describe('whom a page tells its address', () => {
  it('is nobody, by the default of browsers', () => {
    const facts = factsOf('<img src="https://pixel.example/a.png"><script src="/own.js"></script>');
    expect(facts).toEqual({
      referrerPolicy: 'strict-origin-when-cross-origin',
      toldByReferer: [],
      toldByAddress: [],
      scriptHosts: [],
      refreshHost: null,
      holdsKey: false,
    });
  });

  it.each([
    [`0; url=https://www.notes.example/welcome?claim=${TOKEN}`, 'www.notes.example', ['www.notes.example']],
    ["3;URL='/welcome'", 'notes.example', []],
    ['0 , "https://elsewhere.example"', 'elsewhere.example', []],
    ['0;https://elsewhere.example', 'elsewhere.example', []],
    ['30', null, []],
    ['30;', null, []],
    ['soon; url=/welcome', null, []],
  ])('and where it leads on to by itself: %s', (content, refreshHost, toldByAddress) => {
    const html = `<meta http-equiv="Refresh" content="${content.replaceAll('"', '&quot;')}">`;
    expect(factsOf(html)).toMatchObject({ refreshHost, toldByAddress, toldByReferer: [] });
    expect(factsOf(html, 'unsafe-url').toldByReferer).toEqual(
      refreshHost === null || refreshHost === 'notes.example' ? [] : [refreshHost],
    );
  });

  it.each(['unsafe-url', 'no-referrer-when-downgrade', ' Unsafe-URL '])('is every host, by %s', (policy) => {
    const html = `<img src="//pixel.example/a.png"><link rel="stylesheet" href="https://cdn.example/a.css">
      <picture><source srcset="https://img.example/1.png 1x, https://img2.example/2.png 2x"></picture>
      <a href="https://elsewhere.example/">x</a><img src="/own.png">`;
    const expected = ['cdn.example', 'img.example', 'img2.example', 'pixel.example'];
    expect(factsOf(html, policy).toldByReferer).toEqual(expected);
    expect(factsOf(`<meta name="Referrer" content="${policy}">${html}`).toldByReferer).toEqual(expected);
  });

  it('is said by the last policy that is known', () => {
    const img = '<img src="https://pixel.example/a.png">';
    expect(factsOf(img, 'unsafe-url, no-referrer').toldByReferer).toEqual([]);
    expect(factsOf(img, 'unsafe-url, made-up').referrerPolicy).toBe('unsafe-url');
    const own = '<meta name="referrer" content="no-referrer">';
    expect(factsOf(own + img, 'unsafe-url').referrerPolicy).toBe('no-referrer');
    expect(
      factsOf('<img src="https://pixel.example/" referrerpolicy="unsafe-url">', 'no-referrer').toldByReferer,
    ).toEqual(['pixel.example']);
    expect(
      factsOf('<iframe src="https://f.example/" referrerpolicy="no-referrer">', 'unsafe-url'),
    ).toMatchObject({
      toldByReferer: [],
    });
  });

  it('is each host that has the token in its address, for forms and links too', () => {
    const html = `<form action="https://forms.example/${TOKEN}"></form>
      <a href="https://chat.example/?text=${TOKEN}">x</a><a href="?claim=${TOKEN}">own</a>
      <template><img src="https://later.example/?${TOKEN}"></template>
      <button formaction="//button.example/?${TOKEN}"></button>`;
    expect(factsOf(html).toldByAddress).toEqual([
      'button.example',
      'chat.example',
      'forms.example',
      'later.example',
    ]);
  });

  it('is nobody where a redirect took the token out of the address', () => {
    const html = '<script src="https://cdn.example/"></script><img src="https://pixel.example/">';
    const told = { toldByReferer: [], scriptHosts: [] };
    expect(
      factsOfPage({ html, url: 'https://notes.example/hello', token: TOKEN, policyHeader: 'unsafe-url' }),
    ).toMatchObject(told);
    expect(factsOf(html, 'unsafe-url')).not.toMatchObject(told);
  });

  it('is no host of a link that browsers do not load', () => {
    const html = `<link rel="canonical" href="https://a.example/"><link rel="Preload Stylesheet" href="https://b.example/">
      <link href="https://c.example/">`;
    expect(factsOf(html, 'unsafe-url').toldByReferer).toEqual(['b.example']);
  });

  it('is said of so many hosts, with names of so many characters, and of so many addresses', () => {
    const images = (names: readonly string[]) => names.map((name) => `<img src="https://${name}/">`).join('');
    const many = Array.from({ length: 30 }, (_, at) => `h${at}.example`);
    expect(factsOf(images(many), 'unsafe-url').toldByReferer).toHaveLength(20);
    expect(factsOf(images([`${'x'.repeat(300)}.example`, 'a.example']), 'unsafe-url').toldByReferer).toEqual([
      'a.example',
    ]);
    const behind = (own: number) =>
      factsOf('<img src="/own.png">'.repeat(own) + images(['a.example']), 'unsafe-url');
    expect(behind(1_999).toldByReferer).toEqual(['a.example']);
    expect(behind(2_000).toldByReferer).toEqual([]);
    const base = (length: number) => `<base href="https://b.example/${'x'.repeat(length)}"><img src="a.png">`;
    expect(factsOf(base(100), 'unsafe-url').toldByReferer).toEqual(['b.example']);
    expect(factsOf(base(3_000), 'unsafe-url').toldByReferer).toEqual([]);
  });

  it('is every script of another host', () => {
    const html = `<base href="https://cdn.example/"><script src="a.js"></script>
      <script>document.write('<script src="https://written.example/x.js">')</script>
      <noscript><script src="https://never.example/"></script></noscript>`;
    expect(factsOf(html).scriptHosts).toEqual(['cdn.example']);
  });
});

it('an API key in a page is found, unless it is the published one or none', () => {
  const key = withChecksum(`cck_live_${'k'.repeat(32)}`);
  expect(factsOf(`<script>fetch(x, "${key}")</script>`).holdsKey).toBe(true);
  expect(factsOf(`<p>${SANDBOX_KEY} cck_live_${'k'.repeat(38)}</p>`).holdsKey).toBe(false);
});

it('no page is too strange', () => {
  for (const html of [
    '',
    '<',
    '<<a href=',
    '<img src="http://[">',
    '<base href="::">',
    '\0',
    '<svg><a/></svg>',
  ]) {
    expect(factsOf(html).holdsKey, html).toBe(false);
  }
  expect(factsOf('<div>'.repeat(50_000)).toldByReferer).toEqual([]);
});
