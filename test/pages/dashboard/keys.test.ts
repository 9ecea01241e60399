/** The API keys page in the settings. The secret of a key is shown in one response only. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAttemptRecorder } from '../../../src/claims/attempts/recorder.ts';
import { keyPages } from '../../../src/pages/dashboard/keys/pages.tsx';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { declineRequest } from '../../../src/people/accounts/requests.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { revokeKey } from '../../../src/people/keys/end.ts';
import { hashKey } from '../../../src/people/keys/key.ts';
import { listKeys } from '../../../src/people/keys/queries.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { refusedCallOf } from '../../support/attempts.ts';
import { CHROMIUM, keepPicture, pageFindings, press, type Visitor } from '../../support/browser.ts';
import { shareDatabase } from '../../support/shared.ts';
import { allTexts } from '../../support/tables.ts';
import { startPages, type TestPages } from '../support.ts';
import { newViewer } from '../viewers.ts';

const KEYS = '/dashboard/settings/keys';
const KEY = /cck_(?:live|test)_[0-9A-Za-z]{38}/;
const actor = 'operator' as const;

describe('API keys', () => {
  const { context } = shareDatabase('sqlite');
  let pages: TestPages;
  let owner: Viewer;
  let log = '';

  beforeAll(async () => {
    const sink = new Writable({
      write(chunk, _encoding, done) {
        log += String(chunk);
        done();
      },
    });
    pages = await startPages([(app) => keyPages(app, context)], {
      log: pino({ level: 'trace' }, sink),
    });
  });
  afterAll(() => pages.close());
  beforeEach(async () => {
    owner = await newViewer(context);
    pages.viewer = owner;
  });

  const formId = async () => /name="form" value="([^"]+)"/.exec((await pages.get(`${KEYS}/new`)).text)![1]!;
  const create = async (form: Record<string, string> = {}) =>
    pages.post(KEYS, { form: await formId(), name: 'shop server', mode: 'live', expires: '', ...form });

  test('the secret of a new key appears in one response only, and never in later pages, logs or tables', async () => {
    const made = await create({ expires: '90d' });
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(made.headers.get('set-cookie')).toBeNull();
    expect(made.headers.get('location')).toBeNull();
    const key = KEY.exec(made.text)![0];
    expect(made.text).toContain(`CLAIMCHECK_API_KEY=${key}`);
    expect(made.text).toMatch(/# API key &quot;shop server&quot; of http\S+\. Keep it on your server/);

    const [row] = await listKeys(context.db.read, owner.accountId);
    const rolled = await pages.post(`${KEYS}/${row!.id}/roll`, { keep: '24h' });
    const newer = KEY.exec(rolled.text)![0];
    expect(rolled.text).not.toContain(key);
    for (const path of [KEYS, `${KEYS}/new`, '/dashboard/settings/plan', '/nowhere']) {
      const { text, headers } = await pages.get(path);
      for (const secret of [key, newer]) {
        expect(text).not.toContain(secret.slice(9, 20));
        expect(JSON.stringify([...headers])).not.toContain(secret.slice(9, 20));
      }
    }
    const everything = (await allTexts(context)) + log;
    expect(everything).toContain(key.slice(9, 13));
    for (const secret of [key, newer]) {
      expect(everything).not.toContain(secret.slice(9, 20));
      expect(everything).not.toContain(secret.slice(-12));
    }
  });

  test('a form that is sent several times concurrently creates one key', async () => {
    const form = { form: await formId(), name: 'twice', mode: 'live', expires: '' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => pages.post(KEYS, form)));
    expect(answers.filter(({ text }) => KEY.test(text))).toHaveLength(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.text).toContain('The form was sent twice');
    expect(await listKeys(context.db.read, owner.accountId)).toHaveLength(1);
    await create({ name: 'another form' });
    expect(await listKeys(context.db.read, owner.accountId)).toHaveLength(2);
  });

  test('a form whose ID is invalid or was used by another account still creates a key', async () => {
    const form = { form: uuidv7(context), name: 'same form', mode: 'live', expires: '' };
    const mine = await pages.post(KEYS, form);
    pages.viewer = await newViewer(context);
    const theirs = await pages.post(KEYS, form);
    expect([mine.status, theirs.status]).toEqual([200, 200]);
    const replay = await pages.post(KEYS, { ...form, form: 'not an id' });
    expect(replay.status).toBe(200);
  });

  test('a key is rolled only once if the form is sent twice concurrently', async () => {
    await create();
    const [old] = await listKeys(context.db.read, owner.accountId);
    const answers = await Promise.all([
      pages.post(`${KEYS}/${old!.id}/roll`, { keep: '1h' }),
      pages.post(`${KEYS}/${old!.id}/roll`, { keep: '1h' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.text).toContain('The form was sent twice');
    expect(await listKeys(context.db.read, owner.accountId)).toHaveLength(2);
  });

  test.each([
    [{ name: '' }, 'The name of the key is empty.'],
    [{ name: 'a\u0001b' }, 'control character'],
    [{ mode: 'both' }, 'The mode must be'],
    [{ networks: 'shop.example' }, 'A network of a key must be an IP address or a network'],
    [{ expires: 'soon' }, 'The lifetime of a key must be a number of'],
  ])('%j is rejected with a field error, and the other fields keep their input', async (form, sentence) => {
    const { status, text } = await create({ name: '"Kept" <name>', ...form });
    expect(status).toBe(422);
    expect(text).toContain(sentence);
    expect(text).toContain('aria-invalid="true"');
    if (!('name' in form)) expect(text).toContain('value="&quot;Kept&quot; &lt;name&gt;"');
    expect(await listKeys(context.db.read, owner.accountId)).toEqual([]);
  });

  test('a revoked key is listed as revoked, and revoking it again has no effect', async () => {
    await create();
    const [key] = await listKeys(context.db.read, owner.accountId);
    for (let at = 0; at < 2; at += 1) {
      const { status, headers } = await pages.post(`${KEYS}/${key!.id}/revoke`, {});
      expect([status, headers.get('location')]).toEqual([303, KEYS]);
    }
    const { text } = await pages.get(KEYS);
    expect(text).toContain('No key is active');
    expect(text).toContain('Revoked and expired keys (1)');
  });

  test('the networks of a key are chosen with the key or later, and its page shows refused calls', async () => {
    const made = await create({ networks: '203.0.113.0/24 2001:DB8::7\n192.0.2.1' });
    const [key] = await listKeys(context.db.read, owner.accountId);
    expect(key!.networks).toBe('203.0.113.0/24 2001:db8::7 192.0.2.1');
    expect((await pages.get(KEYS)).text).toContain('203.0.113.0/24, 2001:db8::7</span> and 1 more</a>');
    const recorder = createAttemptRecorder(context);
    recorder.recordOutsideCall(
      refusedCallOf({
        keyHash: hashKey(KEY.exec(made.text)![0]),
        requestId: 'req_outside',
        ip: '198.51.100.9',
      }),
    );
    await recorder.close();

    const path = `${KEYS}/${key!.id}/networks`;
    expect((await pages.get(KEYS)).text).toContain(`<a href="${path}">a call was refused`);
    const { text } = await pages.get(path);
    expect(text).toContain('203.0.113.0/24\n2001:db8::7\n192.0.2.1</textarea>');
    expect(text).toContain('198.51.100.9');
    expect(text).toContain('/dashboard/requests/req_outside');
    const refused = await pages.post(path, { networks: 'everywhere' });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('found &quot;everywhere&quot;'),
    ]);
    const saved = await pages.post(path, { networks: '198.51.100.0/24' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, KEYS]);
    const networks = async () => (await listKeys(context.db.read, owner.accountId))[0]!.networks;
    expect(await networks()).toBe('198.51.100.0/24');

    pages.viewer = { ...owner, isFreshlyProven: false };
    expect((await pages.post(path, { networks: '' })).status).toBe(403);
    expect(await networks()).toBe('198.51.100.0/24');
    pages.viewer = await newViewer(context);
    expect([(await pages.get(path)).status, (await pages.post(path, { networks: '' })).status]).toEqual([
      404, 404,
    ]);
  });

  test('keys cannot be created on the Starter plan, and the page explains codes instead', async () => {
    pages.viewer = await newViewer(context, { plan: 'starter' });
    const { text } = await pages.get(KEYS);
    expect(text).toContain('Your plan has codes, but no API keys');
    expect(text).not.toContain(`${KEYS}/new`);
    expect((await pages.get(`${KEYS}/new`)).status).toBe(303);
    expect((await pages.post(KEYS, { name: 'x', mode: 'live' })).status).toBe(303);
    expect(await listKeys(context.db.read, pages.viewer.accountId)).toEqual([]);
    const plan = await pages.get('/dashboard/settings/plan');
    expect(plan.text).toContain('Ask for Studio');
  });

  test('an open or just declined plan request is shown on the page, and a second request is rejected', async () => {
    const viewer = await newViewer(context, { plan: 'starter' });
    pages.viewer = viewer;
    const ask = (message = 'For our server.') =>
      pages.post('/dashboard/settings/plan/ask', { plan: 'studio', message });
    expect((await ask()).status).toBe(303);
    expect((await ask('For two servers.')).status).toBe(422);
    expect((await pages.get('/dashboard/settings/plan')).text).toContain('You asked for Studio');
    await declineRequest(context, {
      account: viewer.accountId,
      wish: 'plan',
      reason: 'Not yet.',
      actor: 'operator',
    });
    expect((await pages.get('/dashboard/settings/plan')).text).toContain('Not yet.');
    expect((await ask()).status).toBe(422);
  });

  describe.skipIf(CHROMIUM === null)('in Chromium', () => {
    const visit: Visitor['open'] = (path, javaScript) => pages.visitor.open(path, javaScript);

    test('a key is created by keyboard, then copied and downloaded without another request', async () => {
      const { page, faults, leave } = await visit(`${KEYS}/new`);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.keyboard.type('shop server');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your new API key' }).waitFor();
      const key = KEY.exec(await page.content())![0];
      expect(page.url()).not.toContain('cck_');
      await page.getByRole('button', { name: 'Copy the API key' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
      let requests = 0;
      page.on('request', (request) => {
        if (request.url().startsWith('http')) requests += 1;
      });
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download claimcheck.env' }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe('claimcheck.env');
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString()).toContain(`CLAIMCHECK_API_KEY=${key}\n`);
      expect(requests).toBe(0);
      expect(await pageFindings(page, 'new-key')).toEqual([]);
      expect(
        await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])'),
      ).not.toContain(key.slice(9));
      expect(faults).toEqual([]);
      await page.getByRole('link', { name: 'I have saved it' }).click();
      expect(await page.content()).not.toContain(key.slice(9, 20));
      await leave();
    });

    test('keys can be rolled and revoked without JavaScript, and the page shows the .env lines', async () => {
      await create({ name: 'by hand' });
      const { page, leave } = await visit(KEYS, false);
      await page.getByRole('button', { name: 'Roll key… by hand' }).click();
      await keepPicture(page, 'roll-dialog');
      await page.getByLabel('In an hour').check();
      await press(page, page.getByRole('button', { name: 'Roll key', exact: true }));
      expect(await page.locator('.code pre').textContent()).toMatch(/CLAIMCHECK_API_KEY=cck_live_/);
      expect(await page.getByRole('button', { name: 'Download claimcheck.env' }).count()).toBe(0);
      await page.goto(KEYS);
      await page.getByRole('button', { name: 'Revoke… by hand' }).first().click();
      await press(page, page.getByRole('button', { name: 'Revoke key' }));
      await page.getByText('Revoked and expired keys (1)').waitFor();
      await leave();
    });

    test('the list is a table in a window 1024 pixels wide, and shows cards in narrower windows', async () => {
      await create({ name: 'by hand' });
      const { page, leave } = await visit(KEYS);
      for (const [width, display] of [
        [1024, 'table-row'],
        [540, 'grid'],
        [390, 'grid'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        const shown = await page.evaluate("getComputedStyle(document.querySelector('tbody tr')).display");
        expect([width, shown]).toEqual([width, display]);
      }
      await leave();
    });

    test('the list passes the page checks with keys in every state', async () => {
      const account = owner.accountId;
      const long = 'Wir-übernehmen-die-Bereitstellungsgebührenrückerstattung-Produktionsserver-7 (Frankfurt)';
      await createKey(context, { account, name: long, expiresIn: '3d' as string, actor });
      await createKey(context, { account, name: 'Staging', mode: 'test', actor });
      const { id } = await createKey(context, { account, name: 'shop server', expiresIn: '90d', actor });
      const leaked = await createKey(context, { account, name: 'landing page', actor });
      await createKey(context, { account, name: 'laptop', actor }).then((key) =>
        revokeKey(context, { keyId: key.id, actor }),
      );
      await context.db.transaction(async (tx) => {
        const at = new Date().toISOString();
        await tx
          .updateTable('api_keys')
          .set({ seen_in_browser_at: at })
          .where('id', '=', leaked.id)
          .execute();
        await tx
          .insertInto('api_key_uses')
          .values({ account_id: account, api_key_id: id, last_used_at: at })
          .execute();
      });
      await pages.post(`${KEYS}/${id}/roll`, { keep: '7d' });
      expect(await pages.visitor.look(KEYS, 'keys-many')).toEqual([]);
      const { page, leave } = await visit(KEYS);
      const row = page.getByRole('row', { name: 'landing page' });
      expect(await row.getByText('Exposed').count()).toBe(1);
      expect(await row.getByText('Active').count()).toBe(0);
      await row.getByRole('button', { name: 'Roll key… landing page' }).click();
      expect(await page.locator(`[id="roll-${leaked.id}"]`).getByLabel('Now').isChecked()).toBe(true);
      await leave();
    });
  });
});
