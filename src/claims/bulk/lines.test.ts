import { expect, test } from 'vitest';
import { Refusal } from '../../errors.ts';
import { type Line, MAX_LINE_LENGTH, readLines, requireReadable } from './lines.ts';

async function read(...chunks: (Uint8Array | string)[]): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const some of readLines(pieces(chunks))) lines.push(...some);
  return lines;
}

async function* pieces(chunks: readonly (Uint8Array | string)[]): AsyncGenerator<Uint8Array | string> {
  yield* chunks;
}

test('numbers lines whatever the chunks and line ends are', async () => {
  const bytes = Buffer.from('\ufefftoken,via\r\nü1,a\n\nlast');
  const expected = [
    { number: 1, text: 'token,via' },
    { number: 2, text: 'ü1,a' },
    { number: 3, text: '' },
    { number: 4, text: 'last' },
  ];
  expect(await read(bytes)).toEqual(expected);
  expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
  expect(await read('a\n')).toEqual([{ number: 1, text: 'a' }]);
  expect(await read()).toEqual([]);
});

const lengthOrFault = (line: Line): number | string => {
  try {
    return requireReadable(line).length;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
};

test('lines may all end with CR, also in the last place of a chunk', async () => {
  const bytes = Buffer.from('token,via\r1,a\r2,b\r');
  const expected = [
    { number: 1, text: 'token,via' },
    { number: 2, text: '1,a' },
    { number: 3, text: '2,b' },
  ];
  expect(await read(bytes)).toEqual(expected);
  expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
});

test('a line that is too long or not UTF-8 is named and spoils no other', async () => {
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
