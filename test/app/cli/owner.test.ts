/** Commands that use an owner's API key: claims, redemptions, campaigns and listen. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listClaims } from '../../../src/api/owner/claims.ts';
import { CLAIM_FILTER_NAMES } from '../../../src/claims/search/claim-filter.ts';
import { revokeKey } from '../../../src/people/keys/end.ts';
import { claimsOf, createOwner, issueTokens } from '../../support/marketplace.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { shareOwner, shareSite } from '../../support/shared.ts';
import { records, recordsIn, run, start } from './support.ts';

const site = shareSite('sqlite');
const owner = shareOwner(site.context);
const stops: AbortController[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort('SIGINT');
});

/** Starts `listen --json`. If the command is still running after the test, `afterEach` stops it. */
function listen(...args: readonly string[]) {
  const stop = new AbortController();
  stops.push(stop);
  const { code, stdout, stderr } = start(
    ['listen', '--json', ...args],
    {},
    { stopSignal: () => stop.signal },
  );
  return { code, stderr, stop, lines: () => recordsIn(stdout()) };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(10);
};

describe('commands with an API key', () => {
  const env = (key = owner.liveKey) => ({ CLAIMCHECK_API_KEY: key, CLAIMCHECK_URL: site.baseUrl });

  test('read claims, redemptions and campaigns from the service', async () => {
    const [token] = await issueTokens(site.context, owner, 3, { via: 'spring' });
    await issueTokens(site.context, owner, 1, { mode: 'test' });
    expect((await run(['verify', token!, '--redeem'], env())).code).toBe(0);
    const rows = (await claimsOf(site.context, owner)).filter(({ mode }) => mode === 'live');
    const ids = rows.map(({ id }) => id).toReversed();
    expect((await records(['claims', 'list'], env())).map(({ id }) => id)).toEqual(ids);
    expect(await records(['claims', 'list', '--limit', '2'], env())).toHaveLength(2);
    expect(await records(['claims', 'list'], env(owner.testKey))).toHaveLength(1);
    const [redeemed] = await records(['claims', 'list', '--state', 'redeemed', '--via', 'spring'], env());
    expect(await records(['claims', 'show', String(redeemed!['id'])], env())).toEqual([redeemed]);
    const [first, end] = await records(['redemptions'], env());
    expect(first).toEqual(redeemed);
    expect(await records(['redemptions', '--after', String(end!['next'])], env())).toEqual([
      { next: expect.any(String) },
    ]);
    const campaigns = ['--url', site.baseUrl, '--key', owner.liveKey, 'campaigns', owner.slug];
    expect(await records(campaigns, {})).toEqual([
      {
        via: 'spring',
        visits: 0,
        visitors: 0,
        claims: 3,
        arrived: 0,
        redeemed: 1,
        redeemable: 3,
        rate: 1 / 3,
      },
    ]);
  });

  test('`claims export --listing` accepts the filters of `claims list`', async () => {
    const [token] = await issueTokens(site.context, owner, 2, { via: 'export' });
    expect((await run(['verify', token!, '--redeem'], env())).code).toBe(0);
    const exported = (...filters: string[]) =>
      records(['claims', 'export', '--listing', owner.slug, ...filters], site.env);
    expect(await exported('--via', 'export')).toHaveLength(2);
    expect(await exported('--via', 'export', '--state', 'redeemed')).toHaveLength(1);
    expect(await exported('--mode', 'test', '--via', 'export')).toEqual([]);
    expect(await exported('--claimed-from', '2126-01-01')).toEqual([]);
    const { code, stderr } = await run(['claims', 'export', '--via', 'export'], site.env);
    expect([code, stderr]).toEqual([2, 'Filters need --listing.\n']);
  });

  test('have an option for every claim filter of the API', async () => {
    const options = CLAIM_FILTER_NAMES.map((name) => `--${name.replaceAll('_', '-')} `);
    const ofKey = (list: readonly string[], mode: string) => list.filter((name) => name !== mode);
    expect(Object.keys(listClaims.operation.input.query.shape)).toEqual([
      ...ofKey(CLAIM_FILTER_NAMES, 'mode'),
      'after',
      'limit',
    ]);
    const help = async (command: string) => (await run(['claims', command, '--help'], {})).stdout;
    const [list, exported] = [await help('list'), await help('export')];
    for (const option of ofKey(options, '--mode ')) expect(list).toContain(option);
    for (const option of options) expect(exported).toContain(option);
  });

  test('reject a key of the wrong kind without printing the key', async () => {
    const operatorKey = `cko_${'x'.repeat(38)}`;
    const said = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
      const { stdout, stderr } = await run(args, { CLAIMCHECK_URL: 'http://127.0.0.1:1', ...more });
      expect(stdout).toBe('');
      expect(stderr).not.toMatch(/xxxx/);
      return stderr;
    };
    const needsOperator = 'but this command needs an operator key (cko_…).';
    expect(await said(['--key', owner.liveKey, 'accounts', 'list'])).toContain(
      `--key is an owner's API key (cck_…), ${needsOperator}`,
    );
    expect(await said(['offers', 'list', 'a'], { CLAIMCHECK_KEY: owner.testKey })).toContain(
      `CLAIMCHECK_KEY is an owner's API key (cck_…), ${needsOperator}`,
    );
    for (const command of [['verify', 'abc'], ['redemptions'], ['claims', 'list']]) {
      expect(await said(['--key', operatorKey, ...command], { CLAIMCHECK_API_KEY: owner.liveKey })).toContain(
        "--key is an operator key (cko_…), but this command needs an owner's API key (cck_…)",
      );
      expect(await said([...command, '--key', operatorKey])).toContain('--key is an operator key');
      expect(await said(command)).toContain('CLAIMCHECK_API_KEY is not set');
    }
  });
});

