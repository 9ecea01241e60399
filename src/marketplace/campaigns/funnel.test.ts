import { expect, test } from 'vitest';
import { rated } from './funnel.ts';

test.each([
  ['half of the claims with a link', { claims: 6, code_claims: 4, redeemed: 1 }, 2, 0.5],
  ['only codes', { claims: 3, code_claims: 3, redeemed: 0 }, 0, 0],
  ['claims from before the period', { claims: 1, code_claims: 1, redeemed: 2 }, 2, 1],
])('rated() divides redemptions by the claims with a link: %s', (_, counts, redeemable, rate) => {
  expect(rated(counts)).toEqual({ redeemable, rate });
});
