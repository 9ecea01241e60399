import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LISTING_FIELDS, parseListingUrl, parseSlug, suggestSlug } from './fields.ts';
import {
  LISTING_ACTIONS,
  LISTING_STATES,
  type ListingAction,
  type ListingState,
  transition,
} from './listing.ts';
import { reviewLink } from './review.ts';

/** State, action, actor, next state. Every other combination of state and action is rejected. */
const TABLE: readonly (readonly [ListingState, ListingAction, 'owner' | 'operator', ListingState])[] = [
  ['draft', 'submit', 'owner', 'pending'],
  ['pending', 'approve', 'operator', 'approved'],
  ['pending', 'request_changes', 'operator', 'changes_requested'],
  ['pending', 'reject', 'operator', 'rejected'],
  ['changes_requested', 'submit', 'owner', 'pending'],
  ['approved', 'withdraw', 'owner', 'withdrawn'],
  ['approved', 'suspend', 'operator', 'suspended'],
  ['withdrawn', 'submit', 'owner', 'pending'],
  ['suspended', 'lift', 'operator', 'approved'],
];

const ACTIONS = Object.keys(LISTING_ACTIONS) as ListingAction[];
const PAIRS = LISTING_STATES.flatMap((state) => ACTIONS.map((action) => [state, action] as const));

test.each(PAIRS)('transition(%j, %j) returns the next state in the table or throws', (state, action) => {
  const row = TABLE.find(([from, by]) => from === state && by === action);
  if (row) {
    expect(transition(state, action)).toBe(row[3]);
    expect(LISTING_ACTIONS[action].by).toBe(row[2]);
  } else {
    expect(() => transition(state, action)).toThrow(
      /^A listing whose state is .* cannot be .*; its state must be .*\.$/,
    );
  }
});

test('the error for a rejected action names the current and the required state', () => {
  expect(() => transition('changes_requested', 'approve')).toThrow(
    'A listing whose state is changes requested cannot be approved; its state must be pending.',
  );
});

test('only requesting changes and rejecting a listing require a reason', () => {
  const reasoned = ACTIONS.filter((action) => LISTING_ACTIONS[action].needsReason);
  expect(reasoned).toEqual(['request_changes', 'reject']);
});

test('a slug of lowercase letters, digits and single hyphens is accepted', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/, { maxLength: 64 }), (slug) => {
      fc.pre(slug.length >= 3);
      expect(parseSlug(slug)).toBe(slug);
    }),
  );
  expect(parseSlug('x'.repeat(64))).toHaveLength(64);
});

test.each([
  ['', 'has 0 characters'],
  ['ab', 'has 2 characters; it must have 3 to 64'],
  ['x'.repeat(65), 'has 65 characters'],
  ['Shop', 'only lowercase letters, digits and hyphens'],
  ['my_shop', 'hyphens; found "my_shop"'],
  ['my shop', 'only'],
  ['shop\n', 'only'],
  ['café', 'only'],
  ['../etc', 'only'],
  ['-shop', 'begin or end with a hyphen'],
  ['shop-', 'begin or end with a hyphen'],
  ['my--shop', 'two in a row'],
  ['---', 'begin or end'],
])('%j is rejected as a slug', (text, reason) => {
  expect(() => parseSlug(text)).toThrow(reason);
});

test.each([
  ['Ada Notes', 'ada-notes'],
  ['  Größe & Maß! ', 'groesse-mass'],
  ['Café  Über—Uns', 'cafe-ueber-uns'],
  ['東京', ''],
  ['x'.repeat(70), 'x'.repeat(64)],
  [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
])('the suggested slug for %j is %j', (name, slug) => {
  expect(suggestSlug(name)).toBe(slug);
  if (slug !== '') expect(parseSlug(suggestSlug(name))).toBe(slug);
});

test('listing names and URLs are validated and normalized', () => {
  expect(LISTING_FIELDS.name.parse(' Ada’s Shop ')).toBe('Ada’s Shop');
  expect(() => LISTING_FIELDS.name.parse('')).toThrow('The name is empty.');
  expect(parseListingUrl('https://shop.example:443/app?x=1#top')).toEqual({
    url: 'https://shop.example:443/app?x=1#top',
    origin: 'https://shop.example',
  });
  expect(parseListingUrl('http://localhost:8080').origin).toBe('http://localhost:8080');
  expect(parseListingUrl('shop.example').url).toBe('https://shop.example');
  expect(parseListingUrl('shop.example:8443/app?x=1').url).toBe('https://shop.example:8443/app?x=1');
});

test.each([
  ['http://shop.example', 'http is only for localhost'],
  ['javascript:alert(1)', 'must start with https://'],
  ['https://ada@shop.example', 'user information'],
  ['https://shop.example/{claim}', 'write it as %7B'],
  ['shop', 'must be a full address'],
  ['localhost:3000', 'must start with https://'],
])('%j is rejected as a listing URL', (text, reason) => {
  expect(() => parseListingUrl(text)).toThrow(`The website`);
  expect(() => parseListingUrl(text)).toThrow(reason);
});

test('the review of a redemption link includes warnings about the link', () => {
  const check = reviewLink('offer', 'https://localhost/w?claim=x{claim}', 'https://localhost');
  expect(check.problems).toEqual([]);
  expect(check.warnings.map(String)).toEqual(
    [/localhost can be reached only/, /more than the token/].map((part) => expect.stringMatching(part)),
  );
  expect(reviewLink('offer', 'https://shop.example/w?claim={claim}', null).warnings).toEqual([]);
});
