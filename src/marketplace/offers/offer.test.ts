import { expect, test } from 'vitest';
import { inLanguage } from '../../platform/languages/language.ts';
import { wordsOf } from '../../platform/languages/translate.ts';
import { OFFER_FIELDS } from './fields.ts';
import {
  KIND_TEXTS,
  KINDS,
  offerState,
  refusePastEnd,
  refuseStartAfterEnd,
  requireLinkOrCode,
  shownState,
  whyClosed,
} from './offer.ts';

test('the kind of an offer must be in KINDS', () => {
  for (const kind of KINDS) expect(OFFER_FIELDS.kind.parse(kind)).toBe(kind);
  for (const kind of ['', 'Discount', 'coupon', '__proto__', 'discount ']) {
    expect(() => OFFER_FIELDS.kind.parse(kind)).toThrow(
      'The kind of an offer must be one of discount, trial',
    );
  }
});

test('every kind keeps its bit, because stored cards contain it and the front page filters by it', () => {
  const bits = Object.fromEntries(KINDS.map((kind) => [kind, KIND_TEXTS[kind].bit]));
  expect(bits).toMatchObject({ discount: 1, trial: 2, credit: 4, bonus: 8, access: 16, gift: 32 });
  expect(Object.values(bits).toSorted((a, b) => a - b)).toEqual(KINDS.map((_, index) => 2 ** index));
});

test('an offer text has one line of at most 200 characters', () => {
  expect(OFFER_FIELDS.offer.parse(' 30 % off "Pro" ')).toBe('30 % off "Pro"');
  expect(OFFER_FIELDS.offer.parse('x'.repeat(200))).toHaveLength(200);
  expect(() => OFFER_FIELDS.offer.parse('x'.repeat(201))).toThrow('The offer text has 201 characters');
  expect(() => OFFER_FIELDS.offer.parse(' ')).toThrow('The offer text is empty.');
  expect(() => OFFER_FIELDS.offer.parse('a\u0007b')).toThrow('the control character U+0007');
});

test('a shared code has 1 to 64 visible characters and no spaces', () => {
  for (const code of ['SAVE30', 'été-2026', '%', 'x'.repeat(64)])
    expect(OFFER_FIELDS.code.parse(code)).toBe(code);
  for (const code of ['', 'x'.repeat(65), 'SAVE 30', 'SAVE\t30', 'SAVE\u200b30', 'SAVE\u00a030']) {
    expect(() => OFFER_FIELDS.code.parse(code)).toThrow(/^The shared code /);
  }
});

test('an offer requires a redemption link, a shared code or a code list', () => {
  const none = { redemption_link: null, code: null, code_list: null };
  expect(() => requireLinkOrCode({ ...none, redemption_link: 'https://…' })).not.toThrow();
  expect(() => requireLinkOrCode({ ...none, code: 'SAVE30' })).not.toThrow();
  expect(() => requireLinkOrCode({ ...none, code_list: 'close' })).not.toThrow();
  expect(() => requireLinkOrCode(none)).toThrow('needs a redemption link, a shared code or a code list');
  expect(() => requireLinkOrCode({ ...none, code_list: 'shared_code' })).toThrow('Set a shared code');
});

