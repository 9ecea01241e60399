/** Tests the object store against a server that implements the S3 API and checks signatures. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createObjectStore } from '../../../src/platform/network/object-store.ts';
import { makeTemporaryFolder } from '../../support/folders.ts';
import { S3_KEY, type S3Server, startS3Server } from '../../support/s3-server.ts';

const REGION = 'eu-central-1';
const PART_BYTES = 5 * 1024 * 1024;

let server: S3Server;
const folder = makeTemporaryFolder('claimcheck-objects-');
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server?.close());

const open = (secret: string = S3_KEY.secret, url = server.url) =>
  createObjectStore({ url, region: REGION, keyId: S3_KEY.keyId }, secret, PART_BYTES);

function newFile(name: string, bytes: number): string {
  const file = join(folder, name);
  writeFileSync(file, randomBytes(bytes));
  return file;
}

test.each([
  ['small', 100_000],
  ['multipart', 2 * PART_BYTES + 1],
  ['empty', 0],
])('an uploaded file is downloaded unchanged (%s)', async (name, bytes) => {
  const store = open();
  const file = newFile(name, bytes);
  await store.upload(file, `${name}.db`);
  expect(await store.list(`${name}.`)).toEqual([{ name: `${name}.db`, bytes }]);
  const copy = join(folder, `${name}.copy`);
  await store.download({ name: `${name}.db`, bytes }, copy);
  expect(readFileSync(copy).equals(readFileSync(file))).toBe(true);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  await store.delete(`${name}.db`);
  expect(await store.list(`${name}.`)).toEqual([]);
});

test('errors report a wrong secret, bucket or host without revealing the secret', async () => {
  const file = newFile('refused', 10);
  const failure = async (store: ReturnType<typeof open>): Promise<string> =>
    await store.upload(file, 'refused.db').then(
      () => 'no failure',
      (error: Error) => error.message,
    );
  const wrong = await failure(open('not-the-secret'));
  expect(wrong).toMatch(/^the server answered 403, SignatureDoesNotMatch, /);
  expect(wrong).not.toContain('not-the-secret');
  const { origin } = new URL(server.url);
  expect(await failure(open(S3_KEY.secret, `${origin}/nowhere`))).toMatch(/404, NoSuchBucket/);
  expect(await failure(open(S3_KEY.secret, 'http://127.0.0.1:1/claims'))).toMatch(
    /^127\.0\.0\.1:1 cannot be reached: /,
  );
});

/** Runs `work` against a server that responds with `answer`, and returns the requests that the server received. */
async function withServer(
  answer: (request: http.IncomingMessage) => readonly [status: number, body: string],
  work: (url: string) => Promise<void>,
): Promise<readonly string[]> {
  const requests: string[] = [];
  const fake = http.createServer((request, response) => {
    requests.push(`${request.method} ${new URL(request.url!, 'http://x').search}`);
    request.resume().on('end', () => {
      const [status, body] = answer(request);
      response.writeHead(status, { etag: '"1"' }).end(body);
    });
  });
  await new Promise<void>((done) => fake.listen(0, '127.0.0.1', done));
  try {
    await work(`http://127.0.0.1:${(fake.address() as AddressInfo).port}/bucket`);
  } finally {
    fake.closeAllConnections();
    fake.close();
  }
  return requests;
}

test('a multipart upload fails and is aborted if a 200 response contains an error', async () => {
  const file = newFile('late', PART_BYTES + 1);
  const requests = await withServer(
    ({ method, url }) => {
      if (url?.endsWith('?uploads')) return [200, '<UploadId>u&amp;1</UploadId>'];
      return [
        200,
        method === 'POST' ? '<Error><Code>InternalError</Code><Message>Try again</Message></Error>' : '',
      ];
    },
    async (url) => {
      await expect(open('s', url).upload(file, 'late.db')).rejects.toThrow('200, InternalError, Try again');
    },
  );
  expect(requests).toEqual([
    'POST ?uploads',
    'PUT ?partNumber=1&uploadId=u%261',
    'PUT ?partNumber=2&uploadId=u%261',
    'POST ?uploadId=u%261',
    'DELETE ?uploadId=u%261',
  ]);
});

test('a multipart upload that is stopped after the first part deletes the uploaded parts', async () => {
  const file = newFile('stopped', 3 * PART_BYTES);
  const reason = new Error('the service stops');
  const stop = new AbortController();
  const requests = await withServer(
    ({ method }) => {
      if (method === 'PUT') stop.abort(reason);
      return [200, '<UploadId>u</UploadId>'];
    },
    async (url) => {
      await expect(open('s', url).upload(file, 'stopped.db', stop.signal)).rejects.toThrow(reason);
    },
  );
  expect(requests).toEqual(['POST ?uploads', 'PUT ?partNumber=1&uploadId=u', 'DELETE ?uploadId=u']);
});

test('an upload is retried after a 503 and fails if the stored object has the wrong size', async () => {
  const file = newFile('again', 10);
  let asked = 0;
  const requests = await withServer(
    ({ method }) => {
      asked += 1;
      if (asked === 1) return [503, '<Code>SlowDown</Code>'];
      const object = '<Contents><Key>again.db</Key><Size>9</Size></Contents>';
      return [200, method === 'GET' ? object : ''];
    },
    async (url) => {
      await expect(open('s', url).upload(file, 'again.db')).rejects.toThrow('arrived with 9 of 10 bytes');
    },
  );
  expect(requests.map((line) => line.split(' ')[0])).toEqual(['PUT', 'PUT', 'GET']);
});

test('list returns the objects of all pages', async () => {
  const page = (name: string, rest = '') =>
    `<ListBucketResult><Contents><Key>${name}</Key><Size>1</Size></Contents>${rest}</ListBucketResult>`;
  const requests = await withServer(
    ({ url }) => [
      200,
      url!.includes('continuation-token')
        ? page('b&amp;c')
        : page('a', '<NextContinuationToken>t&amp;+/=</NextContinuationToken>'),
    ],
    async (url) => {
      expect((await open('s', url).list('')).map(({ name }) => name)).toEqual(['a', 'b&c']);
    },
  );
  expect(requests[1]).toContain(`continuation-token=${encodeURIComponent('t&+/=')}`);
});
