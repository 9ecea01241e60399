/**
 * Fonts that are installed on the machine, for scripts that the fonts of the build don't have. A font counts only if
 * its own table of characters (`cmap`, OpenType specification) maps the character to a glyph.
 */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Where Linux, macOS and Windows install fonts. */
const FOLDERS: readonly string[] = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/System/Library/Fonts',
  '/Library/Fonts',
  'C:\\Windows\\Fonts',
];
const FONT_FILE = /\.(?:ttf|otf|ttc|otc)$/i;
/** Fonts that have a glyph for every character, which shows only a box or nothing, and fonts with coloured glyphs. */
const NOT_FOR_TEXT = /emoji|last[ _-]?resort|blank|bmp[ _-]?fallback|notdef/i;
/** Drawn text has the look of a sans-serif font; other fonts are used only for characters that no such font has. */
const SANS = /sans|gothic|hei|pingfang|dejavu|hiragino|malgun|leelaw|nirmala/i;
const UNUSUAL = /mono|serif|mincho|ming|song|italic|oblique|cond|thin|light|black|bold|unifont/i;
const RANKS = [0, 1, 2, 3] as const;
const MAX_FONTS = 3_000;
const MAX_CMAP_BYTES = 4 * 1024 * 1024;
const MAX_TABLES = 100;

/** Ranges of code points, each with its first and last, in ascending order. */
type Coverage = readonly (readonly [first: number, last: number])[];

interface Font {
  readonly file: string;
  readonly rank: (typeof RANKS)[number];
  readonly coverage: Coverage;
}

export interface FontChoice {
  /** Absolute paths, for `PictureEncoder.draw`. */
  readonly files: readonly string[];
  /** Whether one of `files` has glyphs for all characters of the text. */
  readonly hasGlyphs: (text: string) => boolean;
}

export interface SystemFonts {
  /** Fonts for as many of these characters as possible. Reads the fonts of the machine once, when it is first called. */
  choose(characters: readonly string[]): Promise<FontChoice>;
}

export function createSystemFonts(folders: readonly string[] = FOLDERS): SystemFonts {
  let fonts: Promise<readonly Font[]> | undefined;
  return {
    choose: async (characters) => {
      if (characters.length === 0) return choiceOf([], []);
      fonts ??= readFonts(folders);
      const all = await fonts;
      return choiceOf(fewestFonts(all, characters), all);
    },
  };
}

/** `all`: the fonts of the machine, among which are the bold ones of the same families. */
const choiceOf = (fonts: readonly Font[], all: readonly Font[]): FontChoice => ({
  files: fonts.flatMap(({ file }) => {
    const bold = all.find((other) => other.file === file.replace(/regular(?=\.\w+$)/i, 'Bold'));
    return bold === undefined || bold.file === file ? [file] : [file, bold.file];
  }),
  hasGlyphs: (text) => fonts.some((font) => covers(font, text)),
});

/** Takes the font with most of the characters, then the font with most of the others, and so on: better ranks first. */
function fewestFonts(fonts: readonly Font[], characters: readonly string[]): readonly Font[] {
  const chosen: Font[] = [];
  let missing: readonly string[] = [...new Set(characters)];
  for (const rank of RANKS) {
    const candidates = fonts.filter((font) => font.rank === rank);
    while (missing.length > 0) {
      const counts = candidates.map((font) => missing.filter((character) => covers(font, character)).length);
      const most = Math.max(0, ...counts);
      if (most === 0) break;
      const font = candidates[counts.indexOf(most)]!;
      chosen.push(font);
      missing = missing.filter((character) => !covers(font, character));
    }
  }
  return chosen;
}

const covers = ({ coverage }: Font, text: string): boolean =>
  [...text].every((character) => isInCoverage(coverage, character.codePointAt(0)!));

function isInCoverage(coverage: Coverage, code: number): boolean {
  let [low, high] = [0, coverage.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = coverage[middle]!;
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
}

async function readFonts(folders: readonly string[]): Promise<readonly Font[]> {
  const files = (await Promise.all(folders.map(listFontFiles))).flat().slice(0, MAX_FONTS);
  const fonts: Font[] = [];
  for (const file of files.toSorted()) {
    const coverage = await readCoverage(file);
    if (coverage.length > 0) fonts.push({ file, rank: rankOf(basename(file)), coverage });
  }
  return fonts;
}

function rankOf(name: string): Font['rank'] {
  if (UNUSUAL.test(name)) return SANS.test(name) ? 2 : 3;
  return SANS.test(name) ? 0 : 1;
}

async function listFontFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => FONT_FILE.test(name) && !NOT_FOR_TEXT.test(name))
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Empty for a file that isn't a readable font. */
async function readCoverage(file: string): Promise<Coverage> {
  let handle: FileHandle | undefined;
  try {
    // Opening a named pipe would wait for its writer.
    if (!(await stat(file)).isFile()) return [];
    handle = await open(file);
    return parseCmap(await readCmap(handle));
  } catch {
    return [];
  } finally {
    await handle?.close();
  }
}