describe('listen', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test('forwards signed events of the key’s mode until the key is revoked', async () => {
    const one = await createOwner(site.context);
    await issueTokens(site.context, one, 1);
    const events = ['--events', 'claim.created,key.created'];
    const service = ['--key', one.liveKey, '--url', site.baseUrl];
    const listening = listen('--forward', receiver.url, ...events, ...service);
    await until(() => listening.lines().length > 0);
    const secret = String(listening.lines()[0]!['secret']);
    receiver.answer = (_, response) => response.writeHead(418).end();
    await issueTokens(site.context, one, 1, { mode: 'test' });
    await issueTokens(site.context, one, 2);
    await issueTokens(site.context, owner, 1);
    await until(() => listening.lines().length === 3);
    const ids = (await claimsOf(site.context, one)).filter(({ mode }) => mode === 'live').map(({ id }) => id);
    expect(receiver.received).toHaveLength(2);
    for (const [at, { headers, body }] of receiver.received.entries()) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({
        type: 'claim.created',
        data: { mode: 'live', claim_id: ids[at + 1] },
      });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Claimcheck-Webhooks/1',
      });
      expect(listening.lines()[at + 1]).toMatchObject({
        id: headers['webhook-id'],
        status: 418,
        error: null,
      });
    }
    await revokeKey(site.context, { keyId: one.liveKeyId, actor: 'operator' });
    expect(await listening.code).toBe(1);
    expect(listening.stderr()).toContain('This API key is not valid');
  });

  test('retries after a 503 and then continues from its cursor', async () => {
    const event = {
      id: 'evt_1',
      type: 'of.a.newer.service',
      timestamp: '2026-11-20T10:00:00.000Z',
      data: {},
    };
    const page = (events: object[], next: string) => [200, { events, next, has_more: false }] as const;
    const answers = [page([], '1.aaaaaaaaaaaa'), [503, {}] as const, page([event], '2.aaaaaaaaaaaa')];
    const asked: string[] = [];
    const service = http.createServer((request, response) => {
      asked.push(request.url!);
      const [status, body] = answers.shift() ?? page([], '2.aaaaaaaaaaaa');
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const closed = 'http://127.0.0.1:1/hook';
    const listening = listen('--forward', closed, '--url', url, '--key', owner.liveKey);
    await until(() => listening.lines().length === 2);
    expect(listening.lines()[1]).toMatchObject({ id: 'evt_1', status: null, error: expect.any(String) });
    expect(listening.stderr()).toMatch(/Retrying until a call succeeds\.\nListening again\./);
    expect(asked.slice(0, 3)).toEqual([
      '/api/v1/marketplace/events',
      '/api/v1/marketplace/events?after=1.aaaaaaaaaaaa',
      '/api/v1/marketplace/events?after=1.aaaaaaaaaaaa',
    ]);
    listening.stop.abort('SIGINT');
    expect(await listening.code).toBe(130);
    service.close();
  });

  test.each([
    [['--forward', 'ftp://localhost/'], '--forward must be a URL'],
    [['--forward', 'http://localhost:1/', '--events', 'claim.made'], 'Unknown event "claim.made"'],
    [['--forward', 'http://localhost:1/', '--key', 'cck_live_nothing'], 'This API key is not valid'],
  ])('rejects %j', async (args, words) => {
    const { code, stderr } = await run(['listen', ...args], {
      CLAIMCHECK_API_KEY: owner.liveKey,
      CLAIMCHECK_URL: site.baseUrl,
    });
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(words)]);
  });
});
