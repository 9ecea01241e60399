import { expect, test } from 'vitest';
import { KINDS, offerTakesClaims, parseCode, parseKind, parseOfferText, requireLinkOrCode } from './offer.ts';

test('a kind is one of the six', () => {
  expect(KINDS).toEqual(['discount', 'trial', 'credit', 'bonus', 'access', 'gift']);
  for (const kind of KINDS) expect(parseKind(kind)).toBe(kind);
  for (const kind of ['', 'Discount', 'coupon', '__proto__', 'discount ']) {
    expect(() => parseKind(kind)).toThrow('The kind of an offer is one of discount, trial');
  }
});

test('offer texts are one line of at most 200 characters', () => {
  expect(parseOfferText(' 30 % off "Pro" ')).toBe('30 % off "Pro"');
  expect(parseOfferText('x'.repeat(200))).toHaveLength(200);
  expect(() => parseOfferText('x'.repeat(201))).toThrow('The offer text has 201 characters');
  expect(() => parseOfferText(' ')).toThrow('The offer text is empty.');
  expect(() => parseOfferText('a\u0007b')).toThrow('the control character U+0007');
});

test('shared codes are visible characters without spaces', () => {
  for (const code of ['SAVE30', 'été-2026', '%', 'x'.repeat(64)]) expect(parseCode(code)).toBe(code);
  for (const code of ['', 'x'.repeat(65), 'SAVE 30', 'SAVE\t30', 'SAVE\u200b30', 'SAVE\u00a030']) {
    expect(() => parseCode(code)).toThrow(/^The shared code /);
  }
});

test('an offer has a link, a code, or both', () => {
  expect(() => requireLinkOrCode('https://…', null)).not.toThrow();
  expect(() => requireLinkOrCode(null, 'SAVE30')).not.toThrow();
  expect(() => requireLinkOrCode(null, null)).toThrow('needs a redemption link, a shared code, or both');
});

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const at = (ms: number): string => new Date(NOW + ms).toISOString();
const OPEN = { inReview: false, pausedAt: null, endsAt: null, claimLimit: null };

test.each([
  ['no limits', OPEN, 'approved', 1_000_000, null],
  ['end date ahead', { ...OPEN, endsAt: at(1) }, 'approved', 0, null],
  ['end date now', { ...OPEN, endsAt: at(0) }, 'approved', 0, 'ended at 2026-11-20T10:00:00.000Z'],
  ['end date past', { ...OPEN, endsAt: at(-1) }, 'approved', 0, 'The offer is over: it ended'],
  ['one claim left', { ...OPEN, claimLimit: 10 }, 'approved', 9, null],
  ['limit reached', { ...OPEN, claimLimit: 10 }, 'approved', 10, 'all of its 10 claims have been made'],
  ['limit passed', { ...OPEN, claimLimit: 10 }, 'approved', 11, 'all of its 10 claims'],
  ['limit of none', { ...OPEN, claimLimit: 0 }, 'approved', 0, 'all of its 0 claims'],
  ['paused', { ...OPEN, pausedAt: at(-1) }, 'approved', 0, 'its owner has paused it'],
  ['in review', { ...OPEN, inReview: true }, 'approved', 0, 'its redemption link waits for approval'],
  ['draft', OPEN, 'draft', 0, 'it is draft, not approved'],
  ['pending', OPEN, 'pending', 0, 'it is pending, not approved'],
  ['changes requested', OPEN, 'changes_requested', 0, 'it is changes requested, not approved'],
  ['rejected', OPEN, 'rejected', 0, 'it is rejected'],
  ['withdrawn', OPEN, 'withdrawn', 0, 'it is withdrawn'],
  ['suspended', OPEN, 'suspended', 0, 'it is suspended'],
  ['paused on a suspended listing', { ...OPEN, pausedAt: at(-1) }, 'suspended', 0, 'it is suspended'],
] as const)('%s', (_, offer, state, claimsMade, reason) => {
  const intake = offerTakesClaims(offer, { state }, claimsMade, NOW);
  if (reason === null) expect(intake).toEqual({ open: true });
  else expect(intake).toEqual({ open: false, reason: expect.stringContaining(reason) });
});
