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

test('parseLabel and labelOrNone accept every valid label', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9_-]{1,64}$/), (label) => {
      expect(parseLabel(label)).toBe(label);
      expect(labelOrNone(label)).toBe(label);
    }),
  );
  expect(labelOrNone('__proto__')).toBe('__proto__');
  expect(labelOrNone('constructor')).toBe('constructor');
});

test('labelOrNone returns only valid labels, whatever the input', () => {
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
])('parseLabel and labelOrNone reject %j', (text) => {
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
])('labelOrNone reads %j as news, and parseLabel rejects it', (text) => {
  expect(labelOrNone(text)).toBe('news');
  expect(() => parseLabel(text)).toThrow('A campaign label must');
});

test.each(['spring-', '_spring_', '-'])('labelOrNone keeps the hyphens and underscores of %j', (label) => {
  expect(labelOrNone(`${label}.`)).toBe(label);
});

test.each([
  ['via=news', 'news'],
  ['utm_source=x&amp;via=news', 'news'],
  ['utm_source=x&amp%3Bvia=news', 'news'],
  ['Via=news&via=blog', 'news'],
  ['?via=news', 'news'],
  ['service_via=news', null],
])('the label in the query %s is %j', (query, via) => {
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
])('proposedLabel(%j) returns %j', (text, label) => {
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
])('unreadableLabel(%j) returns %j', (text, expected) => {
  expect(unreadableLabel(text)).toBe(expected);
  // A label is parsed when a page is opened, and again when the claim form is submitted.
  expect(unreadableLabel(arrivedLabel(arrivedLabel(text)))).toBe(expected);
});

const baseUrl = 'https://claims.example';

test.each([
  ['', null, 'https://claims.example/l/photo-fix'],
  ['spring_26', null, 'https://claims.example/l/photo-fix?via=spring_26'],
  ['', '0199f7a2', 'https://claims.example/l/photo-fix/offers/0199f7a2'],
  ['spring_26', '0199f7a2', 'https://claims.example/l/photo-fix/offers/0199f7a2?via=spring_26'],
])('the share link for the label %j and the offer %j is %s', (via, offer, link) => {
  expect(buildShareLink({ baseUrl, listing: 'photo-fix', offer, via })).toBe(link);
});

test('buildShareLink rejects an invalid label', () => {
  expect(() => buildShareLink({ baseUrl, listing: 'photo-fix', offer: null, via: 'Spring 26' })).toThrow(
    /campaign label/,
  );
});
