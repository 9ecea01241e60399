import { expect, test } from 'vitest';
import { searchWords } from './card.ts';

test.each([
  ['"Lumen Notes"', ['lumen', 'notes']],
  ['„Lumen“, Notes!', ['lumen', 'notes']],
  ['«lumen» (notes)', ['lumen', 'notes']],
  ['lumen* notes…', ['lumen', 'notes']],
  ['\u200blumen\ufeff', ['lumen']],
  ['C++ .NET 100% node.js l’app', ['c++', '.net', '100%', 'node.js', 'l’app']],
  ['?', ['?']],
  [' ', []],
])('a search for %j looks for %j', (query, words) => {
  expect(searchWords(query)).toEqual(words);
});
