/** The fonts for generated pictures (`src/pictures/fonts/`) draw a character without a glyph as a box. */

import { charactersOf } from '../../text/text-width.ts';

/** The characters in the fonts, from Latin to Georgian. A test compares this pattern with the fonts. */
export const DRAWABLE =
  /^[\u0020-\u007e\u00a0-\u0377\u037a-\u037e\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0525\u0531-\u0556\u0559-\u055f\u0561-\u0587\u0589\u058a\u05b0-\u05c3\u05c6\u05c7\u05d0-\u05ea\u060c\u0615\u061b\u061f\u0621-\u063a\u0640-\u0655\u0660-\u0670\u0674\u0679-\u06bf\u06c6-\u06c8\u06cb\u06cc\u06ce\u06d0\u06d5\u06f0-\u06f9\u10d0-\u10fc\u1e00-\u1f15\u2010-\u2027\u2030-\u205e\u20a0-\u20b5\u20b8-\u20ba\u20bd\u2100-\u2109\u210b-\u2149\u2150-\u2186\u2190-\u22ff\u2500-\u25ff\u2605\u2606\u2713-\u2718\u2764]+$/u;
const LETTER = /[\p{L}\p{N}]/u;

/** The share of a text's letters and digits that must be drawable: with less, what remains might be misleading. */
const LEAST_SHARE = 0.7;

/** The text without characters that can't be drawn, such as emoji; `null` if too little of the text would remain. */
export function drawable(text: string): string | null {
  const letters = { all: 0, drawn: 0 };
  let drawn = '';
  for (const character of charactersOf(text.normalize('NFC'))) {
    // Mathematical letters and full-width forms are drawn as the plain characters they are variants of.
    const found = [character, character.normalize('NFKC')].find((each) => DRAWABLE.test(each));
    if (LETTER.test(character)) {
      letters.all += 1;
      if (found !== undefined) letters.drawn += 1;
    }
    drawn += found ?? ' ';
  }
  const words = drawn.replace(/\s+/g, ' ').trim();
  return letters.drawn === 0 || letters.drawn < letters.all * LEAST_SHARE ? null : words;
}
