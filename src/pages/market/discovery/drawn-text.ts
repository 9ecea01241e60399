/** Lays out text in SVG drawings: breaks lines, truncates, and right-aligns right-to-left scripts. */

import { withoutTail } from '../../../platform/text/text.ts';
import { charactersOf, textWidth } from '../../../platform/text/text-width.ts';
import { escapeXml } from '../../../platform/text/xml.ts';

/**
 * The characters that the fonts of the build contain (`src/marketplace/pictures/fonts/`). A test compares this pattern with
 * the fonts. Characters without a glyph would be drawn as boxes.
 */
export const DRAWABLE =
  /^[\u0020-\u007e\u00a0-\u0377\u037a-\u037e\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0525\u0531-\u0556\u0559-\u055f\u0561-\u0587\u0589\u058a\u05b0-\u05c3\u05c6\u05c7\u05d0-\u05ea\u060c\u0615\u061b\u061f\u0621-\u063a\u0640-\u0655\u0660-\u0670\u0674\u0679-\u06bf\u06c6-\u06c8\u06cb\u06cc\u06ce\u06d0\u06d5\u06f0-\u06f9\u0900-\u097f\u0e01-\u0e3a\u0e3f-\u0e5b\u10d0-\u10fc\u1e00-\u1f15\u2010-\u2027\u2030-\u205e\u20a0-\u20b5\u20b8-\u20ba\u20bd\u2100-\u2109\u210b-\u2149\u2150-\u2186\u2190-\u22ff\u2500-\u25ff\u2605\u2606\u2713-\u2718\u2764]+$/u;
const LETTER = /[\p{L}\p{N}]/u;

/** Whether one font that is installed on this machine has glyphs for all characters of the text. */
export type HasGlyphs = (text: string) => boolean;

const NO_OTHER_FONTS: HasGlyphs = () => false;

/** Drawn without a glyph: they join or separate letters, or isolate the direction of a text. */
const INVISIBLE = /[\u200c\u2068\u2069]|\u200d/g;
const VARIATION = /[\ufe00-\ufe0f]/g;

/** Never drawn with a font of the machine: some have no glyph of one colour, and a title is complete without them. */
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;

/** The character itself, and the plain form of mathematical letters and full-width forms. */
function formsOf(character: string): readonly string[] {
  const plain = character.replace(VARIATION, '');
  return [plain, plain.normalize('NFKC')];
}

const isBundled = (form: string): boolean => {
  const visible = form.replace(INVISIBLE, '');
  return visible === '' || DRAWABLE.test(visible);
};

/** The characters that the fonts of the build don't have and that a font of the machine may draw. */
export const charactersBeyondBuild = (texts: readonly string[]): readonly string[] =>
  texts
    .flatMap((text) => charactersOf(text.normalize('NFC')))
    .filter((character) => !formsOf(character).some(isBundled))
    .map((character) => character.replace(INVISIBLE, ''))
    .filter((character) => VISIBLE.test(character) && !EMOJI.test(character));

/** Minimum share of a text's letters and digits that must be drawable. A text with more gaps could be misleading. */
const LEAST_SHARE = 0.9;

/** Removes characters that can't be drawn, such as emoji. Returns `null` if too little text would remain. */
export function drawable(text: string, hasGlyphs: HasGlyphs = NO_OTHER_FONTS): string | null {
  const isDrawable = (form: string): boolean =>
    isBundled(form) ||
    (VISIBLE.test(form.replace(INVISIBLE, '')) &&
      !EMOJI.test(form) &&
      hasGlyphs(form.replace(INVISIBLE, '')));
  const letters = { all: 0, drawn: 0 };
  let drawn = '';
  for (const character of charactersOf(text.normalize('NFC'))) {
    const form = formsOf(character).find(isDrawable);
    if (LETTER.test(character)) {
      letters.all += 1;
      if (form !== undefined) letters.drawn += 1;
    }
    drawn += form ?? ' ';
  }
  const words = drawn.replace(/\s+/g, ' ').trim();
  return letters.drawn === 0 || letters.drawn < letters.all * LEAST_SHARE ? null : words;
}

type Weight = 400 | 700;

export interface Style {
  readonly weight: Weight;
  readonly colour: string;
  /** From large to small, each with its maximum number of lines. The first size at which the text fits is used. */
  readonly sizes: readonly (readonly [size: number, mostLines: number])[];
}

export interface Block extends Omit<Style, 'sizes'> {
  readonly text: string;
  readonly size: number;
  readonly lines: readonly string[];
}

