import { describe, expect, test } from 'vitest';
import { parseHeader, parseRow } from './import-row.ts';

const OFFER = '01934e2d-5678-7abc-8def-0123456789ab';
const NOW = Date.parse('2026-11-20T10:00:00Z');
const ALL = parseHeader('token,offer,via,claimant,claimed_at,redeemed_at');

describe('parseHeader', () => {
  test('accepts the known columns in any order', () => {
    expect(parseHeader('"offer", token')).toEqual({ columns: ['offer', 'token'], separator: ',' });
  });

  test.each([
    ['token,offer,email', /unknown column "email"/],
    ['token|offer', /unknown column "token|offer"/],
    ['token,,offer', /unknown column ""/],
    ['t\0o\0k\0e\0n\0', /“CSV UTF-8”/],
    ['token,offer,via,token', /the column "token" twice/],
    ['offer', /lacks the column "token"/],
    ['token', /lacks the column "offer"/],
    ['', /unknown column ""/],
  ])('rejects %j', (line, reason) => {
    expect(() => parseHeader(line)).toThrow(reason);
  });
});

describe('parseRow', () => {
  test('parses quoted cells, empty cells and times with any UTC offset', () => {
    const line = `abc-1234,${OFFER.toUpperCase()},spring,"O'Hara, ""Al""",2026-11-20T10:30:00.5+01:00,2026-11-20T09:30:01Z`;
    expect(parseRow(ALL, line, NOW)).toEqual({
      token: 'abc-1234',
      offerId: OFFER,
      via: 'spring',
      claimant: 'O\'Hara, "Al"',
      claimedAt: '2026-11-20T09:30:00.500Z',
      redeemedAt: '2026-11-20T09:30:01.000Z',
    });
    const none = { via: null, claimant: null, claimedAt: null, redeemedAt: null };
    const bare = parseRow(ALL, `abc-1234,${OFFER},,,,`, NOW);
    expect(bare).toEqual({ token: 'abc-1234', offerId: OFFER, ...none });
  });

  test.each([
    [`abc-1234,${OFFER}`, /has 2 cells; the header has 6/],
    [`,${OFFER},,,,`, /token is empty/],
    ['abc-1234,,,,,', /offer is empty/],
    ['abc-1234,nonsense,,,,', /offer must be an offer id, a UUID; found "nonsense"/],
    [`short,${OFFER},,,,`, /5 characters/],
    [`clm_abcdefgh,${OFFER},,,,`, /starts with "clm_"/],
    [`abc 1234,${OFFER},,,,`, /another character/],
    [`abc-1234,${OFFER},Spring,,,`, /campaign label/],
    [`abc-1234,${OFFER},,a\u0007b,,`, /control character/],
    [`abc-1234,${OFFER},,${'x'.repeat(201)},,`, /201 characters/],
    [`abc-1234,${OFFER},,,yesterday,`, /claimed_at must be a time like/],
    [`abc-1234,${OFFER},,,2026-02-30T00:00:00Z,`, /claimed_at must be a time like/],
    [`abc-1234,${OFFER},,,2026-11-20T10:00:00,`, /claimed_at must be a time like/],
    [`abc-1234,${OFFER},,,2026-11-20T10:00:01Z,`, /claimed_at is in the future/],
    [`abc-1234,${OFFER},,,,2026-11-20T10:00:01Z`, /redeemed_at is in the future/],
    [`abc-1234,${OFFER},,,2026-11-20T09:00:00Z,2026-11-20T08:00:00Z`, /is before claimed_at/],
    [`"abc-1234,${OFFER},,,,`, /row has an unmatched quote/],
  ])('rejects %j', (line, reason) => {
    expect(() => parseRow(ALL, line, NOW)).toThrow(reason);
  });

  test('does not repeat the token in the error message', () => {
    expect(() => parseRow(ALL, `secret!token,${OFFER},,,,`, NOW)).toThrow(/^((?!secret).)*$/);
  });
});
