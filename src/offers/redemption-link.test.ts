import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../errors.ts';
import {
  claimParameter,
  fillRedemptionLink,
  linkOrigin,
  PLACEHOLDER,
  parseRedemptionLink,
} from './redemption-link.ts';

describe('links that are taken', () => {
  test.each([
    ['https://shop.example/welcome?claim={claim}', 'https://shop.example', 'claim'],
    ['https://shop.example/?t={claim}&via=x#top', 'https://shop.example', 't'],
    ['https://shop.example?t={claim}', 'https://shop.example', 't'],
    ['https://shop.example:8443/a/b?x=1&claim_token={claim}', 'https://shop.example:8443', 'claim_token'],
    ['https://shop.example:443/?t={claim}', 'https://shop.example', 't'],
    ['https://shop.example/?ref=app-{claim}-1', 'https://shop.example', 'ref'],
    ['https://shop.example/?a[token]={claim}', 'https://shop.example', 'a[token]'],
    ['https://shop.example/?a%5Btoken%5D={claim}', 'https://shop.example', 'a[token]'],
    ['https://shop.example/?next=https://other.example/?c={claim}', 'https://shop.example', 'next'],
    ['https://xn--bcher-kva.example/?t={claim}', 'https://xn--bcher-kva.example', 't'],
    ['https://203.0.113.7/?t={claim}', 'https://203.0.113.7', 't'],
    ['https://[2001:db8::1]:8443/?t={claim}', 'https://[2001:db8::1]:8443', 't'],
    ['http://localhost:3000/?t={claim}', 'http://localhost:3000', 't'],
    ['http://127.0.0.1:3000/?t={claim}', 'http://127.0.0.1:3000', 't'],
    ['http://[::1]/?t={claim}', 'http://[::1]', 't'],
    ["https://shop.example/it's/(a)*;v=1/@me?t={claim}", 'https://shop.example', 't'],
    ['https://shop.example/caf%C3%A9?t={claim}&q=100%25', 'https://shop.example', 't'],
  ])('%s', (text, origin, parameter) => {
    expect(parseRedemptionLink(text)).toEqual({ template: text, origin, parameter });
    expect(linkOrigin(text)).toBe(origin);
    expect(claimParameter(text)).toBe(parameter);
  });
});

const SCHEME = 'must start with https://';
const WHOLE = 'must be a whole address';
const SLASHES = 'must have two slashes';
const NO_HOST = 'names no host';
const HTTP = 'http is only for localhost';
const USER = 'holds user information';
const HOST_CLAIM = '{claim} in its host';
const PATH = '{claim} in its path';
const FRAGMENT = '{claim} in its fragment';
const PARAMETER_NAME = '{claim} in the name of a query parameter';
const ENCODED = 'a percent-encoded placeholder';
const BRACES = 'no other braces are allowed';
const SPELLING = 'the placeholder is written {claim}';
const NONE = 'has no {claim}';
const PORT = 'a port that is no number';
const READ_AS = 'which browsers read as';
const NO_NAME = 'a part that is no name';
const INVISIBLE = 'the invisible character';
const LONG_LABEL = 'x'.repeat(64);
const base = 'https://shop.example';

