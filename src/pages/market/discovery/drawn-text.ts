/** Lays out text in SVG drawings: breaks lines, truncates, and right-aligns right-to-left scripts. */

import { withoutTail } from '../../../platform/text/text.ts';
import { charactersOf, textWidth } from '../../../platform/text/text-width.ts';
import { escapeXml } from '../../../platform/text/xml.ts';

/**
 * The characters that the fonts in `src/marketplace/pictures/fonts/` contain. Other characters would be drawn as boxes. A test
 * compares this pattern with the fonts.
 */
export const DRAWABLE =
  /^[\u0020-\u007e\u00a0-\u0377\u037a-\u037e\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0525\u0531-\u0556\u0559-\u055f\u0561-\u0587\u0589\u058a\u05b0-\u05c3\u05c6\u05c7\u05d0-\u05ea\u060c\u0615\u061b\u061f\u0621-\u063a\u0640-\u0655\u0660-\u0670\u0674\u0679-\u06bf\u06c6-\u06c8\u06cb\u06cc\u06ce\u06d0\u06d5\u06f0-\u06f9\u10d0-\u10fc\u1e00-\u1f15\u2010-\u2027\u2030-\u205e\u20a0-\u20b5\u20b8-\u20ba\u20bd\u2100-\u2109\u210b-\u2149\u2150-\u2186\u2190-\u22ff\u2500-\u25ff\u2605\u2606\u2713-\u2718\u2764]+$/u;
const LETTER = /[\p{L}\p{N}]/u;

/** Minimum share of a text's letters and digits that must be drawable. A text with more gaps could be misleading. */
const LEAST_SHARE = 0.7;

/** Removes characters that can't be drawn, such as emoji. Returns `null` if too little text would remain. */
export function drawable(text: string): string | null {
  const letters = { all: 0, drawn: 0 };
  let drawn = '';
  for (const character of charactersOf(text.normalize('NFC'))) {
    // NFKC maps mathematical letters and full-width forms to plain characters.
    const form = [character, character.normalize('NFKC')].find((each) => DRAWABLE.test(each));
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
    const block = { ...rest, size, lines: linesOf(text, { ...rest, size, width }) };
    return { block, most };
  });
  const fitting = tries.find(({ block, most }) => block.lines.length <= most);
  const { block, most } = fitting ?? tries.at(-1)!;
  return cutBlock(block, most, width);
}

export const heightOf = ({ size, lines }: Block): number => size * LINE_HEIGHT * lines.length;

/** Truncates the block to `most` lines, with an ellipsis at the end. */
export function cutBlock(block: Block, most: number, width: number): Block {
  if (block.lines.length <= most) return block;
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

/** Breaks lines at spaces; a word that is longer than a line is broken between any two characters. */
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
    if (fits(word)) add(word, ' ');
    else for (const [at, character] of charactersOf(word).entries()) add(character, at === 0 ? ' ' : '');
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

/** Matches text whose first letter belongs to a right-to-left script. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

export function drawBlock(block: Block, { left, right, top }: TextPosition): string {
  const { size, weight, colour, lines } = block;
  const start = RIGHT_TO_LEFT.test(lines.join(' ')) ? `x="${right}" direction="rtl"` : `x="${left}"`;
  const style = `font-size="${size}" font-weight="${weight}" fill="${colour}"`;
  return lines
    .map((line, at) => {
      const y = Math.round(top + size * (LINE_HEIGHT * at + ASCENT));
      return `<text ${start} y="${y}" ${style}>${escapeXml(line)}</text>`;
    })
    .join('');
}
