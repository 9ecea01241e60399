import { expect, test } from 'vitest';
import { uuidv7 } from '../platform/store/uuid.ts';
import { parseShortId, rangesOfShortId, readShortId, shortClaimId } from './short-id.ts';

const ID = '019a9f6d-0b1c-7f00-8d33-5a1b2c3d4e5f';
const SHORT_ID = shortClaimId(ID);

test('a short ID has eight letters and digits that cannot be confused', () => {
  expect(SHORT_ID).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
});

test('the ranges of a short ID contain the ID that it was derived from', () => {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const times = ['2024-01-01', '2026-11-29', '2030-06-30', '2038-12-31', '2047-05-05', '2056-02-29'];
  for (const id of times.map((day) => uuidv7({ now: () => Date.parse(day), random }))) {
    const { ranges, tail } = rangesOfShortId(shortClaimId(id));
    expect(ranges.filter(({ from, to }) => id >= from && id < to)).toHaveLength(1);
    expect(id.endsWith(tail)).toBe(true);
  }
});

test('claims of the same moment differ in all parts of their short IDs', () => {
  const next = shortClaimId('019a9f6d-0b1c-7f01-8d33-5a1b2c3d4e60');
  const [here, there] = [SHORT_ID, next].map((shortId) => [...shortId.replace('-', '')]);
  expect(here!.filter((letter, at) => letter === there![at]).length).toBeLessThan(4);
});

test.each([
  ['as it is shown', SHORT_ID],
  ['in lower case', SHORT_ID.toLowerCase()],
  ['without the hyphen', SHORT_ID.replace('-', '')],
  ['with spaces', ` ${SHORT_ID.replace('-', ' ')} `],
  ['with letters in place of digits', SHORT_ID.replaceAll('0', 'o').replaceAll('1', 'l')],
])('a short ID is read %s', (_, typed) => {
  expect(readShortId(typed)).toBe(SHORT_ID);
});

test.each(['', 'notes', 'U234-5678', `${SHORT_ID}9`, ID, '4F7K-2M9', 'clm_4F7K2M9Q', 'ünfug-12'])(
  '%j is not a short ID',
  (typed) => {
    expect(readShortId(typed)).toBeNull();
    expect(() => parseShortId(typed)).toThrow('A short ID has eight letters and digits');
  },
);