/** Without these tables, FreeType doesn't open a font. */
const REQUIRED_TABLES = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'];
const OUTLINE_TABLES = ['glyf', 'CFF ', 'CFF2'];

/** Throws if the font is incomplete: drawing would skip such a file without an error. */
async function readCmap(handle: FileHandle): Promise<Buffer> {
  const { size } = await handle.stat();
  const start = await readAt(handle, 0, 16);
  // Of a collection (`.ttc`), reads the first font.
  const offset = start.toString('latin1', 0, 4) === 'ttcf' ? start.readUInt32BE(12) : 0;
  const amount = Math.min((await readAt(handle, offset, 12)).readUInt16BE(4), MAX_TABLES);
  const directory = await readAt(handle, offset + 12, 16 * amount);
  const tables = new Map<string, { readonly offset: number; readonly length: number }>();
  for (let at = 0; at < 16 * amount; at += 16) {
    const table = { offset: directory.readUInt32BE(at + 8), length: directory.readUInt32BE(at + 12) };
    if (table.offset + table.length > size) throw new Error('The font is truncated.');
    tables.set(directory.toString('latin1', at, at + 4), table);
  }
  const isComplete =
    REQUIRED_TABLES.every((tag) => tables.has(tag)) && OUTLINE_TABLES.some((tag) => tables.has(tag));
  if (!isComplete) throw new Error('The font has no outlines.');
  const cmap = tables.get('cmap')!;
  return await readAt(handle, cmap.offset, Math.min(cmap.length, MAX_CMAP_BYTES));
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

const WINDOWS = 3;
const UNICODE = 0;

/** Throws if the table is damaged. */
export function parseCmap(cmap: Buffer): Coverage {
  const ranges: Range[] = [];
  for (let record = 0; record < cmap.readUInt16BE(2); record += 1) {
    const at = 4 + 8 * record;
    const [platform, encoding] = [cmap.readUInt16BE(at), cmap.readUInt16BE(at + 2)];
    // Other encodings, such as in symbol fonts, don't say which characters the glyphs show.
    const isUnicode = platform === UNICODE || (platform === WINDOWS && (encoding === 1 || encoding === 10));
    if (!isUnicode) continue;
    const table = cmap.subarray(cmap.readUInt32BE(at + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) addFormat4(table, ranges);
    if (format === 12) addFormat12(table, ranges);
  }
  return merged(ranges);
}

type Range = [first: number, last: number];

function addRange(ranges: Range[], first: number, last: number): void {
  const previous = ranges.at(-1);
  if (previous !== undefined && first === previous[1] + 1) previous[1] = last;
  else if (first <= last) ranges.push([first, last]);
}

/** Segments of 16-bit characters. Glyph 0 is the box for a missing glyph. */
function addFormat4(table: Buffer, ranges: Range[]): void {
  const size = table.readUInt16BE(6);
  for (let at = 0; at < size; at += 2) {
    const last = Math.min(table.readUInt16BE(14 + at), 0xfffe);
    const first = table.readUInt16BE(16 + size + at);
    const delta = table.readUInt16BE(16 + 2 * size + at);
    const position = 16 + 3 * size + at;
    const rangeOffset = table.readUInt16BE(position);
    for (let code = first; code <= last; code += 1) {
      const read = rangeOffset === 0 ? code : table.readUInt16BE(position + rangeOffset + 2 * (code - first));
      const isMissing = rangeOffset !== 0 && read === 0;
      if (!isMissing && ((read + delta) & 0xffff) !== 0) addRange(ranges, code, code);
    }
  }
}

/** Groups of characters with consecutive glyphs. */
function addFormat12(table: Buffer, ranges: Range[]): void {
  for (let group = 0; group < table.readUInt32BE(12); group += 1) {
    const at = 16 + 12 * group;
    const [first, last, glyph] = [
      table.readUInt32BE(at),
      table.readUInt32BE(at + 4),
      table.readUInt32BE(at + 8),
    ];
    addRange(ranges, glyph === 0 ? first + 1 : first, last);
  }
}

function merged(ranges: readonly Range[]): Coverage {
  const result: Range[] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const previous = result.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else result.push([first, last]);
  }
  return result;
}
