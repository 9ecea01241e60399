/** A bucket whose server never stops sending, or sends little that decompresses to much, fills neither memory nor disk. */
import { statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createObjectStore } from '../../../src/platform/network/object-store.ts';
import { makeTemporaryFolder } from '../../support/folders.ts';
import { serveLocally } from '../../support/local-server.ts';

const PART = Buffer.alloc(256 * 1024, 'x');
/** A service that reads all of it fails the test instead of filling the machine. */
const MAX_SENT_BYTES = 256 * 1024 * 1024;

let respond: (response: ServerResponse) => void = () => {};
let sentBytes = 0;
let server: Awaited<ReturnType<typeof serveLocally>>;
beforeAll(async () => {
  server = await serveLocally(createServer((_request, response) => respond(response)));
});
afterAll(() => server?.close());

const open = () =>
  createObjectStore(
    { url: `http://127.0.0.1:${server.port}/bucket/backups`, region: 'eu-central-1', keyId: 'key' },
    'a secret key',
  );

const sendEndlessly = (status: number, isCompressed: boolean) => (response: ServerResponse) => {
  sentBytes = 0;
  response.writeHead(status, isCompressed ? { 'content-encoding': 'gzip' } : {});
  const body = isCompressed ? createGzip() : response;
  if (body !== response) body.pipe(response);
  const send = (): void => {
    if (response.destroyed || sentBytes >= MAX_SENT_BYTES) {
      body.end();
      return;
    }
    sentBytes += PART.length;
    if (body.write(PART)) setImmediate(send);
    else body.once('drain', send);
  };
  send();
};

test.each([
  ['a list', 200, false],
  ['a compressed list', 200, true],
  ['an error', 403, false],
  ['a compressed error', 403, true],
])('%s without end fails', async (_, status, isCompressed) => {
  respond = sendEndlessly(status, isCompressed);
  await expect(open().list('claimcheck-')).rejects.toThrow('the response is too large');
  expect(sentBytes).toBeLessThan(MAX_SENT_BYTES / 2);
});

test.each([false, true])(
  'a download stops at the size that the bucket lists (compressed: %s)',
  async (isCompressed) => {
    respond = sendEndlessly(200, isCompressed);
    const file = join(makeTemporaryFolder('claimcheck-s3-'), 'backup');
    const download = open().download({ name: 'claimcheck.db', bytes: 3 * PART.length }, file);
    await expect(download).rejects.toThrow('the response is too large');
    expect(statSync(file).size).toBeLessThanOrEqual(3 * PART.length);
  },
);
