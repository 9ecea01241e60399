import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BAD_LINKS } from '../../../test/support/bad-links.ts';
import { Refusal } from '../../platform/errors.ts';
import {
  claimParameter,
  describeRedemptionLink,
  EXAMPLE_VALUES,
  fillRedemptionLink,
  linkOrigin,
  linkWarnings,
  PLACEHOLDER,
  parseRedemptionLink,
  parseTestLink,
} from './redemption-link.ts';

describe('valid redemption links', () => {
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
    ['http://[::1]/?t={claim}', 'http://[::1]', 't'],
    ["https://shop.example/it's/(a)*;v=1/@me?t={claim}", 'https://shop.example', 't'],
    ['https://shop.example/caf%C3%A9?t={claim}&q=100%25', 'https://shop.example', 't'],
    ['https://shop.example/?via={via}&t={claim}&offer={offer}', 'https://shop.example', 't'],
    ['https://shop.example/?t={claim}&utm_campaign=market-{via}', 'https://shop.example', 't'],
    ['https://shop.example/trivia?t={claim}&via=offer', 'https://shop.example', 't'],
  ])('%s is accepted', (text, origin, parameter) => {
    expect(parseRedemptionLink(text)).toEqual({ template: text, origin, parameter });
    expect(linkOrigin(text)).toBe(origin);
    expect(claimParameter(text)).toBe(parameter);
  });
});

const base = 'https://shop.example';

test.each(['shop.example/?t={claim}', 'shop.example:443?t={claim}'])('%s is completed with https', (text) => {
  expect(parseRedemptionLink(text)).toMatchObject({ template: `https://${text}`, origin: base });
  expect(describeRedemptionLink(text)).toMatchObject({ origin: base, problems: [] });
});

describe('invalid redemption links', () => {
  test('BAD_LINKS contains at least 100 different links', () => {
    expect(new Set(BAD_LINKS.map(([link]) => link)).size).toBe(BAD_LINKS.length);
    expect(BAD_LINKS.length).toBeGreaterThanOrEqual(100);
  });

  test.each(BAD_LINKS)('%j is rejected with a reason', (link, reason) => {
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
    // The link tester lists all problems of a link, including this reason.
    const problems = describeRedemptionLink(link).problems.map(String);
    expect(problems.some((problem) => problem.includes(reason))).toBe(true);
    for (const problem of problems) expect(problem).toMatch(/^The redemption link [^\n]+\.$/);
    expect(new Set(problems).size).toBe(problems.length);
  });
});

test('a link of 2,048 characters is accepted, and a longer link is rejected', () => {
  const start = `${base}/?t={claim}&x=`;
  const link = start + 'x'.repeat(2_048 - start.length);
  expect(parseRedemptionLink(link).template).toHaveLength(2_048);
  expect(() => parseRedemptionLink(`${link}x`)).toThrow('has 2049 characters');
});

const OFFER = '01981f3a-7c2b-7000-8000-000000000001';
const fill = (template: string, claim: string, via: string | null = null) =>
  fillRedemptionLink(template, { claim, via, offer: OFFER });

test('the token is percent-encoded and replaces only the placeholder', () => {
  const template = 'https://shop.example/a$&b?x=%7B1%7D&t={claim}&y=$1#f';
  expect(fill(template, "$&$1`'{claim}&u=1#é ")).toBe(
    "https://shop.example/a$&b?x=%7B1%7D&t=%24%26%241%60'%7Bclaim%7D%26u%3D1%23%C3%A9%20&y=$1#f",
  );
});

describe('a link with {via} and {offer}', () => {
  const template = 'https://shop.example/in?v={via}&t={claim}&o={offer}#x';

  test('gets the label of the claim and the ID of the offer', () => {
    expect(fill(template, 'clm_1', 'spring_26')).toBe(
      `https://shop.example/in?v=spring_26&t=clm_1&o=${OFFER}#x`,
    );
    expect(fill(template, 'clm_1')).toBe(`https://shop.example/in?v=&t=clm_1&o=${OFFER}#x`);
  });

  test.each([
    '{claim}',
    '{offer}',
    '&t=other',
    '#top',
    '../..',
    '//evil.example',
    '%26t%3D1',
    "$&$'",
    'ü\u0000',
  ])('gets the hostile label %j as one value, which changes nothing else', (label) => {
    const filled = new URL(fill(template, 'clm_1', label));
    expect([...filled.searchParams]).toEqual([
      ['v', label],
      ['t', 'clm_1'],
      ['o', OFFER],
    ]);
    expect([filled.origin, filled.pathname, filled.hash]).toEqual([base, '/in', '#x']);
  });
});

test('any token can be read back from its parameter and cannot change which page the link leads to', () => {
  const links = fc.constantFrom(
    'https://shop.example/welcome?claim={claim}',
    'https://shop.example:8443/?a=1&a%5Bt%5D={claim}&b=2#top',
    'http://localhost:3000/x?next={claim}',
  );
  fc.assert(
    fc.property(links, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text, token) => {
      const link = parseRedemptionLink(text);
      const filled = new URL(fill(text, token));
      const before = new URL(text.replace(PLACEHOLDER, ''));
      expect(filled.searchParams.getAll(link.parameter)).toEqual([token]);
      expect(filled.origin).toBe(link.origin);
      expect(filled.pathname).toBe(before.pathname);
      expect(filled.hash).toBe(before.hash);
    }),
  );
});

