import { describe, expect, it } from 'vitest';
import { readChunks } from './import-file.ts';

const OFFER = '01934e2d-5678-7abc-8def-0123456789ab';

async function* pieces(...texts: string[]): AsyncGenerator<string, void> {
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
