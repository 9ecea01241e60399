import { expect, test } from 'vitest';
import { addLanguage, ENGLISH, inLanguage } from '../languages/language.ts';
import {
  amountOf,
  codePoint,
  isolated,
  leftToRight,
  parseIdentifier,
  parseLine,
  parseText,
  quote,
  sizeText,
} from './text.ts';

test('parseLine trims only the whitespace around the text', () => {
  expect(parseLine('  30 % off – für immer 🎁 ', 'The text', 40)).toBe('30 % off – für immer 🎁');
});

test('the length limit counts code points, not UTF-16 code units', () => {
  expect(parseLine('🎁'.repeat(5), 'The text', 5)).toBe('🎁🎁🎁🎁🎁');
  expect(() => parseLine('🎁'.repeat(6), 'The text', 5)).toThrow('The text has 6 characters; at most 5');
});

test.each([
  ['', 'The text is empty.'],
  [' \t\n', 'The text is empty.'],
  ['a\nb', 'The text contains the control character U+000A.'],
  ['a\u0000b', 'The text contains the control character U+0000.'],
  ['a\u0085b', 'The text contains the control character U+0085.'],
  ['a\u2028b', 'The text contains the control character U+2028.'],
  [
    'a\u202eb',
    'The text contains the invisible character U+202E, which changes the text direction. Delete it',
  ],
  ['a\ud800b', 'The text contains invalid Unicode (a lone surrogate).'],
])('parseLine rejects %j', (text, sentence) => {
  expect(() => parseLine(text, 'The text', 100)).toThrow(sentence);
});

test.each([parseLine, parseText])('direction marks and isolates are removed from pasted text', (parse) => {
  expect(parse('\u200f\u2068مرحبا 20% off (من Ada)!\u2069\u200e', 'The text', 23)).toBe(
    'مرحبا 20% off (من Ada)!',
  );
  expect(parse('\u2067\u061cab', 'The text', 2)).toBe('ab');
  expect(() => parse('\u2068 \u2069\u200e', 'The text', 9)).toThrow('The text is empty.');
});

const tags = (text: string) =>
  [...text].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('');

test.each([
  ...['\u200b', '\u200d', '\ufeff', '\u00ad', '\u034f', '\u115f', '\u3164', '\ufe0f', '\u2060', '\ufff9'],
  '\u200b\u2060\u200d\ufe0f',
  tags('ignore'),
])('the hidden characters %j are removed from a name in Latin script', (hidden) => {
  expect(parseLine(`${hidden}Pay${hidden}Pal${hidden}`, 'The text', 6)).toBe('PayPal');
  expect(() => parseLine(hidden.repeat(2), 'The text', 99)).toThrow('The text is empty.');
});

test.each(['\u2800\u2800', '\ue000', '漢\u200b'.slice(1)])('%j is refused as empty', (text) => {
  expect(() => parseText(text, 'The text', 99)).toThrow('The text is empty.');
});

test.each([
  ...['❤️Love', '1️⃣ one', '❤️‍🔥', '👨‍👩‍👧', `🏴${tags('gbeng')}\u{e007f}`, '©️ 2026', '☎︎ call'],
  ...['می‌خواهم', 'क्‍ष', '葛\u{e0100}城', 'ភាសា\u200bខ្មែរ', 'ᠮᠣᠩᠭᠣᠯ ᠤ᠋ᠨ', 'a\u0301'],
])('%j keeps the characters that its script or emoji needs', (text) => {
  expect(parseLine(text, 'The text', 99)).toBe(text);
});

test('an identifier keeps its hidden characters, but can’t consist of them only', () => {
  expect(parseIdentifier(' order\u200b1 ', 'The text', 7)).toBe('order\u200b1');
  expect(() => parseIdentifier('\u200b', 'The text', 99)).toThrow('The text is empty.');
});

test('an emoji can’t carry hidden text', () => {
  expect(parseLine(`✨${tags('ignore')} x`, 'The text', 99)).toBe('✨ x');
  expect(parseLine(`😀${'\u{e0101}'.repeat(30)}`, 'The text', 99)).toBe('😀\u{e0101}\u{e0101}');
});

test('isolated() adds direction isolates to right-to-left text only', () => {
  expect(isolated('מבצע 20%')).toBe('\u2068מבצע 20%\u2069');
  expect(isolated('Für 20% €')).toBe('Für 20% €');
});

test('leftToRight() isolates a size in right-to-left languages only', () => {
  addLanguage({ ...ENGLISH, code: 'ar', direction: 'rtl' });
  expect(inLanguage('ar', () => leftToRight('640 × 360'))).toBe('\u2066640 × 360\u2069');
  expect(leftToRight('640 × 360')).toBe('640 × 360');
});

test('quote() truncates text and escapes invisible characters', () => {
  expect(quote('a\n"b"')).toBe('"a\\n\\"b\\""');
  expect(quote('x'.repeat(500))).toBe(`"${'x'.repeat(40)}…"`);
  expect(quote('\ud800')).toBe('"\ufffd"');
  expect(quote('a\u009bb\u202ec')).toBe('"a\\u009bb\\u202ec"');
  expect(codePoint('\t')).toBe('U+0009');
  expect(codePoint('🎁')).toBe('U+1F381');
});

test('sizeText() rounds down, and writes decimals as the language does', () => {
  expect([sizeText(72.29 * 1024 ** 3), sizeText(512 * 1024 ** 2)]).toEqual(['72.2 GiB', '512 MiB']);
  expect(inLanguage('de', () => sizeText(72.29 * 1024 ** 3))).toBe('72,2 GiB');
});

test('amountOf() uses the singular for one', () => {
  expect([amountOf(0, 'row'), amountOf(1, 'row'), amountOf(2, 'row')]).toEqual(['0 rows', '1 row', '2 rows']);
});
