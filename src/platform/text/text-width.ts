/** Estimates the width of text in badges and posters, which are drawn on the server. */

/** Widths of printable ASCII characters in Arial, Helvetica and Liberation Sans, in thousandths of the font size. */
const ASCII =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
    .split(' ')
    .map(Number);

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u{20000}-\u{3fffd}]/u;
const WIDE_WIDTH = 1050;
/** Width of all other visible letters. Most are narrower. */
const OTHER_WIDTH = 640;
/** Width of a vowel sign that takes up space next to its letter, as in Devanagari. */
const SPACING_SIGN_WIDTH = 300;
const INVISIBLE = /^[\p{M}\p{Cf}]$/u;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits text into grapheme clusters. */
export const charactersOf = (text: string): readonly string[] =>
  Array.from(characters.segment(text), ({ segment }) => segment);

/** Returns the width in thousandths of the font size. */
export const textWidth = (text: string): number =>
  charactersOf(text).reduce((width, character) => width + characterWidth(character), 0);

function characterWidth(character: string): number {
  // An accented letter is as wide as the plain letter.
  const base = character.normalize('NFD');
  const code = base.charCodeAt(0);
  if (code >= 32 && code < 127) return ASCII[code - 32]!;
  if (WIDE.test(character)) return WIDE_WIDTH;
  if (INVISIBLE.test(base)) return 0;
  const [letters, signs] = [/\p{L}/gu, /\p{Mc}/gu].map((kind) => character.match(kind)?.length ?? 0);
  return Math.max(1, letters!) * OTHER_WIDTH + signs! * SPACING_SIGN_WIDTH;
}

/** Truncates text to at most `most` characters, including the ellipsis. */
export function shortened(text: string, most: number): string {
  const all = charactersOf(text);
  return all.length <= most
    ? text
    : `${all
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
