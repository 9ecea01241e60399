import { describe, expect, test } from 'vitest';
import { MAX_PEOPLE, parseNote, parsePeople } from './invitation.ts';

const ADA = { email: 'ada@example.com', name: 'Ada Lovelace' };
const BOB = { email: 'bob@example.org', name: null };

describe('a pasted list of people', () => {
  test.each([
    ['ada@example.com', [{ ...ADA, name: null }]],
    ['Ada Lovelace <Ada@Example.com>', [ADA]],
    ['"Ada Lovelace" <ada@example.com>;bob@example.org', [ADA, BOB]],
    ['Ada Lovelace\tada@example.com\r\nbob@example.org\n\n', [ADA, BOB]],
    ['ada@example.com, Ada Lovelace\nbob@example.org', [ADA, BOB]],
    ['bob@example.org ada@example.com', [BOB, { ...ADA, name: null }]],
    ['"Lovelace, Ada" <ada@example.com>, bob@example.org', [{ ...ADA, name: 'Lovelace, Ada' }, BOB]],
    ['Lovelace, Ada <ada@example.com>; bob@example.org', [{ ...ADA, name: 'Lovelace, Ada' }, BOB]],
    ['mailto:bob@example.org', [BOB]],
  ])('%j', (text, people) => {
    expect(parsePeople(text)).toEqual(people);
  });

  test('names each mailbox once, with the name of one of its spellings', () => {
    expect(parsePeople('ada+x@example.com, Ada Lovelace <ada@example.com>, ADA@example.com')).toEqual([ADA]);
  });

  test.each([
    ['', 'Enter at least one email address.'],
    [' ,;\n', 'Enter at least one email address.'],
    ['ada@example', '"ada@example" is not an email address'],
    ['ada@example.com\nBob', '"Bob" is not an email address'],
    ['Ada ada@example.com bob@example.org', 'is unclear'],
    ['Eve <eve@example.com>\u0000 <x@example.com>', 'is unclear'],
    [`${'x'.repeat(101)} <ada@example.com>`, 'at most 100'],
  ])('refuses %j', (text, sentence) => {
    expect(() => parsePeople(text)).toThrow(sentence);
  });

  test('is refused with its size if it is too long, without parsing it', () => {
    const listOf = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@example.com`).join('\n');
    expect(parsePeople(listOf(MAX_PEOPLE))).toHaveLength(MAX_PEOPLE);
    expect(() => parsePeople(listOf(10_000))).toThrow('The list has 10,000 addresses; at most 100 people');
    expect(() => parsePeople('"'.repeat(100_000))).toThrow('characters; at most');
  });
});

test('the sentence of an invitation is one line', () => {
  expect(parseNote(' See you there! ')).toBe('See you there!');
  expect(() => parseNote('See you\r\nBcc: eve@example.com')).toThrow('The message');
  expect(() => parseNote('x'.repeat(301))).toThrow('at most 300');
});
