/**
 * A chat endpoint gets one sentence per event. Anyone who has its URL can post to the chat, so the URL is stored like a
 * secret.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findEndpoint } from '../../../src/background/webhooks/endpoint-queries.ts';
import { createEndpoint, editEndpoint, rollSecret } from '../../../src/background/webhooks/endpoints.ts';
import type { EndpointFormat } from '../../../src/background/webhooks/formats.ts';
import { sendTestEvent } from '../../../src/background/webhooks/repeat.ts';
import { OFFER_TEXT } from '../../support/marketplace.ts';
import { localOutgoing, type Receiver, startReceiver } from '../../support/receiver.ts';
import { shareBench } from './support.ts';

const SECRET_PATH = 'T0/B0/a-secret-that-nobody-can-guess';

describe('chat endpoints', () => {
  const bench = shareBench('sqlite');
  const outgoing = localOutgoing();
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const urlAt = (path: string): string => new URL(path, receiver.url).href;
  const create = (format: EndpointFormat, url = urlAt(SECRET_PATH)) =>
    createEndpoint(bench.context, outgoing, {
      ...bench.by(),
      url,
      format,
      eventTypes: ['claim.created'],
    });
  const find = (id: string) => findEndpoint(bench.context.db.read, bench.owner.accountId, id);
  const edit = (id: string, url: string | null) =>
    editEndpoint(bench.context, outgoing, { ...bench.own(id), url, eventTypes: ['claim.created'] });

  /** All stored data about webhooks. */
  const stored = async (): Promise<string> => {
    const { read } = bench.context.db;
    return JSON.stringify([
      await read.selectFrom('webhook_endpoints').selectAll().execute(),
      await read.selectFrom('deliveries').selectAll().execute(),
      await read.selectFrom('delivery_attempts').selectAll().execute(),
      await read.selectFrom('events').selectAll().where('type', 'like', 'endpoint.%').execute(),
    ]);
  };

  test.each([
    ['slack', { text: expect.stringContaining(`New claim: ${OFFER_TEXT}`), mrkdwn: false }],
    ['discord', { content: expect.stringContaining('New claim: '), allowed_mentions: { parse: [] } }],
    ['mattermost', { text: expect.stringContaining('New claim: ') }],
    ['ntfy', null],
  ] as const)('%s gets an unsigned message in its own format, at its full URL', async (format, message) => {
    await create(format);
    await bench.claims(1);
    await bench.deliver();
    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(path).toBe(`/${SECRET_PATH}`);
    expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    if (message === null) {
      expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
      expect(body).toBe(`New claim: ${OFFER_TEXT} (${bench.owner.slug})`);
    } else expect(JSON.parse(body)).toMatchObject(message);
    expect(await bench.attempts()).toEqual([{ status: 200, failure: null }]);
  });

  test('never store the URL in plain text, even if a response repeats it or a request fails', async () => {
    const { id } = await create('ntfy');
    receiver.answer = ({ path }, response) => response.writeHead(500).end(`no topic ${path}`);
    await sendTestEvent(bench.context, bench.own(id));
    await bench.deliver();
    receiver.close();
    bench.pass(10_000);
    await bench.deliver({ outgoing: localOutgoing({ connectMs: 100 }) });
    expect((await bench.attempts()).map(({ status }) => status)).toEqual([500, null]);
    const text = await stored();
    expect(text).toContain('no topic ');
    expect(text).not.toContain('nobody-can-guess');
    expect((await find(id)).url).toBe(`${new URL(receiver.url).origin}/…uess`);
  });

  test('get 60 messages in order, within the limits of Discord and with few refusals', async () => {
    const { id } = await create('discord');
    const accepted: number[] = [];
    let refusals = 0;
    receiver.answer = (_, response) => {
      const now = bench.context.now();
      // Discord allows 5 messages in 2 seconds and 30 in a minute.
      const waits = [5, 30].map((most) => {
        const windowMs = most === 5 ? 2_000 : 60_000;
        const oldest = accepted.at(-most);
        return oldest === undefined ? 0 : oldest + windowMs - now;
      });
      const waitMs = Math.max(...waits);
      if (waitMs > 0) {
        refusals += 1;
        const seconds = waitMs / 1_000;
        response.writeHead(429, { 'retry-after': String(Math.ceil(seconds)) });
        response.end(JSON.stringify({ retry_after: seconds }));
        return;
      }
      accepted.push(now);
      response.writeHead(204).end();
    };
    const startedMs = bench.context.now();
    await bench.claims(60);
    for (let run = 0; run < 200 && accepted.length < 60; run += 1) {
      const clock = setInterval(() => receiver.open === 0 && bench.pass(100), 10);
      await bench.deliver();
      clearInterval(clock);
      // The job starts once a second.
      bench.pass(1_000);
    }
    expect(accepted).toHaveLength(60);
    expect(accepted.at(-1)! - startedMs).toBeLessThan(100_000);
    expect(refusals).toBeLessThan(20);
    expect(receiver.most).toBe(1);
    const deliveries = await bench.deliveries(id);
    expect(deliveries.every(({ attempts, delivered_at }) => attempts === 1 && delivered_at !== null)).toBe(
      true,
    );
    const inOrder = deliveries.toSorted((a, b) => a.delivered_at!.localeCompare(b.delivered_at!));
    expect(inOrder.map(({ event_seq }) => event_seq)).toEqual(
      deliveries.map(({ event_seq }) => event_seq).toSorted((a, b) => a! - b!),
    );
  });

  test('keep their URL if an edit omits it, and have no signing secret to roll', async () => {
    const { id } = await create('discord');
    await edit(id, null);
    await sendTestEvent(bench.context, bench.own(id));
    await bench.deliver();
    await edit(id, urlAt('another/secret/path/of/the/chat'));
    await sendTestEvent(bench.context, bench.own(id));
    await bench.deliver();
    expect(receiver.received.map(({ path }) => path)).toEqual([
      `/${SECRET_PATH}`,
      '/another/secret/path/of/the/chat',
    ]);
    const { secret_made_at: madeAt } = await find(id);
    await expect(rollSecret(bench.context, { ...bench.own(id), madeAt })).rejects.toThrow(
      'no signing secret',
    );
    const mattermost = urlAt('/hooks/abcdefghijklmnopqrstuvwxyz');
    await expect(edit(id, mattermost)).rejects.toThrow('Mattermost URL');
    const { id: signed } = await create('standard', receiver.url);
    await expect(edit(signed, mattermost)).rejects.toThrow('Mattermost URL');
    await expect(create('standard', mattermost)).rejects.toThrow('Mattermost URL');
    expect((await find(signed)).url).toBe(receiver.url);
  });
});