/** Width of the font Inter relative to the widths in `text-width.ts`, plus a margin. */
const WIDER: Readonly<Record<Weight, number>> = { 400: 1.11, 700: 1.17 };
const LINE_HEIGHT = 1.2;
/** Distance from the top of a line to its baseline, relative to the font size. */
const ASCENT = 0.94;

const widthOf = (text: string, size: number, weight: Weight): number =>
  (textWidth(text) * size * WIDER[weight]) / 1000;

/** Uses the largest size that fits. If no size fits, uses the smallest and truncates the text. */
export function layOut(text: string, style: Style, width: number): Block {
  const { sizes, ...rest } = style;
  const tries = sizes.map(([size, most]) => {
    const block = { ...rest, text, size, lines: linesOf(text, { ...rest, size, width }) };
    return { block, most };
  });
  const fitting = tries.find(({ block, most }) => block.lines.length <= most);
  const { block, most } = fitting ?? tries.at(-1)!;
  return cutBlock(block, most, width);
}

export const heightOf = ({ size, lines }: Block): number => size * LINE_HEIGHT * lines.length;

/**
 * Truncates the block to `most` lines, with an ellipsis at the end. A single line is as long as possible: it doesn't end
 * where the first line of the whole text would break.
 */
export function cutBlock(block: Block, most: number, width: number): Block {
  if (block.lines.length <= most) return block;
  if (most === 1) return { ...block, lines: [fitted(block.text, { ...block, width })] };
  const lines = block.lines.slice(0, Math.max(0, most));
  const last = lines.pop();
  return {
    ...block,
    lines: last === undefined ? [] : [...lines, fitted(`${last} …`, { ...block, width })],
  };
}

interface TextBox {
  readonly size: number;
  readonly weight: Weight;
  readonly width: number;
}

const wordsIn = new Intl.Segmenter('en', { granularity: 'word' });

/** The words of a text without spaces, as in Chinese, Japanese and Thai. Punctuation stays with the word before it. */
function wordsWithoutSpaces(text: string): readonly string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of wordsIn.segment(text)) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words.push(words.pop() + segment);
  }
  return words;
}

/**
 * Breaks lines at spaces and, in text that is longer than a line, between words without spaces. A word that is longer
 * than a line is broken between any two characters.
 */
function linesOf(text: string, { size, weight, width }: TextBox): readonly string[] {
  const fits = (line: string): boolean => widthOf(line, size, weight) <= width;
  const lines: string[] = [];
  let line = '';
  const add = (part: string, joint: string): void => {
    const longer = line === '' ? part : line + joint + part;
    if (line !== '' && !fits(longer)) {
      lines.push(line);
      line = part;
    } else {
      line = longer;
    }
  };
  for (const word of text.split(' ')) {
    const parts = fits(word) ? [word] : wordsWithoutSpaces(word);
    const pieces = parts.flatMap((part) => (fits(part) ? [part] : charactersOf(part)));
    for (const [at, piece] of pieces.entries()) add(piece, at === 0 ? ' ' : '');
  }
  return line === '' ? lines : [...lines, line];
}

/** Truncates the text to the width, with an ellipsis at the end. */
export function fitted(text: string, { size, weight, width }: TextBox): string {
  const characters = [...charactersOf(text)];
  let truncated = text;
  while (characters.length > 1 && widthOf(truncated, size, weight) > width) {
    characters.pop();
    truncated = `${withoutTail(characters.join(''), /[\s…]/)}…`;
  }
  return truncated;
}

/** The left and right edges of the lines, and the top of the first line. */
interface TextPosition {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** By its script, the language whose forms of shared Chinese characters a text has. */
const SCRIPT_LANGUAGES = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
] as const;

function languageAttribute(text: string): string {
  const language = SCRIPT_LANGUAGES.find(([script]) => script.test(text))?.[1];
  return language === undefined ? '' : ` xml:lang="${language}"`;
}

/** Matches text whose first letter belongs to a right-to-left script and is not isolated from the text around it. */
const RIGHT_TO_LEFT = /^[^\p{L}\u2068]*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

export function drawBlock(block: Block, { left, right, top }: TextPosition): string {
  const { size, weight, colour, lines } = block;
  const start = RIGHT_TO_LEFT.test(lines.join(' ')) ? `x="${right}" direction="rtl"` : `x="${left}"`;
  const style = `font-size="${size}" font-weight="${weight}" fill="${colour}"${languageAttribute(lines.join(' '))}`;
  return lines
    .map((line, at) => {
      const y = Math.round(top + size * (LINE_HEIGHT * at + ASCENT));
      return `<text ${start} y="${y}" ${style}>${escapeXml(line)}</text>`;
    })
    .join('');
}
