import { describe, expect, test } from 'vitest';
import { Refusal } from '../../platform/errors.ts';
import { type Line, MAX_LINE_LENGTH, readChunks, readLines, requireReadable } from './import-file.ts';

const OFFER = '01934e2d-5678-7abc-8def-0123456789ab';

async function* pieces<T>(...texts: T[]): AsyncGenerator<T, void> {
  yield* texts;
}

async function chunksOf(text: string, size: number) {
  const chunks = [];
  for await (const { rows, bad } of readChunks(pieces(text), { size: () => size, now: () => 0 })) {
    chunks.push([rows.map(({ line }) => line), bad.map(({ line }) => line)]);
  }
  return chunks;
}

describe('readChunks', () => {
  const good = `outside-token-1,${OFFER}\n`;

  test('fills each chunk with good rows and adds the bad rows found among them', async () => {
    const text = `token,offer\n${good}bad\n${good}\n${good}`;
    expect(await chunksOf(text, 2)).toEqual([
      [[2, 4], [3]],
      [[6], []],
    ]);
  });

  test('also limits the number of bad rows per chunk', async () => {
    expect(await chunksOf(`token,offer\n${'bad\n'.repeat(5)}`, 2)).toEqual([
      [[], [2, 3]],
      [[], [4, 5]],
      [[], [6]],
    ]);
  });
});

describe('spreadsheet exports', () => {
  const rows = (separator: string, lineEnd = '\r\n') =>
    [
      ['Token', 'Offer', 'Claimed at', 'claimant'],
      ['token-0001', OFFER, '', 'Zoë; "Al"'],
    ]
      .map((cells) => cells.map((cell) => (/["; ]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)))
      .map((cells) => cells.join(separator) + lineEnd)
      .join('');
  const bom = '\ufeff';
  const readAll = async (...parts: Buffer[]) => {
    const chunks = [];
    for await (const chunk of readChunks(pieces(...parts), { size: () => 10, now: Date.now }))
      chunks.push(chunk);
    return chunks;
  };
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

  test.each<[string, string | Buffer, number]>([
    ['with commas', bom + rows(','), 2],
    ['with semicolons', rows(';'), 2],
    ['with tabs', rows('\t'), 2],
    ['in little-endian UTF-16', Buffer.from(bom + rows('\t'), 'utf16le'), 2],
    ['in big-endian UTF-16', bigEndian(bom + rows('\t')), 2],
    ['with a sep= line', `${bom}sep=;\r\n${rows(';')}`, 3],
    ['with a quoted sep= line', `"sep=,"\n${rows(',')}`, 3],
    ['with CR line endings', rows(';', '\r'), 2],
    ['with empty rows and columns', `;;;\r\n${rows(';').replaceAll('\r\n', ';;\r\n')};;;;;\r\n"";;\r\n`, 3],
  ])('%s are read', async (_, file, line) => {
    const bytes = Buffer.from(file);
    for (const size of [1, bytes.length]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(await readAll(...parts)).toMatchObject([
        { bad: [], rows: [{ line, row: { token: 'token-0001', offerId: OFFER, claimant: 'Zoë; "Al"' } }] },
      ]);
    }
  });

  test.each<[string, Buffer, RegExp]>([
    ['in Windows-1252', Buffer.from('token,offer,Straße\n', 'latin1'), /Line 1: .*“CSV UTF-8”/],
    ['in UTF-16 without a byte order mark', Buffer.from('token,offer\n', 'utf16le'), /“CSV UTF-8”/],
    ['in invalid UTF-16', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x0a, 0x00]), /“CSV UTF-8”/],
    ['with an unsupported separator', Buffer.from('sep=|\ntoken|offer\n'), /a comma, a semicolon or a tab/],
  ])('%s are rejected with advice', async (_, file, reason) => {
    await expect(readAll(file)).rejects.toThrow(reason);
  });
});

async function read(...chunks: (Uint8Array | string)[]): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const some of readLines(pieces(...chunks))) lines.push(...some);
  return lines;
}

test.each([
  [
    'LF, CR LF and no final line ending',
    '\ufefftoken,via\r\nü1,a\n\nlast',
    ['token,via', 'ü1,a', '', 'last'],
  ],
  ['CR line endings', 'token,via\r1,a\r2,b\r', ['token,via', '1,a', '2,b']],
  ['a single LF', 'a\n', ['a']],
  ['no content', '', []],
])('readLines splits a file with %s into the same lines for any chunk size', async (_, text, lines) => {
  const bytes = Buffer.from(text);
  const expected = lines.map((line, at) => ({ number: at + 1, text: line }));
  expect(await read(bytes)).toEqual(expected);
  expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
});

const lengthOrFault = (line: Line): number | string => {
  try {
    return requireReadable(line).length;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
};

test('a line that is too long or not UTF-8 is reported without affecting other lines', async () => {
  const piece = 'x'.repeat(MAX_LINE_LENGTH);
  const lines = await read(
    'one\n',
    piece,
    piece,
    piece,
    'x\ntwo\n',
    Uint8Array.of(0xff, 0x0a),
    `${piece}\n${piece}x\n`,
  );
  expect(lines.map((line) => [line.number, lengthOrFault(line)])).toEqual([
    [1, 3],
    [2, `The line is longer than ${MAX_LINE_LENGTH} characters.`],
    [3, 3],
    [4, 'The line is not UTF-8. In Excel, save the file as “CSV UTF-8”.'],
    [5, MAX_LINE_LENGTH],
    [6, `The line is longer than ${MAX_LINE_LENGTH} characters.`],
  ]);
});
