import { describe, expect, it, test } from 'vitest';
import { readChunks } from './import-file.ts';

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

  it('fills each chunk with good rows; bad ones come along', async () => {
    const text = `token,offer\n${good}bad\n${good}\n${good}`;
    expect(await chunksOf(text, 2)).toEqual([
      [[2, 4], [3]],
      [[6], []],
    ]);
  });

  it('holds no more bad rows than a chunk has rows', async () => {
    expect(await chunksOf(`token,offer\n${'bad\n'.repeat(5)}`, 2)).toEqual([
      [[], [2, 3]],
      [[], [4, 5]],
      [[], [6]],
    ]);
  });
});

describe('a file that a spreadsheet saved', () => {
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
    ['as UTF-16', Buffer.from(bom + rows('\t'), 'utf16le'), 2],
    ['as UTF-16, the high byte first', bigEndian(bom + rows('\t')), 2],
    ['with a line that names the separator', `${bom}sep=;\r\n${rows(';')}`, 3],
    ['with a quoted line that names the separator', `"sep=,"\n${rows(',')}`, 3],
    ['with lines that end with CR', rows(';', '\r'), 2],
    ['with empty rows and columns', `;;;\r\n${rows(';').replaceAll('\r\n', ';;\r\n')};;;;;\r\n"";;\r\n`, 3],
  ])('%s is read', async (_, file, line) => {
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
    ['as UTF-16 without a mark', Buffer.from('token,offer\n', 'utf16le'), /“CSV UTF-8”/],
    ['as UTF-16 that is damaged', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x0a, 0x00]), /“CSV UTF-8”/],
    ['with another separator', Buffer.from('sep=|\ntoken|offer\n'), /a comma, a semicolon or a tab/],
  ])('%s is refused with the remedy', async (_, file, reason) => {
    await expect(readAll(file)).rejects.toThrow(reason);
  });
});
