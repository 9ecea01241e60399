/** Folds case and accents, so that searches return the same results on all database engines. */

/** Replacements for letters that Unicode normalization does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const ANY_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

const ASCII = /^[ -~]*$/;

export const foldCase = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase().replace(/ +/g, ' ').trim() : foldLetters(text);

const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(ANY_LETTER, (letter) => LETTERS[letter]!)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
