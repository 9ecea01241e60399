import * as marked from 'marked';
import { describe, expect, test } from 'vitest';
import { parsePage } from './markdown.ts';
import {
  indexOf,
  MAX_FOUND,
  MAX_FOUND_ON_PAGE,
  MAX_MISTYPED_LENGTH,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  queryWords,
  search,
  termOf,
} from './search.ts';

const page = (path: string, markdown: string) => ({ path, ...parsePage(markdown, marked) });

const INDEX = await indexOf([
  page(
    '/docs/retries',
    '# Safe retries\n\nA lost answer loses nothing.\n\n## How to choose the key\n\nOne key per order.\n\n```sh\nsecretword\n```',
  ),
  page(
    '/docs/keys',
    '# API keys\n\nA key belongs to an account.\n\n## Roll\n\n| step | what |\n|---|---|\n| 1 | a new key |',
  ),
]);

const hrefsOf = (query: string) => search(INDEX, query).map(({ href }) => href);

describe('search', () => {
  test('finds a section by words in its heading, its text or the title of its page', () => {
    expect(hrefsOf('choose')).toEqual(['/docs/retries#how-to-choose-the-key']);
    expect(hrefsOf('retries order')).toEqual(['/docs/retries#how-to-choose-the-key']);
    expect(hrefsOf('step')).toEqual(['/docs/keys#roll']);
  });

  test('ranks a match in a page title or a section heading first', () => {
    expect(hrefsOf('safe retries')[0]).toBe('/docs/retries');
    expect(hrefsOf('keys')[0]).toBe('/docs/keys');
    expect(hrefsOf('roll')[0]).toBe('/docs/keys#roll');
  });

  test('ranks a match of a whole word before a match of a prefix', async () => {
    const texts = ['The keyboard.', 'The key.'];
    const index = await indexOf(texts.map((text, at) => page(`/docs/${at}`, `# Page\n\nA lead.\n\n${text}`)));
    expect(search(index, 'key').map(({ href }) => href)).toEqual(['/docs/1', '/docs/0']);
  });

  test('returns nothing if a query word occurs nowhere or only in code, or if the query has no words', () => {
    for (const query of ['choose elsewhere', 'secretword', '', '.*', '('])
      expect(hrefsOf(query), query).toEqual([]);
  });

  test('finds words with another ending, and marks them', () => {
    expect(hrefsOf('choosing keys')).toEqual(['/docs/retries#how-to-choose-the-key']);
    const [hit] = search(INDEX, 'choosing');
    expect(hit?.heading?.filter(({ isMarked }) => isMarked)).toEqual([{ text: 'choose', isMarked: true }]);
  });

  test.each([
    ['retry', 'retries', 'retried', 'retrying'],
    ['key', 'keys'],
    ['use', 'uses'],
    ['stop', 'stopped', 'stopping'],
    ['access', 'accesses'],
    ['scale', 'scales', 'scaled', 'scaling'],
    ['code', 'codes'],
    ['string', 'strings'],
  ])('%s: the index has one term for a word and its endings', (word, ...others) => {
    expect(others.map(termOf)).toEqual(others.map(() => termOf(word)));
  });

  test('finds words with typing errors, except in short words and in words that occur', () => {
    expect(hrefsOf('acount')).toEqual(['/docs/keys']);
    expect(hrefsOf('acocunt')).toEqual(['/docs/keys']);
    expect(hrefsOf('kex')).toEqual([]);
    expect(hrefsOf('lost')).toEqual(['/docs/retries']);
    expect(hrefsOf('los')).toEqual(['/docs/retries']);
  });

  test('finds no words with typing errors that are longer than any that people type', async () => {
    const long = 'ab'.repeat(MAX_MISTYPED_LENGTH / 2);
    const index = await indexOf([page('/docs/long', `# Long\n\n${long} ${long}c`)]);
    const hitsFor = (word: string) => search(index, word).length;
    expect([hitsFor(`x${long.slice(1)}`), hitsFor(`x${long.slice(1)}c`), hitsFor(`${long}c`)]).toEqual([
      1, 0, 1,
    ]);
  });

  test('marks the query words in the heading and the excerpt', () => {
    const [{ heading, excerpt } = { heading: null, excerpt: [] }] = search(INDEX, 'CHOOSE key');
    expect(heading?.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual(['choose', 'key']);
    expect(excerpt.map(({ text }) => text).join('')).toBe('One key per order.');
    expect(excerpt[1]).toEqual({ text: 'key', isMarked: true });
  });

  test('shortens a long text to an excerpt around the match', async () => {
    const long = await indexOf([
      page('/docs/long', `# Long\n\n${'far '.repeat(100)}needle ${'away '.repeat(100)}`),
    ]);
    const text = search(long, 'needle')[0]!
      .excerpt.map((piece) => piece.text)
      .join('');
    expect(text).toMatch(/^… far .* needle away .* …$/);
    expect(text.length).toBeLessThan(300);
  });

  test('limits the length of a query and the number of results', async () => {
    expect(queryWords('x '.repeat(500) + 'y'.repeat(MAX_QUERY_LENGTH))).toEqual(['x']);
    expect(queryWords('a b c d e f g h i j')).toHaveLength(MAX_QUERY_WORDS);
    const indexOfMany = await indexOf(
      Array.from({ length: MAX_FOUND }, (_, at) =>
        page(`/docs/${at}`, `# Many\n\nSome.\n\n${'## Part\n\nword\n\n'.repeat(MAX_FOUND_ON_PAGE + 1)}`),
      ),
    );
    const all = search(indexOfMany, 'word');
    expect(all).toHaveLength(MAX_FOUND);
    expect(all.filter(({ href }) => href.startsWith('/docs/0#'))).toHaveLength(MAX_FOUND_ON_PAGE);
  });
});