/** Each bad link with what the refusal must say. */
const BAD: readonly (readonly [link: string, reason: string])[] = [
  // Schemes
  ['', 'is empty'],
  ['javascript:alert(1)//?t={claim}', SCHEME],
  ['JavaScript:alert(1)//?t={claim}', SCHEME],
  ['javascript://shop.example/%0aalert(1)?t={claim}', SCHEME],
  ['data:text/html,<script>?t={claim}', SCHEME],
  ['vbscript:msgbox?t={claim}', SCHEME],
  ['file:///etc/passwd?t={claim}', SCHEME],
  ['ftp://shop.example/?t={claim}', SCHEME],
  ['ws://shop.example/?t={claim}', SCHEME],
  ['blob:https://shop.example/?t={claim}', SCHEME],
  ['view-source:https://shop.example/?t={claim}', SCHEME],
  ['intent://shop.example/?t={claim}', SCHEME],
  ['mailto:ada@shop.example?t={claim}', SCHEME],
  ['HTTPS://shop.example/?t={claim}', SCHEME],
  ['Https://shop.example/?t={claim}', SCHEME],
  ['{claim}://shop.example/?t=1', WHOLE],
  ['//shop.example/?t={claim}', WHOLE],
  ['/welcome?t={claim}', WHOLE],
  ['?t={claim}', WHOLE],
  ['shop.example/?t={claim}', WHOLE],
  ['shop.example:443/?t={claim}', SCHEME],
  ['https', WHOLE],
  [':https://shop.example/?t={claim}', WHOLE],
  ['https:shop.example/?t={claim}', SLASHES],
  ['https:/shop.example/?t={claim}', SLASHES],
  ['https:?t={claim}', SLASHES],
  ['https://', NO_HOST],
  ['https:///shop.example/?t={claim}', NO_HOST],
  ['https://?t={claim}', NO_HOST],
  ['https://#?t={claim}', NO_HOST],
  ['http://shop.example/?t={claim}', HTTP],
  ['http://localhost.shop.example/?t={claim}', HTTP],
  ['http://127.0.0.2/?t={claim}', HTTP],
  ['http://0.0.0.0/?t={claim}', HTTP],
  ['http://[::2]/?t={claim}', HTTP],
  ['http://notlocalhost/?t={claim}', HTTP],
  // User information
  ['https://ada@shop.example/?t={claim}', USER],
  ['https://ada:secret@shop.example/?t={claim}', USER],
  ['https://shop.example@evil.example/?t={claim}', USER],
  ['https://shop.example:443@evil.example/?t={claim}', USER],
  ['https://@shop.example/?t={claim}', USER],
  ['https://:@shop.example/?t={claim}', USER],
  ['http://localhost@evil.example/?t={claim}', USER],
  // The placeholder in a wrong place
  ['https://{claim}.shop.example/', HOST_CLAIM],
  ['https://{claim}/?t=1', HOST_CLAIM],
  ['https://shop.example:{claim}/?t=1', HOST_CLAIM],
  ['https://{claim}@shop.example/?t=1', HOST_CLAIM],
  ['https://shop.example{claim}?t=1', HOST_CLAIM],
  ['https://shop.example.{claim}?t={claim}', HOST_CLAIM],
  [`${base}/{claim}`, PATH],
  [`${base}/{claim}?t=1`, PATH],
  [`${base}/claims/{claim}/open`, PATH],
  [`${base}/;t={claim}`, PATH],
  [`${base}/&t={claim}`, PATH],
  [`${base}/#{claim}`, FRAGMENT],
  [`${base}/#?t={claim}`, FRAGMENT],
  [`${base}/?t=1#t={claim}`, FRAGMENT],
  [`${base}/?t=#{claim}`, FRAGMENT],
  [`${base}/?{claim}`, PARAMETER_NAME],
  [`${base}/?{claim}=1`, PARAMETER_NAME],
  [`${base}/?t=1&{claim}`, PARAMETER_NAME],
  [`${base}/?x{claim}y=1`, PARAMETER_NAME],
  [`${base}/?={claim}`, 'a query parameter without a name'],
  [`${base}/?a=1&={claim}`, 'a query parameter without a name'],
  // Too many, too few
  [`${base}/?a={claim}&b={claim}`, '2 times'],
  [`${base}/?a={claim}{claim}`, '2 times'],
  [`${base}/{claim}?a={claim}`, '2 times'],
  [`${base}/?a={claim}#{claim}`, '2 times'],
  [`${base}/?a={claim}&b={claim}&c={claim}`, '3 times'],
  [`${base}/?t=1&t={claim}`, 'the query parameter "t" twice'],
  [`${base}/?t={claim}&t`, 'the query parameter "t" twice'],
  [`${base}/?t={claim}&%74=1`, 'the query parameter "t" twice'],
  [`${base}/`, NONE],
  [`${base}/?t=`, NONE],
  [`${base}/?t=claim`, NONE],
  [`${base}/?t=$claim`, NONE],
  [`${base}/?t={}`, NONE],
  [`${base}/?t={token}`, NONE],
  [`${base}/?t={Claim}`, SPELLING],
  [`${base}/?t={CLAIM}`, SPELLING],
  // Encoded placeholders
  [`${base}/?t=%7Bclaim%7D`, ENCODED],
  [`${base}/?t=%7bclaim%7d`, ENCODED],
  [`${base}/?t={claim%7D`, ENCODED],
  [`${base}/?t=%7Bclaim}`, ENCODED],
  [`${base}/?t={cl%61im}`, ENCODED],
  [`${base}/?t=%7B%63%6C%61%69%6D%7D`, ENCODED],
  [`${base}/?t=%257Bclaim%257D`, ENCODED],
  [`${base}/?t=%25257Bclaim%25257D`, ENCODED],
  [`${base}/?t={claim}&u=%7Bclaim%7D`, ENCODED],
  [`${base}/%7Bclaim%7D?t={claim}`, ENCODED],
  [`${base}/?t={claim}#%7Bclaim%7D`, ENCODED],
  ['https://%7Bclaim%7D.shop.example/?t={claim}', ENCODED],
  // Braces
  [`${base}/?t={{claim}}`, BRACES],
  [`${base}/?t={claim}&u={user}`, BRACES],
  [`${base}/{x}?t={claim}`, BRACES],
  [`${base}/?t={claim}}`, BRACES],
  // Hosts that look like others
  ['https://аpple.example/?t={claim}', READ_AS],
  ['https://bücher.example/?t={claim}', 'read as "xn--bcher-kva.example"'],
  ['https://shop。example/?t={claim}', 'read as "shop.example"'],
  ['https://ｓhop.example/?t={claim}', 'read as "shop.example"'],
  ['https://shop.example／evil/?t={claim}', 'names a host that is none'],
  ['https://faß.example/?t={claim}', READ_AS],
  ['https://SHOP.example/?t={claim}', 'read as "shop.example"'],
  ['https://XN--BCHER-KVA.example/?t={claim}', READ_AS],
  ['https://xn--a.example/?t={claim}', 'encodes no name'],
  ['https://shop.xn--a-/?t={claim}', NO_NAME],
  ['https://xn--bücher.example/?t={claim}', 'names a host that is none'],
  ['https://2130706433/?t={claim}', 'read as "127.0.0.1"'],
  ['https://0x7f.1/?t={claim}', 'read as "127.0.0.1"'],
  ['http://0177.0.0.1/?t={claim}', 'read as "127.0.0.1"'],
  ['http://127.1/?t={claim}', 'read as "127.0.0.1"'],
  ['http://[0:0:0:0:0:0:0:1]/?t={claim}', 'read as "[::1]"'],
  ['https://[::ffff:127.0.0.1]/?t={claim}', READ_AS],
  ['https://1.2.3.4.5/?t={claim}', 'names a host that is none'],
  ['https://[::1/?t={claim}', 'cannot be read'],
  ['https://::1/?t={claim}', 'a port that is no number'],
  ['https://[shop.example]/?t={claim}', 'names a host that is none'],
  ['https://shop%2Eexample/?t={claim}', 'must write its host out'],
  ['https://shop.example%00.evil.example/?t={claim}', 'must write its host out'],
  ['https://shop.example./?t={claim}', 'an empty part between its dots'],
  ['https://shop..example/?t={claim}', 'an empty part between its dots'],
  ['https://.shop.example/?t={claim}', 'an empty part between its dots'],
  ['https://-shop.example/?t={claim}', NO_NAME],
  ['https://shop-.example/?t={claim}', NO_NAME],
  ['https://*.shop.example/?t={claim}', NO_NAME],
  ['https://shop,example/?t={claim}', NO_NAME],
  ['https://shop$.example/?t={claim}', NO_NAME],
  [`https://${LONG_LABEL}.example/?t={claim}`, NO_NAME],
  [`https://${'a.'.repeat(130)}example/?t={claim}`, 'names a host of 267 characters'],
  // Ports
  ['https://shop.example:/?t={claim}', PORT],
  ['https://shop.example:0/?t={claim}', PORT],
  ['https://shop.example:0443/?t={claim}', PORT],
  ['https://shop.example:65536/?t={claim}', PORT],
  ['https://shop.example:https/?t={claim}', PORT],
  ['https://shop.example:-1/?t={claim}', PORT],
  ['https://shop.example:80:90/?t={claim}', PORT],
  // Characters
  ['https://shop.example\\@evil.example/?t={claim}', 'a backslash'],
  ['https:\\\\shop.example/?t={claim}', 'a backslash'],
  [`${base}/a\\b?t={claim}`, 'a backslash'],
  [` ${base}/?t={claim}`, 'a space'],
  [`${base}/?t={claim} `, 'a space'],
  [`${base}/a b?t={claim}`, 'a space'],
  [`${base}/?t={claim}\n`, INVISIBLE],
  [`${base}/\r\nSet-Cookie:x?t={claim}`, INVISIBLE],
  ['java\tscript:alert(1)?t={claim}', INVISIBLE],
  ['ht\ntps://shop.example/?t={claim}', INVISIBLE],
  ['\u0000https://shop.example/?t={claim}', INVISIBLE],
  ['\ufeffhttps://shop.example/?t={claim}', INVISIBLE],
  ['https://shop\u200b.example/?t={claim}', INVISIBLE],
  ['https://shop\u00ad.example/?t={claim}', INVISIBLE],
  ['https://shop.example/\u202egpj?t={claim}', INVISIBLE],
  ['https://shop.example/\u00a0?t={claim}', INVISIBLE],
  ['https://shop.example/\ud800?t={claim}', INVISIBLE],
  [`${base}/café?t={claim}`, 'holds "é"; write it as %C3%A9'],
  [`${base}/🎁?t={claim}`, 'write it as %F0%9F%8E%81'],
  [`${base}/<b>?t={claim}`, 'write it as %3C'],
  [`${base}/"?t={claim}`, 'write it as %22'],
  [`${base}/?t={claim}|x`, 'write it as %7C'],
  [`${base}/?t={claim}^x`, 'write it as %5E'],
  [`${base}/?t={claim}\`x`, 'write it as %60'],
  [`${base}/100%?t={claim}`, 'a percent sign without two hexadecimal digits'],
  [`${base}/?q=%zz&t={claim}`, 'a percent sign without two hexadecimal digits'],
  [`${base}/?t={claim}%a`, 'a percent sign without two hexadecimal digits'],
  [`${base}/?t={claim}&x=${'x'.repeat(2_048)}`, 'at most 2048 are allowed'],
];

