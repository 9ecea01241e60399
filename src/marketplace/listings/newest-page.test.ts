import { expect, test } from 'vitest';
import { cardsForPage, newestPage } from './newest-page.ts';

const SIZE = 6;

/** Each letter of `text` is a card; the same letter means the same owner. An upper-case card has an open offer. */
const pagesOf = (text: string): string[] => {
  const cards = [...text].map((name, at) => ({
    name,
    at,
    account_id: name.toLowerCase(),
    is_open: name === name.toLowerCase() ? 0 : 1,
  }));
  const pages = Array.from({ length: Math.ceil(text.length / SIZE) }, (_, at) =>
    newestPage(cards.slice(0, cardsForPage(at + 1, SIZE)), at + 1, SIZE),
  );
  expect(new Set(pages.flat().map(({ at }) => at)).size).toBe(text.length);
  return pages.map((page) => page.map(({ name }) => name).join(''));
};

test.each([
  ['cards of different owners keep their order', 'ABCDEFGHIJ', ['ABCDEF', 'GHIJ']],
  ['a page has up to three cards of the same owner', 'AAABCDEF', ['AAABCD', 'EF']],
  [
    'the fourth and later cards of an owner move to the next page, before older cards',
    'AAAAABCDEFG',
    ['AAABCD', 'AAEFG'],
  ],
  ['cards of one owner fill a page if other owners have too few', 'AAAAAAAAB', ['AAABAA', 'AAA']],
  ['a card with an open offer stays before cards without one', 'AAAAABbcd', ['AAABAA', 'bcd']],
  ['cards without an open offer fill the rest of the page', 'AAAAbc', ['AAAAbc']],
  ['cards without an open offer are reordered only among themselves', 'Aaaaabcd', ['Aaabcd', 'aa']],
] as const)('%s', (_, cards, pages) => {
  expect(pagesOf(cards)).toEqual(pages);
});

test('a page is filled even if the look-ahead finds cards of only one owner', () => {
  const pages = pagesOf(`${'A'.repeat(400)}B`);
  expect(pages[0]).toBe('AAAAAA');
  expect(pages.join('').length).toBe(401);
});
