import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decompressedBody, textOf } from './response-body.ts';

const MAX = 16 * 1_024;
const TEXT = 'The signature is wrong.';
const decompressed = (encoding: string, body: Buffer) =>
  decompressedBody({ headers: { 'content-encoding': encoding }, body }, MAX);

test.each([
  ['gzip', gzipSync(TEXT)],
  ['GZIP', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
  ['identity', Buffer.from(TEXT)],
])('a body with the content encoding %s is readable', async (encoding, body) => {
  expect(String(await decompressed(encoding, body))).toBe(TEXT);
});

test('the beginning of a cut body is readable', async () => {
  const words = Array.from({ length: 4_000 }, (_, i) => `${i * 7_919} `).join('');
  const cut = gzipSync(words).subarray(0, 2_000);
  const text = String(await decompressed('gzip', cut));
  expect(text.length).toBeGreaterThan(1_000);
  expect(words.startsWith(text)).toBe(true);
});

test('a body that is not compressed as its header says stays as it is', async () => {
  expect(String(await decompressed('gzip', Buffer.from(TEXT)))).toBe(TEXT);
  expect(await decompressed('gzip', Buffer.alloc(0))).toHaveLength(0);
});

test('a small body that expands to a large one is cut', async () => {
  const bomb = gzipSync(Buffer.alloc(10 * 1_024 * 1_024));
  expect(await decompressed('gzip', bomb)).toHaveLength(MAX);
});

test.each([
  ['text/html; charset=iso-8859-1', Buffer.from('Größe', 'latin1')],
  ['text/plain;CHARSET="Windows-1252"', Buffer.from('Größe', 'latin1')],
  ['text/plain; charset=unheard-of', Buffer.from('Größe')],
  ['application/json', Buffer.from('Größe')],
  [null, Buffer.from('Größe')],
])('a body of the type %s is text', (contentType, body) => {
  expect(textOf(body, contentType)).toBe('Größe');
});