describe('links that are refused, each with its reason', () => {
  test('there are at least a hundred', () => {
    expect(new Set(BAD.map(([link]) => link)).size).toBe(BAD.length);
    expect(BAD.length).toBeGreaterThanOrEqual(100);
  });

  test.each(BAD)('%j', (link, reason) => {
    let refusal: unknown;
    try {
      parseRedemptionLink(link);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).code).toBe('invalid_request');
    expect((refusal as Refusal).message).toMatch(/^The redemption link [^\n]+\.$/);
    expect((refusal as Refusal).message).toContain(reason);
  });
});

test('a link of exactly 2,048 characters is taken', () => {
  const start = `${base}/?t={claim}&x=`;
  const link = start + 'x'.repeat(2_048 - start.length);
  expect(parseRedemptionLink(link).template).toHaveLength(2_048);
  expect(() => parseRedemptionLink(`${link}x`)).toThrow('has 2049 characters');
});

test('substitution replaces the placeholder alone, percent-encoded, whatever the token holds', () => {
  const template = 'https://shop.example/a$&b?x=%7B1%7D&t={claim}&y=$1#f';
  expect(fillRedemptionLink(template, "$&$1`'{claim}&u=1#é ")).toBe(
    "https://shop.example/a$&b?x=%7B1%7D&t=%24%26%241%60'%7Bclaim%7D%26u%3D1%23%C3%A9%20&y=$1#f",
  );
});

