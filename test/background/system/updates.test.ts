/** Operators learn of a newer version, and the server that names it learns nothing about the service. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkForUpdate, examineUpdates, isUpdateCheckDue } from '../../../src/background/system/updates.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import { createOutgoing } from '../../../src/platform/network/outgoing-request.ts';
import { localOutgoing, type Receiver, startReceiver } from '../../support/receiver.ts';
import { shareDatabase } from '../../support/shared.ts';

const DAY_MS = 86_400_000;
const CURRENT = '1.2.3';

const { context } = shareDatabase('sqlite');
const outgoing = localOutgoing();
let nowMs = Date.now();
const at = { ...context, now: () => nowMs };
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const check = (client = outgoing) =>
  checkForUpdate({ ...at, db: context.db }, client, receiver.url, new AbortController().signal);
const found = async (url: string | null = receiver.url) =>
  (await examineUpdates(context.db, url, CURRENT)).map((one) => ({ ...one, detail: String(one.detail) }));
const respond = (body: string, status = 200) => {
  receiver.answer = (_, response) => response.writeHead(status).end(body);
};

test('a release in a compressed response', async () => {
  receiver.answer = (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"tag_name":"v1.10.0"}'));
  await check();
  expect(await found()).toMatchObject([{ detail: 'version 1.10.0 is available (this is 1.2.3)' }]);
});

test.each([
  [
    'a release on GitHub',
    '{"tag_name":"v1.10.0","assets":[]}',
    true,
    'version 1.10.0 is available (this is 1.2.3)',
  ],
  [
    'a package',
    '{"name":"claimcheck","version":"2.0.0"}',
    true,
    'version 2.0.0 is available (this is 1.2.3)',
  ],
  ['this version', '{"tag_name":"v1.2.3"}', undefined, 'version 1.2.3 is the latest'],
  ['an older version', '{"version":"1.2.2"}', undefined, 'version 1.2.3 is the latest'],
  ['a pre-release', '{"version":"2.0.0-rc.1"}', undefined, 'version 1.2.3 is the latest'],
])('%s', async (_, body, note, detail) => {
  respond(body);
  await check();
  expect(await found()).toMatchObject([{ check: 'updates', ok: true, detail }]);
  expect((await found())[0]!.note).toBe(note);
});

test.each([
  ['an error', '{"tag_name":"v9.9.9"}', 503, 'The response has the status 503.'],
  ['a redirect', '', 302, 'The response has the status 302.'],
  ['a page', '<html>', 200, 'The response doesn’t contain the version of a release.'],
  ['other JSON', '[]', 200, 'The response doesn’t contain the version of a release.'],
  [
    'a version that is none',
    '{"version":"<b>9.9.9</b>"}',
    200,
    'The response doesn’t contain the version of a release.',
  ],
  [
    'a response that is too large',
    `{"version":"9.9.9","x":"${'x'.repeat(300_000)}"}`,
    200,
    'The response doesn’t contain the version of a release.',
  ],
])('%s is a failure with its cause', async (_, body, status, failure) => {
  respond(body, status);
  await check();
  const [only] = await found();
  expect(only).toMatchObject({ ok: true, note: true });
  expect(only!.detail).toMatch(/^the check at \d{4}-.+ failed: /);
  expect(only!.detail).toContain(failure);
});

test('the request has no data about the service', async () => {
  respond('{"version":"1.0.0"}');
  await check();
  const [{ headers, path, body }] = receiver.received as [(typeof receiver.received)[number]];
  expect({ ...headers, host: '', connection: '' }).toEqual({
    'user-agent': 'Claimcheck-Update-Check',
    accept: 'application/json',
    host: '',
    connection: '',
  });
  expect([path, body]).toEqual(['/hook', '']);
});

test('private networks are not called unless they are allowed', async () => {
  await check(createOutgoing({ allowed: networkList([]), connectMs: 10 }));
  expect(receiver.received).toEqual([]);
  expect((await found())[0]!.detail).toContain('failed: ');
});

test('runs once a day, again for a new URL, and after the clock was set back', async () => {
  respond('{"version":"1.0.0"}');
  const isDue = (url = receiver.url) => isUpdateCheckDue({ ...at, db: context.db }, url);
  expect(await isDue()).toBe(true);
  expect(await found()).toMatchObject([{ ok: true, detail: 'the first check will run within the hour' }]);
  await check();
  expect(await isDue()).toBe(false);
  expect(await isDue(`${receiver.url}/other`)).toBe(true);
  for (const [passedMs, due] of [
    [DAY_MS - 1, false],
    [1, true],
    [-3 * DAY_MS, true],
  ] as const) {
    nowMs += passedMs;
    expect(await isDue()).toBe(due);
  }
});

test('without a URL, there is nothing to check', async () => {
  expect(await found(null)).toEqual([]);
});
