/** Fonts of the machine: which characters they have, which are chosen, and that drawings use them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { createPictureEncoder } from '../../../src/marketplace/pictures/encoder.ts';
import { createSystemFonts, parseCmap } from '../../../src/marketplace/pictures/system-fonts.ts';
import { fakeFont } from '../../support/fake-font.ts';
import { shareFolders } from '../../support/shared.ts';

const newFolder = shareFolders();
const encoder = createPictureEncoder({ onFailure: () => {} });
afterAll(() => encoder.close());

const GLYPHS = [
  { character: '日', width: 200, height: 300 },
  { character: '本', width: 700, height: 600 },
];

function folderWith(files: Readonly<Record<string, Buffer>>): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'nested'));
  for (const [name, data] of Object.entries(files)) writeFileSync(join(folder, 'nested', name), data);
  return folder;
}

const choose = async (files: Readonly<Record<string, Buffer>>, characters: readonly string[]) => {
  const { files: chosen, hasGlyphs } = await createSystemFonts([folderWith(files), '/nowhere']).choose(
    characters,
  );
  return { chosen: chosen.map((file) => file.split('/').at(-1)), hasGlyphs };
};

describe('the fonts that are chosen', () => {
  test('have the characters, and damaged files and fonts of placeholders are ignored', async () => {
    const font = fakeFont('Test Sans', GLYPHS);
    const placeholders = fakeFont('Placeholders', [{ character: '語', width: 500, height: 500 }]);
    const { chosen, hasGlyphs } = await choose(
      {
        'Adobe-Blank.ttf': placeholders,
        'LastResort.otf': placeholders,
        'TestSans.ttf': font,
        // Its table of characters is complete.
        'CutSans.ttf': font.subarray(0, -40),
        'cut.ttf': font.subarray(0, 100),
        'text.ttf': Buffer.from('not a font'),
        'empty.ttf': Buffer.alloc(0),
      },
      ['日', '本', '語'],
    );
    expect(chosen).toEqual(['TestSans.ttf']);
    expect(['日', '日本', '語', '日語'].map(hasGlyphs)).toEqual([true, true, false, false]);
  });

  test('are the fewest, and text fonts come before others', async () => {
    const [day, book] = GLYPHS;
    const files = {
      'a-unifont.ttf': fakeFont('Unifont', GLYPHS),
      'b-serif.ttf': fakeFont('B Serif', [book!]),
      'c-sans.ttf': fakeFont('C Sans', [day!]),
      'd-sans-bold.ttf': fakeFont('D Sans', GLYPHS),
    };
    expect((await choose(files, ['日'])).chosen).toEqual(['c-sans.ttf']);
    expect((await choose(files, ['日', '本'])).chosen).toEqual(['c-sans.ttf', 'd-sans-bold.ttf']);
    expect((await choose(files, [])).chosen).toEqual([]);
    const family = { 'Sans-Regular.ttf': files['c-sans.ttf'], 'Sans-Bold.ttf': files['c-sans.ttf'] };
    expect((await choose(family, ['日'])).chosen).toEqual(['Sans-Regular.ttf', 'Sans-Bold.ttf']);
  });
});

/** A character table of the format 4 with one segment. Five is added to each of its glyphs, except to glyph 0. */
function cmapOfGlyphs(first: number, glyphs: readonly number[]): Buffer {
  const last = first + glyphs.length - 1;
  const values = [0, 1, 3, 1, 0, 12, 4, 0, 0, 4, 0, 0, 0];
  values.push(last, 0xffff, 0, first, 0xffff, 5, 1, 4, 0, ...glyphs);
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index);
  return bytes;
}

test('a character that the table maps to the glyph for missing characters is missing', () => {
  expect(parseCmap(cmapOfGlyphs(0x65e5, [7, 0, 8, 9]))).toEqual([
    [0x65e5, 0x65e5],
    [0x65e7, 0x65e8],
  ]);
});

/** Width and height of each letter's ink. Missing glyphs are boxes of the same size. */
async function inkOf(letters: readonly string[], fonts: readonly string[]): Promise<readonly string[]> {
  const texts = letters.map(
    (letter, index) =>
      `<text x="${index * 300 + 50}" y="220" font-family="Inter" font-size="200">${letter}</text>`,
  );
  const width = letters.length * 300;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="300"><rect width="100%" height="100%" fill="#fff"/>${texts.join('')}</svg>`;
  const png = await encoder.draw(svg, fonts);
  return await Promise.all(
    letters.map(async (_, index) => {
      const cell = await sharp(png)
        .extract({ left: index * 300, top: 0, width: 300, height: 300 })
        .toBuffer();
      const { info } = await sharp(cell).trim().toBuffer({ resolveWithObject: true });
      return `${info.width} × ${info.height}`;
    }),
  );
}

test('a drawing shows the glyphs of a font of the machine', async () => {
  const files = { 'TestSans.ttf': fakeFont('Test Sans', GLYPHS) };
  const fonts = createSystemFonts([folderWith(files)]);
  const { files: chosen } = await fonts.choose(['日', '本']);
  const [day, book] = await inkOf(['日', '本'], chosen);
  expect([day, book]).toEqual(['40 × 60', '140 × 120']);
  const [box, otherBox] = await inkOf(['日', '本'], []);
  expect(box).toBe(otherBox);
});
