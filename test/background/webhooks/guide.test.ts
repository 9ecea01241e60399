/** Tests the webhook guide: its sample code verifies requests, and its events, schedule and limits are correct. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MAX_ENDPOINTS, TEST_EVENT_TYPE } from '../../../src/background/webhooks/endpoint.ts';
import { QUEUE_LIMITS } from '../../../src/background/webhooks/fair-queue.ts';
import { ATTEMPTS_BEFORE_GIVING_UP, DELAYS_MS } from '../../../src/background/webhooks/outcome.ts';
import { MAX_ATTEMPTS } from '../../../src/background/webhooks/repeat.ts';
import { MAX_RESPONSE_LENGTH } from '../../../src/background/webhooks/send.ts';
import { mintSecret, signedHeaders } from '../../../src/background/webhooks/signing.ts';
import { DELIVERIES_KEPT, DELIVERIES_KEPT_DAYS } from '../../../src/background/webhooks/sweep.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType, webhookOf } from '../../../src/base/events/catalogue.ts';
import { UNDO_WINDOW_MS } from '../../../src/base/events/decision-queries.ts';
import { freePort } from '../../support/free-port.ts';
import { localOutgoing } from '../../support/receiver.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/guide/webhooks.md'), 'utf8');
const [, SERVER = ''] = /```js\n([\s\S]*?)```/.exec(GUIDE)!;

test('the sample server processes a signed request once, and rejects a modified body', async () => {
  const secret = mintSecret(randomBytes);
  const port = await freePort();
  // The file is in the repository root, so that imports resolve from `node_modules`.
  const file = join(ROOT, `guide-${process.pid}.mjs`);
  writeFileSync(file, SERVER);
  const server = spawn(process.execPath, [file], { env: { PORT: String(port), WEBHOOK_SECRET: secret } });
  let output = '';
  server.stdout.on('data', (part) => {
    output += part;
  });
  const outgoing = localOutgoing({ connectMs: 50 });
  try {
    const payload = '{"type":"claim.redeemed","data":{"via":"grün"}}';
    const headers = signedHeaders([secret], { id: 'evt_1', atMs: Date.now(), payload });
    const post = (body: string) =>
      outgoing.request({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers, body }).then(
        ({ status }) => status,
        () => null,
      );
    while ((await post(payload)) === null) await sleep(20);
    expect(await post(payload)).toBe(204);
    expect(await post(`${payload} `)).toBe(401);
    expect(output.match(/claim\.redeemed/g)).toHaveLength(1);
  } finally {
    server.kill();
    outgoing.close();
    rmSync(file);
  }
});

test('the n8n code accepts a signed request, and rejects a wrong body, secret or timestamp', async () => {
  const code = /\*\*n8n\*\*[\s\S]*?```js\n([\s\S]*?)```/.exec(GUIDE)![1]!;
  const [secret, other] = [mintSecret(randomBytes), mintSecret(randomBytes)];
  const payload = '{"type":"claim.redeemed","data":{"via":"grün"}}';
  const AsyncFunction = (async () => {}).constructor as new (
    ...texts: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<unknown>;
  const node = new AsyncFunction('require', '$input', '$env', code);
  /** Runs the code as the Code node of n8n does. `body`: the raw request body. */
  const call = (body: string, atMs: number, secrets: readonly string[]) =>
    node.call(
      { helpers: { getBinaryDataBuffer: async () => Buffer.from(body) } },
      createRequire(import.meta.url),
      { first: () => ({ json: { headers: signedHeaders(secrets, { id: 'evt_1', atMs, payload }) } }) },
      { CLAIMCHECK_WEBHOOK_SECRET: secret },
    );
  const event = { id: 'evt_1', type: 'claim.redeemed', data: { via: 'grün' } };
  expect(await call(payload, Date.now(), [other, secret])).toEqual([{ json: event }]);
  await expect(call(`${payload} `, Date.now(), [secret])).rejects.toThrow('wrong or too old');
  await expect(call(payload, Date.now(), [other])).rejects.toThrow('wrong or too old');
  await expect(call(payload, Date.now() - 600_000, [secret])).rejects.toThrow('wrong or too old');
});

test('the guide lists the event types, the retry schedule and the limits', () => {
  const table = GUIDE.slice(GUIDE.indexOf('| Type |'), GUIDE.indexOf('New fields may be added'));
  const namesIn = (text = '') => [...text.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name!);
  const rows = table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map(namesIn));
  const types = rows.flatMap(([, names = []]) => names);
  expect(types.sort()).toEqual([...WEBHOOK_EVENT_TYPES, TEST_EVENT_TYPE].sort());
  for (const [, names = [], members] of rows) {
    for (const type of names.filter((name) => name !== TEST_EVENT_TYPE)) {
      const { data } = webhookOf(type as WebhookEventType);
      expect(members, type).toEqual(expect.arrayContaining(Object.keys(data.shape)));
    }
  }
  const units = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const;
  const delays = [...GUIDE.matchAll(/^\| \d+ \| (\d+) (second|minute|hour)s \|$/gm)].map(
    ([, count, unit]) => Number(count) * units[unit as keyof typeof units],
  );
  expect([0, ...delays]).toEqual(DELAYS_MS);
  for (const sentence of [
    `up to ${MAX_ENDPOINTS} endpoints`,
    `last ${DELIVERIES_KEPT_DAYS} days, at most the newest ${DELIVERIES_KEPT.toLocaleString('en')}`,
    `at most ${MAX_ATTEMPTS} times`,
    `at least ${ATTEMPTS_BEFORE_GIVING_UP} attempts of one delivery have failed`,
    `Within ${UNDO_WINDOW_MS / 1_000} seconds, the operator can undo a decision`,
    `first ${MAX_RESPONSE_LENGTH.toLocaleString('en')} characters`,
    `at most ${QUEUE_LIMITS.perAccount} requests at a time, and one endpoint at most ${QUEUE_LIMITS.perEndpoint}`,
  ]) {
    expect(GUIDE).toContain(sentence);
  }
});