test('whatever the token, the owner reads it back from the parameter and the link stays where it was', () => {
  const links = fc.constantFrom(
    'https://shop.example/welcome?claim={claim}',
    'https://shop.example:8443/?a=1&a%5Bt%5D={claim}&b=2#top',
    'http://localhost:3000/x?next={claim}',
  );
  fc.assert(
    fc.property(links, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text, token) => {
      const link = parseRedemptionLink(text);
      const filled = new URL(fillRedemptionLink(text, token));
      const before = new URL(text.replace(PLACEHOLDER, ''));
      expect(filled.searchParams.getAll(link.parameter)).toEqual([token]);
      expect(filled.origin).toBe(link.origin);
      expect(filled.pathname).toBe(before.pathname);
      expect(filled.hash).toBe(before.hash);
    }),
  );
});

test('no text at all makes a link that leads elsewhere than its origin says', () => {
  const pieces = fc.constantFrom(
    ...[
      'https:',
      'http:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '?',
      '&',
      '=',
      '#',
      '.',
      '%7B',
      '%',
      '{claim}',
      '{',
      '}',
    ],
    ...['shop.example', 'localhost', 'evil', 'claim', 't', '[::1]', '8080', 'é', ' ', '\t', '\u200b', ';'],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.boolean(), (parts, prefixed) => {
      const text = (prefixed ? 'https://shop.example/?t=' : '') + parts.join('');
      let link: ReturnType<typeof parseRedemptionLink>;
      try {
        link = parseRedemptionLink(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
        return;
      }
      const filled = new URL(fillRedemptionLink(text, 'tok-en_1'));
      expect(filled.origin).toBe(link.origin);
      expect(filled.username + filled.password).toBe('');
      expect(filled.searchParams.getAll(link.parameter).join()).toContain('tok-en_1');
      expect(filled.hash).not.toContain('tok-en_1');
      expect(filled.pathname).not.toContain('tok-en_1');
    }),
    { numRuns: 5_000 },
  );
});
