/** Webhook endpoints in the dashboard (Developers → Webhooks), with a real receiver. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDeliverer } from '../../../src/background/webhooks/deliver.ts';
import { MAX_ENDPOINTS } from '../../../src/background/webhooks/endpoint.ts';
import { webhookPages } from '../../../src/pages/editor/webhooks/pages.tsx';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { revokeKey } from '../../../src/people/keys/end.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import { createOutgoing } from '../../../src/platform/network/outgoing-request.ts';
import { CHROMIUM, press } from '../../support/browser.ts';
import { localOutgoing, type Receiver, startReceiver } from '../../support/receiver.ts';
import { shareCleanups } from '../../support/shared.ts';
import { type Dashboard, decode, idIn, openDashboard, problemsIn } from './support.ts';

const PATH = '/dashboard/webhooks';
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;

describe('an owner’s webhooks', () => {
  let dashboard: Dashboard;
  let receiver: Receiver;
  let owner: Viewer;
  const outgoing = localOutgoing();
  const cleanups = shareCleanups();

  beforeAll(async () => {
    dashboard = await openDashboard('sqlite', (context) => [
      (app) => webhookPages(app, context, outgoing, 'owner'),
    ]);
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    // Receivers are closed after the last test, because retrying a delivery to a closed receiver takes a second.
    cleanups.push(receiver.close);
    owner = await dashboard.signIn();
  });
  afterAll(() => dashboard?.close());

  const formId = async () =>
    /name="form" value="([^"]+)"/.exec((await dashboard.get(`${PATH}/new`)).text)![1]!;
  const fields = async (more: Record<string, string> = {}) => ({
    form: await formId(),
    url: receiver.url,
    description: 'Shop server',
    'key.created': 'yes',
    'key.revoked': 'yes',
    ...more,
  });
  const create = async (more: Record<string, string> = {}) => {
    const { status, text, headers } = await dashboard.post(PATH, await fields(more));
    expect(status).toBe(200);
    return {
      id: idIn(/href="([^"]+)">I have saved it/.exec(text)![1]!),
      secret: SECRET.exec(decode(text))![0],
      headers,
    };
  };
  const makeKey = (name: string) =>
    createKey(dashboard.context, { account: owner.accountId, name, actor: `account:${owner.accountId}` });
  const deliver = () =>
    createDeliverer({ context: dashboard.context, outgoing, baseUrl: '', roundMs: 20 }).run(
      new AbortController().signal,
    );
  const deliveryOf = (text: string) => /\/deliveries\/[0-9a-f-]{36}/.exec(text)![0];

  test('a secret is shown in full only when it is created or rolled', async () => {
    const { id, secret, headers } = await create();
    expect(headers.get('cache-control')).toContain('no-store');
    const current = async () =>
      /name="secret" value="([^"]+)"/.exec((await dashboard.get(`${PATH}/${id}`)).text)![1]!;
    const shown = await current();
    const rolled = await dashboard.post(`${PATH}/${id}/roll`, { secret: shown });
    const newer = SECRET.exec(decode(rolled.text))![0];
    expect(newer).not.toBe(secret);
    // Submitting the same form again does not roll the new secret.
    const again = await dashboard.post(`${PATH}/${id}/roll`, { secret: shown });
    expect([again.status, SECRET.test(decode(again.text))]).toEqual([422, false]);
    expect(again.text).toContain('This secret was already rolled');
    // The first characters let the owner identify the secret that a server uses.
    const endpoint = decode((await dashboard.get(`${PATH}/${id}`)).text);
    for (const one of [secret, newer]) expect(endpoint).toContain(`${one.slice(0, 10)}…`);
    for (const path of [PATH, `${PATH}/new`, `${PATH}/${id}`, `${PATH}/${id}/edit`]) {
      const text = decode((await dashboard.get(path)).text);
      for (const one of [secret, newer]) expect(text).not.toContain(one.slice(6, 20));
    }
  });

  test('once saved, the URL of a chat endpoint is redacted on every page', async () => {
    const secret = 'a-secret-that-nobody-can-guess';
    const url = new URL(`/services/${secret}`, receiver.url).href;
    const added = await dashboard.post(PATH, await fields({ url, format: 'slack' }));
    expect(added.status).toBe(303);
    const page = added.headers.get('location')!;
    const saved = { description: 'Team channel', 'key.created': 'yes' };
    const form = (await dashboard.get(`${page}/edit`)).text;
    expect(/<input[^>]*name="url"[^>]*>/.exec(form)?.[0]).toMatch(/ value=""|^(?!.* value=)/);
    expect((await dashboard.post(`${page}/edit`, { ...saved, url: '' })).status).toBe(303);
    const delivery = (await dashboard.post(`${page}/test`, {})).headers.get('location')!;
    await deliver();
    expect(receiver.received[0]).toMatchObject({ path: `/services/${secret}` });
    for (const path of [PATH, page, `${page}/edit`, delivery]) {
      const text = decode((await dashboard.get(path)).text);
      expect(text).not.toContain(secret);
      expect(text).toContain(path === `${page}/edit` ? 'Leave this field empty to keep' : '…uess');
    }
    expect(decode((await dashboard.get(page)).text)).not.toContain('Roll secret');
    expect(decode((await dashboard.get(delivery)).text)).toContain('This is a test event');
    const refused = await dashboard.post(PATH, await fields({ format: 'carrier pigeon' }));
    expect(problemsIn(refused.text)).toEqual(['Choose a format.']);
  });

  test('an invalid form keeps its input and shows an error at each invalid field', async () => {
    const refusal =
      'The URL cannot be called: its host is unknown or not on the public internet. Check its spelling; the operator can allow other networks (WEBHOOK_ALLOW_NETWORKS).';
    const bad = await fields({ url: 'https://10.0.0.1/hook', 'key.created': '', description: 'kept' });
    const { 'key.created': _, 'key.revoked': __, ...rest } = bad;
    const answer = await dashboard.post(PATH, rest);
    expect(answer.status).toBe(422);
    expect(problemsIn(answer.text)).toEqual([refusal, 'Choose at least one event.']);
    // The error summary above the form follows the order of the fields.
    expect(decode(answer.text)).toMatch(/href="#field-url">The URL[^<]*<\/a><\/li><li><a [^>]*>Choose/);
    expect(answer.text).toContain('value="kept"');
    const address = await dashboard.post(PATH, await fields({ url: 'https://10.0.0.1/hook' }));
    expect(problemsIn(address.text)).toEqual([refusal]);
    expect(address.text).toMatch(/name="key.created" value="yes" checked/);
    expect(address.text).not.toMatch(/name="claim.created" value="yes" checked/);
  });

  test('the form states which addresses the service can call', async () => {
    expect((await dashboard.get(`${PATH}/new`)).text).toContain(
      'http://localhost with a port works here too',
    );
    const reachWith = (...networks: string[]) => {
      const outgoing = createOutgoing({ allowed: networkList(networks) });
      outgoing.close();
      return outgoing.reach;
    };
    expect([reachWith(), reachWith('10.0.0.0/8'), reachWith('127.0.0.0/8')]).toEqual([
      'public',
      'networks',
      'local',
    ]);
  });

  test('a form submitted twice creates one endpoint, and an account can have at most ten endpoints', async () => {
    const form = await fields();
    const answers = await Promise.all([dashboard.post(PATH, form), dashboard.post(PATH, form)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)!.text).toContain(
      'This form was already submitted, and the endpoint was added.',
    );
    for (let made = 1; made < MAX_ENDPOINTS; made += 1) await create();
    const refused = await dashboard.post(PATH, await fields());
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('An account can have at most 10 endpoints');
    expect((await dashboard.get(PATH)).text).not.toContain('Add endpoint');
  });

  test('the page of a delivery shows the request and the response, and the delivery can be resent', async () => {
    const { id, secret } = await create();
    receiver.answer = (_, response) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end('<b>no</b>');
    await makeKey('first');
    await deliver();
    const list = await dashboard.get(`${PATH}/${id}?state=waiting`);
    for (const text of ['Trying again', 'first', '500, ', 'Waiting<span class="count">1</span>']) {
      expect(list.text).toContain(text);
    }
    const delivery = `${PATH}/${id}${deliveryOf(list.text)}`;
    const shown = await dashboard.get(delivery);
    const [sent] = receiver.received;
    for (const text of ['">500</span>', '<b>no</b>', sent!.body, sent!.headers['webhook-id']!]) {
      expect(decode(shown.text)).toContain(text);
    }
    expect(shown.text).not.toContain('<b>no</b>');
    // The page shows the body indented. The copy button copies the body as sent, because the signature covers the exact
    // text.
    expect(decode(shown.text)).toContain(`data-copy="${sent!.body}"`);
    expect(decode(shown.text)).not.toContain(sent!.headers['webhook-signature']!.slice(3));

    receiver.answer = (_, response) => response.end('thanks');
    expect((await dashboard.post(`${delivery}/resend`)).location).toBe(delivery);
    await deliver();
    expect((await dashboard.get(delivery)).text).toContain('">200</span>');
    const tested = await dashboard.post(`${PATH}/${id}/test`);
    await deliver();
    expect((await dashboard.get(tested.location!)).text).toContain('Delivered');
    const last = receiver.received.at(-1)!;
    expect(new Webhook(secret).verify(last.body, last.headers)).toMatchObject({ type: 'endpoint.test' });
  });

  test('failed deliveries can be recovered', async () => {
    const { id } = await create();
    await makeKey('lost');
    receiver.answer = (_, response) => response.writeHead(500).end();
    await deliver();
    await dashboard.context.db.transaction((tx) =>
      tx
        .updateTable('deliveries')
        .set({ next_at: null, failed_at: new Date().toISOString() })
        .where('endpoint_id', '=', id)
        .execute(),
    );
    receiver.answer = (_, response) => response.end();
    const answer = await dashboard.post(`${PATH}/${id}/recover`, { since: '1h' });
    expect(answer.location).toBe(`${PATH}/${id}?recovered=1`);
    expect((await dashboard.get(answer.location!)).text).toContain('1 delivery recovered');
    await deliver();
    expect((await dashboard.get(`${PATH}/${id}?state=failed`)).text).toContain('No delivery has failed.');
    expect((await dashboard.post(`${PATH}/${id}/recover`, { since: 'ever' })).status).toBe(422);
  });

  test('an account can submit at most 60 endpoint URLs an hour, to prevent network scanning', async () => {
    const ask = async (at: number) =>
      (await dashboard.post(PATH, await fields({ url: `https://10.20.30.${at}/` }))).status;
    const statuses: number[] = [];
    for (let at = 0; at < 61; at += 1) statuses.push(await ask(at));
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 422), 429]);
    await dashboard.signIn();
    expect((await dashboard.post(PATH, await fields())).status).toBe(200);
  });

  test('an endpoint can be edited, disabled, enabled again (and get its missed events) and deleted', async () => {
    const { id } = await create();
    const other = receiver.url.replace('/hook', '/other');
    const edited = await dashboard.post(`${PATH}/${id}/edit`, {
      url: other,
      description: '',
      'key.created': 'yes',
    });
    expect(edited.location).toBe(`${PATH}/${id}`);
    await dashboard.post(`${PATH}/${id}/disable`);
    expect((await dashboard.get(`${PATH}/${id}`)).text).toContain('You disabled the endpoint.');
    expect((await dashboard.post(`${PATH}/${id}/test`)).text).toContain('The endpoint is disabled');
    const { id: key } = await makeKey('in between');
    await revokeKey(dashboard.context, {
      keyId: key,
      accountId: owner.accountId,
      actor: `account:${owner.accountId}`,
    });
    await deliver();
    expect(receiver.received).toEqual([]);
    await dashboard.post(`${PATH}/${id}/enable`, { missed: 'yes' });
    await deliver();
    expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body).type])).toEqual([
      ['/other', 'key.created'],
    ]);
    expect((await dashboard.post(`${PATH}/${id}/delete`)).location).toBe(PATH);
    expect((await dashboard.get(`${PATH}/${id}`)).status).toBe(404);
    expect((await dashboard.get(PATH)).text).toContain('No endpoints yet');
  });

  test.skipIf(CHROMIUM === null)(
    'the pages of a failing endpoint have no layout or accessibility issues',
    async () => {
      const found: string[] = [];
      const look = async (path: string, name: string) => found.push(...(await dashboard.look(path, name)));
      // `everywhere.test.ts` checks the other states.
      const long = `${receiver.url}/Bereitstellungsgebuehrenrueckerstattung${'/a'.repeat(40)}`;
      const description = 'Wir übernehmen die Bereitstellungsgebührenrückerstattung (Frankfurt)';
      const { id } = await create({ url: long, description });
      await makeKey('good');
      await deliver();
      receiver.answer = (_, response) => response.writeHead(500).end('x'.repeat(2_000));
      await makeKey('bad');
      await deliver();
      await dashboard.post(`${PATH}/${id}/test`);
      await look(`${PATH}/${id}`, 'webhook-failing');
      const waiting = (await dashboard.get(`${PATH}/${id}?state=waiting`)).text;
      await look(`${PATH}/${id}${deliveryOf(waiting)}`, 'webhook-delivery-waiting');
      expect(found).toEqual([]);
    },
  );

  test.skipIf(CHROMIUM === null)('the page of a pending delivery updates automatically', async () => {
    const { id } = await create();
    await dashboard.visit(`${PATH}/${id}`, async (page, faults) => {
      await press(page, page.getByRole('button', { name: 'Send test event' }));
      await page.getByText('Not sent yet').waitFor();
      await deliver();
      await page.getByText('200', { exact: true }).waitFor();
      expect(faults).toEqual([]);
    });
  });
});
