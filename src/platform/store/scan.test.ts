import { expect, test } from 'vitest';
import { parseCursor, parseIdCursor, writeCursor } from './scan.ts';

const at = '2026-11-20T10:00:00.000Z';
const id = '01934e2d-5678-7abc-8def-0123456789ab';

test('parsing a cursor returns the position that was written', () => {
  expect(parseCursor(writeCursor({ at, seq: 17 }))).toEqual({ at, seq: 17 });
  expect(parseIdCursor(writeCursor({ at, id }))).toEqual({ at, id });
});

test.each([
  undefined,
  '',
  at,
  `${at}~`,
  `${at}~x`,
  `${at}~1~2`,
  `${at}~${id}~${id}`,
  `${at}~1234567890123456`,
  `2026-11-20~1`,
  `2026-02-30T10:00:00.000Z~1`,
  `2026-02-30T10:00:00.000Z~${id}`,
  `0000-01-01T00:00:00.000Z~${id}`,
])('%j is rejected as a cursor', (text) => {
  expect([parseCursor(text), parseIdCursor(text)]).toEqual([null, null]);
});
