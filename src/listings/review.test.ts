import { expect, it } from 'vitest';
import { reviewLink } from './review.ts';

it('a link of an offer is reviewed with the warnings that its owner saw', () => {
  const check = reviewLink('offer', 'https://localhost/w?claim=x{claim}', 'https://localhost');
  expect(check).toMatchObject({
    problems: [],
    warnings: [/reaches localhost/, /more than the token/].map((part) => expect.stringMatching(part)),
  });
  expect(reviewLink('offer', 'https://shop.example/w?claim={claim}', null).warnings).toEqual([]);
});
