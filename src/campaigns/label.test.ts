import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  arrivedLabel,
  buildShareLink,
  labelOrNone,
  NO_LABEL,
  parseLabel,
  proposedLabel,
  unreadableLabel,
  viaOf,
} from './label.ts';

test('both parsers accept every label of the allowed characters', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_-]{1,64}$/), (label) => {
      expect(parseLabel(label)).toBe(label);
      expect(labelOrNone(label)).toBe(label);
    }),
  );
  expect(labelOrNone('__proto__')).toBe('__proto__');
  expect(labelOrNone('constructor')).toBe('constructor');
});

test('a label that is read from any text is valid', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const label = labelOrNone(text);
      if (label !== null) expect(parseLabel(label)).toBe(label);
    }),
  );
});

test.each([
  NO_LABEL,
  'a.b',
  'é',
  'x'.repeat(65),
  'ａ',
  '%61',
  '?news',
  '.',
  '🎉news',
  'a/b',
  'a.b c',
  'news🎉',
])('%j is not a label', (text) => {
  expect(labelOrNone(text)).toBeNull();
  expect(() => parseLabel(text)).toThrow('A campaign label must');
});

test.each([
  'News',
  ' news ',
  'news\n',
  'news?utm_source=mc',
  'news&utm_source=mc',
  'news%20',
  'news%20look at this',
  'news look at this',
  'News?utm_source=x&utm_medium=y',
  'news?via=other',
  'news&amp;via=other',
  'news/',
  'news.',
  'news)',
  'news”…',
  'news\u200b',
])('%j is read as news, but refused where a person chooses a label', (text) => {
  expect(labelOrNone(text)).toBe('news');
  expect(() => parseLabel(text)).toThrow('A campaign label must');
});

test.each(['spring-', '_spring_', '-'])('%j keeps its hyphens and underscores', (label) => {
  expect(labelOrNone(`${label}.`)).toBe(label);
});

test.each([
  ['via=news', 'news'],
  ['utm_source=x&amp;via=news', 'news'],
  ['utm_source=x&amp%3Bvia=news', 'news'],
  ['Via=news&via=blog', 'news'],
  ['?via=news', 'news'],
  ['service_via=news', null],
])('the label in %s is %j', (query, via) => {
  expect(viaOf(new URLSearchParams(query))).toBe(via);
});

test.each([
  ['Frühling 2026', 'fruehling_2026'],
  ['  Spring / Summer! ', 'spring_summer'],
  ['Été à Paris', 'ete_a_paris'],
  ['Straße', 'strasse'],
  ['News', 'news'],
  ['x'.repeat(80), 'x'.repeat(64)],
  ['春', null],
  ['', null],
])('%j becomes the proposed label %j', (text, label) => {
  expect(proposedLabel(text)).toBe(label);
});

test.each([
  ['Frühling', 'Frühling'],
  ['Frühling?utm_source=x', 'Frühling?utm_source=x'],
  [' a\u202eb ', 'a\\u202eb'],
  ['é'.repeat(80), `${'é'.repeat(40)}…`],
  ['x'.repeat(400), `${'x'.repeat(40)}…`],
  ['News.', null],
  ['  ', null],
])(
  'the received text %j is shown to an owner as the invalid label %j, even if it was parsed twice because the claimant had to sign in',
  (text, shown) => {
    expect(unreadableLabel(text)).toBe(shown);
    expect(unreadableLabel(arrivedLabel(arrivedLabel(text)))).toBe(shown);
  },
);

const baseUrl = 'https://claims.example';

test.each([
  [null, 'https://claims.example/l/photo-fix'],
  ['', 'https://claims.example/l/photo-fix'],
  ['spring_26', 'https://claims.example/l/photo-fix?via=spring_26'],
])('a share link for %j', (via, link) => {
  expect(buildShareLink({ baseUrl, listing: 'photo-fix', via })).toBe(link);
});

test('a share link with an invalid label is refused', () => {
  expect(() => buildShareLink({ baseUrl, listing: 'photo-fix', via: 'Spring 26' })).toThrow(/campaign label/);
});
