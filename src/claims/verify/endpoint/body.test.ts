import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../platform/errors.ts';
import { withoutDirectionMarks } from '../../../platform/text/text.ts';
import { parseAnyBody, parseUsualBody, parseVerificationBody, type VerificationBody } from './body.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): VerificationBody => parseVerificationBody(bytes(text));

describe('parsing a valid body', () => {
  test.each([
    ['{"token":"abc"}', 'abc', false],
    ['{"token":"abc","redeem":true}', 'abc', true],
    ['{"token":"abc","redeem":false}', 'abc', false],
    ['{"redeem":true,"token":"abc"}', 'abc', true],
    [' \t\r\n{\n  "token" : "abc" ,\n "redeem"\t: true\n}\r\n', 'abc', true],
    ['{"\\u0074oken":"abc"}', 'abc', false],
    ['{"token":"a\\u0062c"}', 'abc', false],
    ['{"token":"a\\"b\\\\c\\/d"}', 'a"b\\c/d', false],
    ['{"token":"{\\"redeem\\":true}"}', '{"redeem":true}', false],
    ['{"token":"é🎁"}', 'é🎁', false],
    ['{"token":"\\ud83c\\udf81"}', '🎁', false],
    ['{"token":"\\u0000"}', '\u0000', false],
    ['{"token":" "}', ' ', false],
    ['{"token":"\\",\\"redeem\\":true,\\""}', '","redeem":true,"', false],
    ['{"token":"\\ufeff"}', '\ufeff', false],
    [`{"token":"${'x'.repeat(200)}"}`, 'x'.repeat(200), false],
    [`{"token":"${'🎁'.repeat(200)}"}`, '🎁'.repeat(200), false],
  ])('returns token and redeem of %j', (text, token, redeem) => {
    expect(parse(text)).toEqual({ token, redeem, reference: null });
    expect(parseAnyBody(bytes(text))).toEqual({ token, redeem, reference: null });
  });

  test.each([
    ['{"token":"abc","redeem":true,"reference":"order-4711"}', 'order-4711'],
    ['{"token":"abc","reference":"order-4711"}', 'order-4711'],
    ['{"reference":"order-4711","redeem":false,"token":"abc"}', 'order-4711'],
    ['{"token":"abc","reference":" Bestellung für Jürgen 🎁 "}', 'Bestellung für Jürgen 🎁'],
    ['{"token":"abc","reference":"  4711 "}', '4711'],
    ['{"token":"abc","reference":"\\u0034711"}', '4711'],
    [`{"token":"abc","reference":"${'x'.repeat(100)}"}`, 'x'.repeat(100)],
    [`{"token":"abc","reference":"${'🎁'.repeat(100)}"}`, '🎁'.repeat(100)],
  ])('returns the reference of %j', (text, reference) => {
    expect(parse(text).reference).toBe(reference);
    expect(parseAnyBody(bytes(text)).reference).toBe(reference);
  });
});

const NOT_JSON = 'The body is not JSON.';
const TWICE = 'appears more than once';

