import { expect, test } from 'vitest';
import { cardsForPage, newestPage } from './newest-page.ts';

const SIZE = 6;

/** Cards as text: the letter is the owner, a capital has an open offer. */
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
  ['different owners stay in order', 'ABCDEFGHIJ', ['ABCDEF', 'GHIJ']],
  ['three of one owner may be on a page', 'AAABCDEF', ['AAABCD', 'EF']],
  ['the rest of them move to the next page, ahead of older cards', 'AAAAABCDEFG', ['AAABCD', 'AAEFG']],
  ['they fill what nobody else needs', 'AAAAAAAAB', ['AAABAA', 'AAA']],
  ['an open offer is not moved behind a closed one', 'AAAAABbcd', ['AAABAA', 'bcd']],
  ['and closed ones follow it on its page', 'AAAAbc', ['AAAAbc']],
  ['closed ones are reordered only among themselves', 'Aaaaabcd', ['Aaabcd', 'aa']],
] as const)('%s', (_, cards, pages) => {
  expect(pagesOf(cards)).toEqual(pages);
});

test('an owner with more apps than the look-ahead covers also fills the rest of the page', () => {
  const pages = pagesOf(`${'A'.repeat(400)}B`);
  expect(pages[0]).toBe('AAAAAA');
  expect(pages.join('').length).toBe(401);
});
