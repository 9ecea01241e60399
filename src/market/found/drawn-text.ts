/** Text in drawings: breaks it into lines that fit, and aligns right-to-left scripts on the right. */

import { charactersOf, textWidth } from '../../text/text-width.ts';
import { escapeXml } from '../../text/xml.ts';

type Weight = 400 | 700;

export interface Style {
  readonly weight: Weight;
  readonly colour: string;
  /** From large to small, each with its maximum number of lines; the first at which the text fits is used. */
  readonly sizes: readonly (readonly [size: number, mostLines: number])[];
}

export interface Block extends Omit<Style, 'sizes'> {
  readonly size: number;
  readonly lines: readonly string[];
}

/** By what factor the font Inter is wider than the widths in `text-width.ts`, plus a margin. */
const WIDER: Readonly<Record<Weight, number>> = { 400: 1.11, 700: 1.17 };
const LINE_HEIGHT = 1.2;
/** From the top of a line to its baseline, relative to the font size. */
const ASCENT = 0.94;

const widthOf = (text: string, size: number, weight: Weight): number =>
  (textWidth(text) * size * WIDER[weight]) / 1000;

/** The text in the largest size that fits; if none does, in the smallest, cut off at the end. */
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

/** The first `most` lines, with an ellipsis if others were cut off. */
export function cutBlock(block: Block, most: number, width: number): Block {
  if (block.lines.length <= most) return block;
  const lines = block.lines.slice(0, Math.max(0, most));
  const last = lines.pop();
  return {
    ...block,
    lines: last === undefined ? [] : [...lines, fitted(`${last} …`, { ...block, width })],
  };
}

interface Room {
  readonly size: number;
  readonly weight: Weight;
  readonly width: number;
}

/** Breaks lines at spaces; a word that is longer than a line is broken between any two characters. */
function linesOf(text: string, { size, weight, width }: Room): readonly string[] {
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

/** The text, or as much of it as fits before an ellipsis. */
export function fitted(text: string, { size, weight, width }: Room): string {
  const characters = [...charactersOf(text)];
  let shown = text;
  while (characters.length > 1 && widthOf(shown, size, weight) > width) {
    characters.pop();
    shown = `${characters.join('').replace(/[\s…]+$/, '')}…`;
  }
  return shown;
}

/** The left and right edges of the lines, and the top of the first line. */
interface Place {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Matches text whose first letter belongs to a right-to-left script. */
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

export function drawBlock(block: Block, { left, right, top }: Place): string {
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