const BAD: readonly (readonly [body: string, reason: string])[] = [
  ['', 'The body is empty'],
  [' ', NOT_JSON],
  ['token=abc&redeem=true', NOT_JSON],
  ['{', NOT_JSON],
  ['{"token":"secret-token"', NOT_JSON],
  ['{"token":"secret-token",}', NOT_JSON],
  ['{"token":"secret-token"}{"token":"b"}', NOT_JSON],
  ['{"token":"secret-token","redeem":True}', NOT_JSON],
  ['{"token":"secret-token" // comment\n}', NOT_JSON],
  ['{"token":"a\nb"}', NOT_JSON],
  ['{"token":"\\x41"}', NOT_JSON],
  ['{"token":"\\u12"}', NOT_JSON],
  ['\u00a0{"token":"secret-token"}', NOT_JSON],
  ['\ufeff{"token":"secret-token"}', 'byte order mark'],
  ['[]', 'must be a JSON object; found an array'],
  ['"secret-token"', 'must be a JSON object; found a string'],
  ['null', 'must be a JSON object; found null'],
  ['{}', 'The member `token` is missing.'],
  ['{"token":""}', 'The member `token` is empty.'],
  ['{"token":null}', 'The member `token` must be a string; found null.'],
  ['{"token":42}', 'must be a string; found a number'],
  ['{"token":["secret-token"]}', 'must be a string; found an array'],
  ['{"token":"secret-token","redeem":null}', 'The member `redeem` must be true or false; found null.'],
  ['{"token":"secret-token","redeem":"true"}', '`redeem` must be true or false; found a string'],
  ['{"token":"secret-token","redeem":1}', '`redeem` must be true or false; found a number'],
  ['{"token":"secret-token","token":"secret-token"}', `The member \`token\` ${TWICE}`],
  ['{"token":"secret-token","\\u0074oken":"b"}', `\`token\` ${TWICE}`],
  ['{"token":"secret-token","redeem":true,"redeem":false}', `\`redeem\` ${TWICE}`],
  ['{"token":"secret-token","Redeem":true}', 'unknown member, `Redeem`'],
  ['{"Token":"secret-token"}', 'unknown member, `Token`'],
  ['{"token":"secret-token","redeem ":true}', 'unknown member, whose name has 7 characters'],
  ['{"token":"secret-token","":1}', 'unknown member, whose name has 0 characters'],
  ['{"token":"secret-token","__proto__":{"redeem":true}}', 'unknown member, `__proto__`'],
  ['{"__proto__":{"token":"secret-token"}}', 'unknown member, `__proto__`'],
  ['{"token":"secret-token","constructor":{"prototype":{"redeem":true}}}', 'unknown member, `constructor`'],
  ['{"token":"secret-token","x":[{"a":"]}"},"\\"",[[]]],"redeem":true}', 'unknown member, `x`'],
  ['{"clm_000000000000000000000000000000000":true}', 'whose name has 37 characters'],
  [`{"token":"${'s'.repeat(201)}"}`, 'The member `token` has 201 characters; at most 200'],
  [`{"token":"${'é'.repeat(201)}"}`, 'The member `token` has 201 characters; at most 200'],
  ['{"token":"\\ud800"}', 'a lone surrogate'],
  ['{"token":"secret-token\\udfff"}', 'a lone surrogate'],
  ['{"token":"secret-token","reference":null}', 'The member `reference` must be a string; found null.'],
  ['{"token":"secret-token","reference":4711}', '`reference` must be a string; found a number'],
  ['{"token":"secret-token","reference":""}', 'The member `reference` is empty.'],
  ['{"token":"secret-token","reference":"  "}', 'The member `reference` is empty.'],
  ['{"token":"secret-token","reference":"a","reference":"a"}', `\`reference\` ${TWICE}`],
  ['{"token":"secret-token","reference":"a","\\u0072eference":"b"}', `\`reference\` ${TWICE}`],
  ['{"token":"secret-token","reference":"\\ud800"}', 'The member `reference` contains invalid Unicode'],
  ['{"token":"secret-token","reference":"a\\u0000b"}', '`reference` contains the control character U+0000'],
  ['{"token":"secret-token","reference":"a\\nb"}', '`reference` contains the control character U+000A'],
  ['{"token":"secret-token","reference":"a\\u202eb"}', '`reference` contains the invisible character U+202E'],
  [
    `{"token":"secret-token","reference":"${'x'.repeat(101)}"}`,
    '`reference` has 101 characters; at most 100',
  ],
  [`{"token":"secret-token","reference":"clm_${'0'.repeat(33)}"}`, 'contains a claim token or a key'],
  [`{"token":"secret-token","reference":"Bearer cck_live_${'0'.repeat(38)}"}`, 'a claim token or a key'],
  ['{"token":"secret-token","redeem":true,"references":"a"}', 'unknown member, `references`'],
  [`${'['.repeat(4_096)}`, NOT_JSON],
  [`{"token":${'['.repeat(2_000)}${']'.repeat(2_000)}}`, 'found an array'],
];

function refusalOf(body: Uint8Array): Refusal {
  try {
    parseVerificationBody(body);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return error as Refusal;
  }
  throw new Error('the body was accepted');
}