test('the parser and the link tester agree on any text, and a token cannot change the origin', () => {
  const words =
    'https: http: // / \\ @ : ? & = # . %7B % {claim} {via} {offer} { } shop.example localhost evil claim t [::1] 8080 é ;';
  const pieces = fc.constantFrom(...words.split(' '), ' ', '\t', '\u200b', 'x'.repeat(2_040));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.boolean(), (parts, prefixed) => {
      const text = (prefixed ? 'https://shop.example/?t=' : '') + parts.join('');
      const { finalLink, ...described } = describeRedemptionLink(text);
      const problems = described.problems.map(String);
      let link: ReturnType<typeof parseRedemptionLink>;
      try {
        link = parseRedemptionLink(text);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
        expect(problems).toContain((error as Refusal).message);
        expect(finalLink).toBeNull();
        return;
      }
      expect(problems).toEqual([]);
      expect(finalLink).toBe(fillRedemptionLink(link.template, EXAMPLE_VALUES));
      const filled = new URL(finalLink!);
      expect(filled.origin).toBe(link.origin);
      expect(filled.username + filled.password).toBe('');
      expect(filled.searchParams.getAll(link.parameter).join()).toContain(EXAMPLE_VALUES.claim);
      expect(filled.hash).not.toContain(EXAMPLE_VALUES.claim);
      expect(filled.pathname).not.toContain(EXAMPLE_VALUES.claim);
    }),
    { numRuns: 5_000 },
  );
});

describe('test links', () => {
  test.each([
    'http://localhost:8080/w?claim={claim}',
    'http://shop.localhost/w?claim={claim}',
    'http://127.0.0.1:3000/w?claim={claim}',
    'http://[::1]:3000/w?claim={claim}',
    'http://192.168.1.20:3000/w?claim={claim}',
    'http://10.1.2.3/w?claim={claim}',
    'http://[fd00::1]/w?claim={claim}',
    'http://mac-mini.local/w?claim={claim}',
    'https://staging.shop.example/w?claim={claim}',
  ])('%s is accepted', (link) => {
    expect(parseTestLink(link).template).toBe(link);
  });

  test.each([
    ['http://staging.shop.example/w?claim={claim}', 'only for localhost and private networks'],
    ['http://172.32.0.1/w?claim={claim}', 'only for localhost and private networks'],
    ['http://10.0.0.1.evil.example/w?claim={claim}', 'only for localhost and private networks'],
    ['http://localhost:8080/w', 'has no {claim}'],
    ['http://localhost:8080/{claim}', 'in its path'],
    ['http://{claim}.localhost/', 'in its host'],
    ['http://me@localhost/w?claim={claim}', 'user information'],
    ['javascript:alert(1)//?claim={claim}', 'must start with https://'],
    ['localhost:8080/w?claim={claim}', 'must start with https://'],
  ])('%s is rejected', (link, reason) => {
    expect(() => parseTestLink(link)).toThrow(/^The test link /);
    expect(() => parseTestLink(link)).toThrow(reason);
  });
});

describe('the link tester', () => {
  test('returns the parameter, final link and origin of a valid link', () => {
    expect(describeRedemptionLink('https://shop.example/w?claim={claim}&v={via}#x')).toEqual({
      parameter: 'claim',
      finalLink: 'https://shop.example/w?claim=clm_EXAMPLE&v=newsletter#x',
      origin: 'https://shop.example',
      problems: [],
    });
  });

  test.each([
    [
      'http://shop.example/{claim}/{claim}?x={y}',
      ['http is only for localhost', '2 times', 'no other braces'],
    ],
    ['https://a@Shop.example/?t= %zz', ['a space', 'user information', 'a percent sign', 'has no {claim}']],
    ['https://{claim}.example/{claim}', ['in its host', '2 times']],
    ['https://shop.example/é#{claim}', ['write it as %C3%A9', 'in its fragment']],
    ['', ['is empty']],
  ])('lists all problems of %j', (link, reasons) => {
    const { parameter, finalLink, ...described } = describeRedemptionLink(link);
    const problems = described.problems.map(String);
    expect([parameter, finalLink]).toEqual([null, null]);
    expect(problems).toHaveLength(reasons.length);
    for (const [at, reason] of reasons.entries()) expect(problems[at]).toContain(reason);
  });

  test('returns the origin of a link without a placeholder', () => {
    expect(describeRedemptionLink(`${base}/`)).toMatchObject({ origin: base, finalLink: null });
  });
});

describe('warnings about valid links', () => {
  const WEBSITE = 'https://shop.example';
  test.each([
    ['https://shop.example/w?claim={claim}', []],
    ['https://localhost/w?claim={claim}', [/one computer/, /leads to localhost/]],
    ['https://dev.localhost:8443/w?claim={claim}', [/one computer/, /leads to/]],
    ['https://192.168.1.7/w?claim={claim}', [/192\.168\.1\.7 can be reached only from/, /leads to/]],
    ['https://[::1]/w?claim={claim}', [/one computer/, /leads to/]],
    ['https://172.32.0.1/w?claim={claim}', [/leads to 172\.32\.0\.1/]],
    [
      'https://other.example/w?claim={claim}',
      [/leads to other\.example, but the app’s website is shop\.example/],
    ],
    [
      'https://shop.example/w?src=mkt&ampclaim={claim}',
      [/^The parameter is "ampclaim"\. If "amp" is left over from "&amp;", leave it out\.$/],
    ],
    ['https://shop.example/w?claim=x{claim}y', [/more than the token: x\{claim\}y/]],
    // An encoded "&" doesn't begin another parameter.
    ['https://shop.example/w?src=mkt%26claim={claim}', [/more than the token: mkt&claim=\{claim\}/]],
    ['https://shop.example/w?claim={claim}%26src=mkt', [/more than the token: \{claim\}&src=mkt/]],
  ])('%s has the expected warnings', (link, warnings) => {
    expect(linkWarnings(link, WEBSITE).map(String)).toEqual(
      warnings.map((warning) => expect.stringMatching(warning)),
    );
  });
});
