import { expect, test } from 'vitest';
import { timeParameter } from './query-parameters.ts';

const parameter = timeParameter('Since when.');
const parsed = (query: string) => parameter.parse(new URLSearchParams(`at=${query}`).get('at'));

test.each([
  '2026-11-20T10:00:00Z',
  '2026-11-20T10:00:00.000000Z',
  '2026-11-20T11:00:00%2B01:00',
  // Many clients don't encode the plus sign, so it arrives as a space.
  '2026-11-20T11:00:00+01:00',
  '2026-11-20T04:00-06:00',
])('the time %s in a query is understood', (query) => {
  expect(parsed(query)).toBe('2026-11-20T10:00:00.000Z');
});

test.each(['2026-11-20', '2026-11-20T10:00', '2026-02-30T10:00Z', '2026-11-20T10:00+1'])(
  'the time %s in a query is refused',
  (query) => {
    expect(() => parsed(query)).toThrow('must be a time such as');
  },
);