test.each([
  ['2026-11-20', '2026-11-20T23:59:59.999Z'],
  [' 2028-02-29 ', '2028-02-29T23:59:59.999Z'],
  ['2026-11-20T10:00', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20 10:00:30', '2026-11-20T10:00:30.000Z'],
  ['2026-11-20T10:00:30.5Z', '2026-11-20T10:00:30.500Z'],
])('the end date %j is parsed as %s', (text, end) => {
  expect(OFFER_FIELDS.ends_at.parse(text, 'UTC')).toBe(end);
});

test.each([
  ...['', '2026', '20.11.2026', '2026-13-01', '2026-02-30', '2026-11-20T24:30', '2026-11-20T10', 'tomorrow'],
  ...['2026-11-20T10:00+0200', '+002026-11-20', '2026-11-20T10:00:60', '2026-11-20\n'.repeat(2)],
])('%j is rejected as an end date', (text) => {
  expect(() => OFFER_FIELDS.ends_at.parse(text, 'UTC')).toThrow('The end date must be a day such as');
});

test.each([
  ['2026-11-20', '2026-11-19T23:00:00.000Z'],
  ['2026-11-20T10:00', '2026-11-20T09:00:00.000Z'],
  ['2026-11-20 10:00', '2026-11-20T09:00:00.000Z'],
  ['2026-11-20T10:00:30.5Z', '2026-11-20T10:00:30.500Z'],
  // Daylight saving time: 02:30 does not exist on the first day and occurs twice on the second.
  ['2026-03-29T02:30', '2026-03-29T00:30:00.000Z'],
  ['2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
])('the start date %j in Berlin is parsed as %s', (text, start) => {
  expect(OFFER_FIELDS.starts_at.parse(text, 'Europe/Berlin')).toBe(start);
});

test.each(['', '2026', '20.11.2026', '2026-02-30', '2026-11-20T24:30', '2026-11-20T10:00+0200'])(
  '%j is rejected as a start date',
  (text) => {
    expect(() => OFFER_FIELDS.starts_at.parse(text, 'UTC')).toThrow('The start date must be a day such as');
  },
);

test('an offer must start before it ends', () => {
  const end = '2026-11-20T22:59:59.999Z';
  const refuse = (starts_at: string | null, ends_at: string | null) => () =>
    refuseStartAfterEnd({ starts_at, ends_at }, 'Europe/Berlin');
  expect(refuse('2026-11-20T22:59:59.998Z', end)).not.toThrow();
  expect(refuse('2026-11-19T23:00:00.000Z', end)).not.toThrow();
  expect(refuse(end, end)).toThrow('not before its end, 20 Nov 2026, 23:59 CET.');
  expect(refuse('2026-11-20T23:00:00.000Z', end)).toThrow(
    'opens on 21 Nov 2026, 00:00 CET, which is not before',
  );
  expect(refuse('2026-11-21T10:00:00.000Z', null)).not.toThrow();
  expect(refuse(null, end)).not.toThrow();
});

test('a new end date must be in the future', () => {
  expect(() => refusePastEnd('2026-11-20T10:00:00.000Z', { now: NOW, timeZone: 'UTC' })).toThrow(
    'has passed',
  );
  expect(() => refusePastEnd('2026-11-20T10:00:00.001Z', { now: NOW, timeZone: 'UTC' })).not.toThrow();
  expect(() => refusePastEnd(null, { now: NOW, timeZone: 'UTC' })).not.toThrow();
});

test('a claim limit must be an integer from 1 to 10,000,000', () => {
  expect([OFFER_FIELDS.claim_limit.parse('1'), OFFER_FIELDS.claim_limit.parse(' 10000000 ')]).toEqual([
    1, 10_000_000,
  ]);
  for (const text of ['', '0', '-1', '1.5', '1e3', '10000001', '٣', '1 000', '0x10']) {
    expect(() => OFFER_FIELDS.claim_limit.parse(text)).toThrow(
      'The claim limit must be a whole number from 1 to 10,000,000',
    );
  }
});

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const at = (ms: number): string => new Date(NOW + ms).toISOString();
const OPEN = {
  redemption_link: 'https://app.example.com/?claim={claim}',
  code: null,
  code_list: null,
  hidden_since: null,
  paused_at: null,
  starts_at: null,
  ends_at: null,
  claim_limit: null,
  codes_left: 0,
};

test.each([
  ['no limits', OPEN, 'approved', 1_000_000, null],
  ['past start', { ...OPEN, starts_at: at(-1) }, 'approved', 0, null],
  ['start now', { ...OPEN, starts_at: at(0) }, 'approved', 0, null],
  ['future start', { ...OPEN, starts_at: at(1) }, 'approved', 0, 'opens on 20 Nov 2026, 11:00 CET.'],
  [
    'future start at midnight',
    { ...OPEN, starts_at: '2026-11-30T23:00:00.000Z' },
    'approved',
    0,
    'opens on 1 Dec 2026, 00:00 CET.',
  ],
  ['future start, no codes', { ...OPEN, code_list: 'close', starts_at: at(1) }, 'approved', 0, 'opens on'],
  [
    'future start, paused offer',
    { ...OPEN, starts_at: at(1), paused_at: at(-1) },
    'approved',
    0,
    'has paused it',
  ],
  [
    'future start, draft listing',
    { ...OPEN, starts_at: at(1) },
    'draft',
    0,
    'its state is draft, not approved',
  ],
  ['future end', { ...OPEN, ends_at: at(1) }, 'approved', 0, null],
  ['end now', { ...OPEN, ends_at: at(0) }, 'approved', 0, 'ended on 20 Nov 2026, 11:00 CET'],
  ['past end', { ...OPEN, ends_at: at(-1) }, 'approved', 0, 'The offer is over: it ended'],
  ['one claim left', { ...OPEN, claim_limit: 10 }, 'approved', 9, null],
  [
    'claim limit reached',
    { ...OPEN, claim_limit: 10 },
    'approved',
    10,
    'all of its 10 claims have been made',
  ],
  ['claim limit exceeded', { ...OPEN, claim_limit: 10 }, 'approved', 11, 'all of its 10 claims'],
  ['one code left', { ...OPEN, code_list: 'close', codes_left: 1 }, 'approved', 0, null],
  [
    'no codes left',
    { ...OPEN, code_list: 'close', codes_left: 0 },
    'approved',
    0,
    'All codes have been given out.',
  ],
  ['paused offer', { ...OPEN, paused_at: at(-1) }, 'approved', 0, 'its owner has paused it'],
  ['link in review', { ...OPEN, redemption_link: null }, 'approved', 0, 'it has not been approved'],
  ['draft listing', OPEN, 'draft', 0, 'its state is draft, not approved'],
  ['changes requested', OPEN, 'changes_requested', 0, 'its state is changes requested, not approved'],
  ['suspended listing', OPEN, 'suspended', 0, 'its state is suspended'],
  [
    'paused offer of a suspended listing',
    { ...OPEN, paused_at: at(-1) },
    'suspended',
    0,
    'its state is suspended',
  ],
] as const)('whyClosed returns the reason, if any: %s', (_, offer, state, claims, reason) => {
  const why = whyClosed({ ...offer, claims }, state, { now: NOW, timeZone: 'Europe/Berlin' });
  if (reason === null) expect(why).toBeNull();
  else expect(String(why)).toContain(reason);
});

test('the reason why a listing takes no claims is translated', () => {
  const why = whyClosed({ ...OPEN, claims: 0 }, 'withdrawn', { now: NOW, timeZone: 'Europe/Berlin' });
  expect(inLanguage('de', () => wordsOf(why))).toContain('ist zurückgezogen');
});

test('an offer is scheduled until its start, even if its claim limit is already reached', () => {
  const scheduled = { ...OPEN, starts_at: at(1), claims: 0 };
  expect(offerState(scheduled, NOW)).toBe('scheduled');
  expect(offerState(scheduled, NOW + 1)).toBe('open');
  expect(offerState({ ...scheduled, claim_limit: 1, claims: 1 }, NOW)).toBe('scheduled');
  expect(offerState({ ...scheduled, ends_at: at(0) }, NOW)).toBe('over');
  const states = ['approved', 'pending', 'withdrawn', 'suspended', 'rejected'];
  const shownStates = states.map((state) => shownState(scheduled, state, NOW));
  expect(shownStates.join(' ')).toBe('scheduled scheduled scheduled closed closed');
});
