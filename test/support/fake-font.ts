/** Builds a TrueType font in which each character is a black rectangle. */

export interface FakeGlyph {
  readonly character: string;
  /** In thousandths of the font size. */
  readonly width: number;
  readonly height: number;
}

const UNITS = 1_000;

export function fakeFont(family: string, glyphs: readonly FakeGlyph[]): Buffer {
  const sorted = glyphs.toSorted((one, other) => codeOf(one) - codeOf(other));
  // The first glyph is the one for missing characters.
  const outlines = [Buffer.alloc(0), ...sorted.map(rectangle)];
  const offsets = outlines.map((_, index) =>
    outlines.slice(0, index).reduce((sum, { length }) => sum + length, 0),
  );
  const glyf = Buffer.concat(outlines);
  const tables: Record<string, Buffer> = {
    cmap: cmapOf(sorted.map(codeOf)),
    glyf,
    head: words(
      1,
      0,
      1,
      0,
      0,
      0,
      0x5f0f,
      0x3cf5,
      0,
      UNITS,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      UNITS,
      UNITS,
      0,
      8,
      2,
      1,
      0,
    ),
    hhea: words(1, 0, 900, -100, 0, UNITS, 0, 0, UNITS, 1, 0, 0, 0, 0, 0, 0, 0, outlines.length),
    hmtx: words(...outlines.flatMap(() => [UNITS, 0])),
    loca: longs(...offsets, glyf.length),
    maxp: words(1, 0, outlines.length, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
    name: nameOf(family),
  };
  return Buffer.concat(withDirectory(Object.entries(tables)));
}

const codeOf = ({ character }: FakeGlyph): number => character.codePointAt(0)!;

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * index);
  return bytes;
}

function longs(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

/** One contour with four points, each with the flag “on the curve” and two-byte deltas. */
function rectangle({ width, height }: FakeGlyph): Buffer {
  const box = words(1, 0, 0, width, height, 3, 0);
  const flags = Buffer.alloc(4, 1);
  const steps = words(0, 0, width, 0, 0, height, 0, -height);
  return Buffer.concat([box, flags, steps, Buffer.alloc(2)]);
}

/** Format 12 for the platform Windows. */
function cmapOf(codes: readonly number[]): Buffer {
  const groups = codes.flatMap((code, index) => [code, code, index + 1]);
  return Buffer.concat([
    words(0, 1, 3, 10, 0, 12, 12, 0),
    longs(16 + 4 * groups.length, 0, codes.length, ...groups),
  ]);
}

function nameOf(family: string): Buffer {
  const text = Buffer.from(family, 'utf16le').swap16();
  return Buffer.concat([words(0, 1, 18, 3, 1, 0x409, 1, text.length, 0), text]);
}

function withDirectory(tables: readonly (readonly [tag: string, data: Buffer])[]): readonly Buffer[] {
  let offset = 12 + 16 * tables.length;
  const directory: Buffer[] = [];
  const data: Buffer[] = [];
  for (const [tag, table] of tables) {
    directory.push(Buffer.from(tag, 'latin1'), longs(0, offset, table.length));
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)]);
    data.push(padded);
    offset += padded.length;
  }
  return [words(1, 0, tables.length, 0, 0, 0), ...directory, ...data];
}
