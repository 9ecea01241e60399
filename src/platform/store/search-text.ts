/** Searches for text that people type. */
import { type RawBuilder, sql } from 'kysely';
import { foldCase } from '../text/fold-case.ts';

/** Removes control characters, trims the text and truncates it to `maxLength`. */
export const searchText = (typed: string, maxLength: number): string =>
  typed
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxLength);

/** Pattern for `like … escape '\\'` that matches strings containing `text`. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

interface Foldings {
  /** Regular expression of PostgreSQL for combining marks. */
  readonly marks: string;
  /** Letters that neither normalization nor `lower` folds in every locale, and what `foldCase` makes of them. */
  readonly letters: readonly (readonly [string, string])[];
}

const LAST_CODE = 0xffff;
const MARK = /\p{M}/u;
const SURROGATE = /\p{Cs}/u;

/** Computed for the first search, because it takes milliseconds. */
let foldings: Foldings | null = null;

function computeFoldings(): Foldings {
  const ranges: { first: number; last: number }[] = [];
  const letters: [string, string][] = [];
  for (let code = 0x80; code <= LAST_CODE; code += 1) {
    const character = String.fromCharCode(code);
    if (MARK.test(character)) {
      const range = ranges.at(-1);
      if (range?.last === code - 1) range.last = code;
      else ranges.push({ first: code, last: code });
    } else if (!SURROGATE.test(character) && character.normalize('NFKD') === character) {
      const folded = foldCase(character);
      if (folded !== character && folded !== '') letters.push([character, folded]);
    }
  }
  const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
  const marks = `[${ranges.map(({ first, last }) => `${escaped(first)}-${escaped(last)}`).join('')}]`;
  return { marks, letters };
}

/**
 * On PostgreSQL, whether the text contains the word without regard to case and accents, as `foldCase` folds them. Only
 * letters of the word are folded, because `translate` compares with each letter.
 */
export function containsFolded(text: RawBuilder<unknown>, word: string): RawBuilder<boolean> {
  foldings ??= computeFoldings();
  const used = foldings.letters.filter(([, folded]) => [...folded].some((letter) => word.includes(letter)));
  const single = used.filter(([, folded]) => folded.length === 1);
  const [from, to] = [0, 1].map((i) => single.map((pair) => pair[i]).join(''));
  let folded = sql`lower(regexp_replace(normalize(${text}, NFKD), ${foldings.marks}, '', 'g'))`;
  for (const [letter, several] of used)
    if (several.length > 1) folded = sql`replace(${folded}, ${letter}, ${several})`;
  if (single.length > 0) folded = sql`translate(${folded}, ${from}, ${to})`;
  return sql<boolean>`${folded} like ${containing(word)} escape '\\'`;
}