describe('parsing an invalid body', () => {
  test.each(BAD)('names the problem without repeating the token: %j', (text, reason) => {
    const refusal = refusalOf(bytes(text));
    expect(refusal.code).toBe('invalid_request');
    expect(refusal.message).toContain(reason);
    expect(refusal.message).toMatch(/^The [^\n]*\.$/);
    expect(refusal.message).not.toMatch(/secret-token|sss|clm_/);
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['a truncated sequence', [0xc3]],
    ['an overlong encoding', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a code point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['Latin-1', [0xe9]],
    ['a UTF-16 byte order mark', [0xff, 0xfe]],
  ])('rejects invalid UTF-8: %s', (_, inside) => {
    const body = Uint8Array.from([...bytes('{"token":"a'), ...inside, ...bytes('"}')]);
    expect(refusalOf(body).message).toBe('The body is not UTF-8.');
  });
});

test('only the bytes of a view into a larger buffer are parsed', () => {
  const whole = bytes('xx{"token":"abc"}yy');
  expect(parseVerificationBody(whole.subarray(2, whole.length - 2))).toMatchObject({ token: 'abc' });
});

/**
 * Returns `null` if the body does not have the usual form, or if its reference is invalid. If the reference is invalid,
 * expects the same message from both parsers.
 */
function usualOrRefused(input: Uint8Array): VerificationBody | null {
  try {
    return parseUsualBody(input);
  } catch (error) {
    expect(() => parseAnyBody(input)).toThrow((error as Refusal).message);
    return null;
  }
}

/** Fragments of the usual form and near misses, which exercise the boundary between the two parsers. */
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('{', '}', '"token"', '"redeem"', '"reference"', ':', ',', 'true') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(' ', '\n', '\t', '\r', '"', '\\', '\\u0074', '\u00a0', '\u0000', 'é'),
  },
  { weight: 4, arbitrary: fc.stringMatching(/^"[ -~]{0,12}"$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('null', '[]', '1', `"${'x'.repeat(200)}"`, `"${'x'.repeat(201)}"`),
  },
);
const shaped = fc
  .tuple(
    fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 8 })),
    fc.constantFrom('', ' ', '\n'),
    fc.option(fc.boolean()),
    fc.option(fc.oneof(fc.stringMatching(/^[ -~]{0,103}$/), fc.string({ unit: 'grapheme', maxLength: 8 }))),
  )
  .map(([token, space, redeem, reference]) => {
    const members = [`"token"${space}:${space}${JSON.stringify(token)}`];
    if (redeem !== null) members.push(`"redeem":${space}${redeem}`);
    if (reference !== null) members.push(`"reference":${space}${JSON.stringify(reference)}`);
    return `${space}{${members.join(`${space},${space}`)}${space}}`;
  });
/** A body in the usual form with up to three characters replaced. */
const broken = fc
  .tuple(shaped, fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...'{}":,\\ atf0é\u0000')), { maxLength: 3 }))
  .map(([text, changes]) => {
    const characters = [...text];
    for (const [at, character] of changes) characters[at % characters.length] = character;
    return characters.join('');
  });
const body = fc.oneof(
  fc.array(piece, { maxLength: 14 }).map((pieces) => bytes(pieces.join(''))),
  shaped.map(bytes),
  broken.map(bytes),
  fc.json().map(bytes),
  fc.uint8Array({ maxLength: 40 }),
);

test('parseUsualBody, parseAnyBody and JSON.parse agree on 20,000 random bodies', () => {
  let quick = 0;
  let quickWithReference = 0;
  fc.assert(
    fc.property(body, (input) => {
      const usual = usualOrRefused(input);
      let careful: VerificationBody | null = null;
      try {
        careful = parseAnyBody(input);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
      if (careful !== null) {
        const { token, redeem = false, reference } = JSON.parse(Buffer.from(input).toString('utf8'));
        expect(careful).toMatchObject({ token, redeem });
        expect(careful.reference ?? undefined).toBe(reference && withoutDirectionMarks(reference).trim());
      }
      if (usual === null) return;
      quick += 1;
      if (usual.reference !== null) quickWithReference += 1;
      expect(usual).toEqual(careful);
    }),
    { numRuns: 20_000 },
  );
  expect(quick).toBeGreaterThan(500);
  expect(quickWithReference).toBeGreaterThan(100);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
