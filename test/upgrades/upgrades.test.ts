/**
 * The database of each released version comes through all later migrations: its claims, keys, replays, receipts,
 * sign-ins, deliveries and files are unchanged, and people use it as before, also after a move to PostgreSQL.
 */
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../src/app/service.ts';
import { editEndpoint } from '../../src/background/webhooks/endpoints.ts';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { openLetter } from '../../src/people/mail/queries.ts';
import { acceptAccessLink } from '../../src/people/visibility/access-link.ts';
import { latestVersion } from '../../src/platform/store/migrations/migrations.ts';
import { DATABASE_FILE, openDatabase, schemaDifference } from '../../src/platform/store/open.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/platform/text/durations.ts';
import { record, records } from '../app/cli/support.ts';
import { NOTES } from '../pages/sample-data.ts';
import { appCode } from '../people/sign-in/support.ts';
import { createDbLocation, type DbLocation, ENGINES } from '../support/engines.ts';
import { refusalOf } from '../support/events.ts';
import { issueTokens } from '../support/marketplace.ts';
import { accept } from '../support/members.ts';
import { nodeUrls } from '../support/nodes.ts';
import { Person, signedInAs } from '../support/person.ts';
import type { Env } from '../support/program.ts';
import { localOutgoing, startReceiver } from '../support/receiver.ts';
import { startSite } from '../support/site.ts';
import { readTables } from '../support/tables.ts';
import { callVerify } from '../support/verify.ts';
import { answerOfVerify } from './claims.ts';
import { SETTINGS } from './contents.ts';
import { asNextVersion, loadRelease, NEXT } from './load.ts';
import { readJson } from './reads.ts';
import { RELEASES, readRelease, type StoredFacts } from './stored.ts';

interface Upgraded {
  readonly site: Service;
  readonly facts: StoredFacts;
  readonly env: Env;
  readonly clock: { ms: number };
  readonly now: () => number;
}

describe.each(RELEASES)('a database of version %s', (version) => {
  const { at, facts: ofEngines, migrations } = readRelease(version);
  // Idempotency keys are valid for 24 hours, and the failed delivery is due in some minutes.
  const clock = { ms: at };
  const now = () => clock.ms;
  beforeEach(() => {
    clock.ms = at + MINUTE_MS;
  });

  test.each(ENGINES)('gets the schema of this version on %s, and loses no row', async (engine) => {
    const location = await loadRelease(version, engine);
    try {
      const before = await countRows(location, now);
      expect(await schemaDifference(location)).toBeNull();
      expect(before.get('schema_migrations')).toBe(latestVersion());
      expect(before.get('claim_rows')).toBeGreaterThan(50);
      await asNextVersion(async () => {
        const after = await countRows(location, now);
        expect(new Map([...before].filter(([name]) => name !== 'schema_migrations'))).toEqual(
          new Map([...after].filter(([name]) => name !== 'schema_migrations' && name !== 'claim_notes')),
        );
        expect(await schemaDifference(location)).toBeNull();
      });
      expect(NEXT.version).toBeGreaterThan(migrations.length);
      expect(await schemaDifference(location)).toContain(`has schema version ${NEXT.version}`);
    } finally {
      await location.remove();
    }
  });

  test.each(ENGINES)('is used as before by the next version on %s', async (engine) => {
    const location = await loadRelease(version, engine);
    try {
      await asNextVersion(async () => {
        const site = await startSite(location, SETTINGS, now);
        const upgraded: Upgraded = { site, facts: ofEngines[engine], env: location.env, clock, now };
        try {
          await expectUsedAsBefore(upgraded);
        } finally {
          await site.stop();
        }
        const checks = await records(['doctor'], location.env, { now });
        expect(checks.filter(({ ok }) => ok !== true)).toEqual([]);
        expect(await schemaDifference(location)).toBeNull();
      });
    } finally {
      await location.remove();
    }
  });

  // A database with the extension citus is refused.
  test.skipIf(nodeUrls().length > 1)('is used as before after a move to PostgreSQL', async () => {
    const embedded = await loadRelease(version, 'sqlite');
    const postgres = await createDbLocation('postgres', { isEmpty: true });
    const env = { ...postgres.env, SECRET_KEY: embedded.env['SECRET_KEY']! };
    try {
      const file = join(embedded.dataDir, DATABASE_FILE);
      const [moved] = await records(['migrate', '--from-embedded', file], env, { now });
      expect(moved).toMatchObject({ from: file, rows: expect.any(Number) });
      const site = await startSite({ env }, SETTINGS, now);
      try {
        await expectUsedAsBefore({ site, facts: ofEngines.sqlite, env, clock, now });
      } finally {
        await site.stop();
      }
      const checks = await records(['doctor'], env, { now });
      expect(checks.filter(({ ok }) => ok !== true)).toEqual([]);
    } finally {
      await Promise.all([embedded.remove(), postgres.remove()]);
    }
  });
});

async function expectUsedAsBefore(upgraded: Upgraded): Promise<void> {
  await expectReads(upgraded);
  await expectPages(upgraded);
  await expectCalls(upgraded);
  await expectReceipt(upgraded);
  await expectSignIns(upgraded);
  await expectDelivery(upgraded);
  await expectHeld(upgraded);
  await expectLinks(upgraded);
  await expectRedemptions(upgraded);
}

/** Opens the database, which migrates it, and returns the number of rows of each table. */
async function countRows(location: DbLocation, now: () => number): Promise<ReadonlyMap<string, number>> {
  const { databaseUrl, dataDir } = location;
  const db = await openDatabase({ databaseUrl, dataDir, now });
  try {
    return new Map([...(await readTables({ db }))].map(([name, rows]) => [name, rows.length]));
  } finally {
    await db.close();
  }
}

/** Later versions may add members to responses, but change none. */
async function expectReads({ site, facts }: Upgraded): Promise<void> {
  expect(facts.reads.length).toBeGreaterThan(8);
  for (const { path, key, body } of facts.reads) {
    expect(await readJson(site, path, key), path).toMatchObject(body as object);
  }
  const account = await site.context.db.read
    .selectFrom('accounts')
    .select('delete_at')
    .where('id', '=', facts.deletion.accountId)
    .executeTakeFirstOrThrow();
  expect(account.delete_at).toBe(facts.deletion.at);
}

/** The owner's session is still valid, and the claimant signs in. */
async function expectPages({ site, facts }: Upgraded): Promise<void> {
  const { owner, claimant, membersOnly, picture } = facts;
  const stranger = new Person(site.baseUrl);
  expect((await stranger.get(`/l/${NOTES}`)).status).toBe(200);
  expect((await stranger.get(`/l/${membersOnly}`)).status).toBe(403);
  const signedIn = new Person(site.baseUrl, { Cookie: owner.cookie });
  expect((await signedIn.get(`/l/${membersOnly}`)).status).toBe(200);
  const { status, text } = await signedIn.get('/dashboard/claims/export.csv');
  expect(status).toBe(200);
  expect(rowsOf(text)).toMatchObject(rowsOf(facts.exportedClaims));
  const bytes = await (await fetch(site.baseUrl + picture.path)).bytes();
  expect(Buffer.from(bytes).toString('base64')).toBe(picture.bytes);
  expect((await stranger.signIn(claimant.email, claimant.password)).status).toBe(303);
  expect((await stranger.get(claimant.claimPath)).text).toContain(claimant.claimCode);
}

const rowsOf = (csv: string): object[] => parse(csv, { columns: true, bom: true });

async function expectCalls({ site, facts }: Upgraded): Promise<void> {
  expect(facts.calls.length).toBeGreaterThan(20);
  for (const { what, key, body, idempotencyKey, status, answer } of facts.calls) {
    const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    const response = await callVerify(site.baseUrl, key, body, headers);
    const again = await answerOfVerify(response);
    if (status !== 200) expect(again, what).toEqual({ status, answer });
    else if (idempotencyKey === undefined)
      expect(JSON.parse(again.answer), what).toMatchObject(JSON.parse(answer));
    else {
      expect(again, what).toEqual({ status, answer });
      expect(response.headers.get('idempotency-replayed'), what).toBe('true');
    }
  }
}

/** The stored receipt and a new one have valid signatures and say the same. */
async function expectReceipt({ site, facts }: Upgraded): Promise<void> {
  const { path, receipt } = facts.receipt;
  const keys = createLocalJWKSet((await readJson(site, '/.well-known/jwks.json', null)) as JSONWebKeySet);
  const { receipt: current } = (await readJson(site, path, facts.liveKey)) as { readonly receipt: string };
  const payloads: object[] = [];
  for (const signed of [current, receipt]) {
    const { iss } = decodeJwt(signed);
    const options = { issuer: iss!, typ: 'claim-receipt+jwt', algorithms: ['ES256'] };
    const { payload } = await jwtVerify(signed, keys, options);
    payloads.push({ ...payload, iss: '', iat: 0 });
  }
  expect(payloads[0]).toMatchObject(payloads[1]!);
  expect(payloads[1]).toMatchObject({ status: 'redeemed', reference: 'invoice-4711' });
}

async function expectSignIns({ site, facts, now }: Upgraded): Promise<void> {
  const { owner, operator } = facts;
  const adele = new Person(site.baseUrl);
  expect((await adele.signIn(owner.email, 'not the password of the owner')).status).not.toBe(303);
  await adele.signIn(owner.email, owner.password);
  expect((await adele.get('/dashboard')).status).toBe(200);
  for (const code of [appCode(operator.appSecret, 0, now()), operator.backupCode]) {
    const olga = new Person(site.baseUrl);
    expect((await olga.signIn(operator.email, operator.password)).location).toContain('second-factor');
    expect(await olga.isSignedIn()).toBe(false);
    await olga.post('/sign-in/second-factor', { code });
    expect((await olga.get('/desk/queue')).status).toBe(200);
  }
}

/** A webhook that failed before is delivered to the owner's new address, with a signature by the stored secret. */
async function expectDelivery({ site, facts, clock }: Upgraded): Promise<void> {
  const { endpointId, secret, messageId, payload } = facts.delivery;
  const receiver = await startReceiver();
  const isDelivery = ({ headers }: (typeof receiver.received)[number]) => headers['webhook-id'] === messageId;
  try {
    await editEndpoint(site.context, localOutgoing(), {
      accountId: facts.owner.accountId,
      actor: `account:${facts.owner.accountId}`,
      endpointId,
      url: receiver.url,
      eventTypes: ['offer.changed'],
    });
    clock.ms += HOUR_MS;
    const job = site.jobs.jobs.find(({ name }) => name === 'Send webhooks')!;
    await expect
      .poll(() => site.jobs.runIfDue(job).then(() => receiver.received.some(isDelivery)))
      .toBe(true);
  } finally {
    receiver.close();
  }
  const request = receiver.received.find(isDelivery);
  expect(request?.body).toBe(payload);
  const { 'webhook-timestamp': seconds, 'webhook-signature': signature } = request!.headers;
  // `Webhook.verify` would compare the time with the real clock.
  expect(signature).toBe(new Webhook(secret).sign(messageId, new Date(Number(seconds) * 1_000), payload));
}

async function expectHeld({ site, facts, env, now }: Upgraded): Promise<void> {
  expect([facts.heldMails, facts.withheldCodes]).toEqual([1, 3]);
  for (const { to, text } of facts.mails) {
    const mails = site.context.db.read.selectFrom('mails').selectAll();
    const mail = await mails.where('recipient', '=', to).executeTakeFirstOrThrow();
    expect(openLetter(site.context.secretBox, mail)?.letter).toEqual([text]);
  }
  const released = {
    ...(await record(['release-mail'], env, { now })),
    ...(await record(['release-codes'], env, { now })),
  };
  expect(released).toEqual({ released_mails: facts.heldMails, released_codes: facts.withheldCodes });
}

/** Links work that were sent before. The mailbox of an erased account can't claim again. */
async function expectLinks({ site, facts }: Upgraded): Promise<void> {
  const { links, owner, claimant, membersOnly, erased } = facts;
  const { context } = site;
  const bo = new Person(site.baseUrl);
  const signIn = { code: links.signIn, next: '/claims', choice: 'sign-in' };
  expect((await bo.post('/sign-in/link', signIn)).location).toBe('/claims');
  expect((await bo.get(`/l/${membersOnly}`)).status).toBe(403);
  await acceptAccessLink(context, { code: links.access, personId: claimant.accountId });
  expect((await bo.get(`/l/${membersOnly}`)).status).toBe(200);

  const nora = await signedInAs(site, { email: links.invited });
  await accept(context, links.invitation, nora);
  const memberships = context.db.read.selectFrom('memberships').select(['account_id', 'role']);
  expect(await memberships.where('member_id', '=', nora.accountId).execute()).toEqual([
    { account_id: owner.accountId, role: 'member' },
  ]);

  const again = await createAccount(context, { email: erased, name: 'gia', actor: 'operator' });
  const claim = { claimantAccountId: again.id, listing: NOTES, offerId: firstOffer(facts) };
  expect(await refusalOf(claimOffer(context, claim))).toContain('already claimed with your mailbox');
}

const firstOffer = ({ calls }: StoredFacts): string =>
  (JSON.parse(calls[0]!.answer) as { readonly offer_id: string }).offer_id;

/** Stored claims and new ones are redeemed once. */
async function expectRedemptions({ site, facts }: Upgraded): Promise<void> {
  const offerId = firstOffer(facts);
  const issued = (await issueTokens(site.context, { offerId }, 3)).map((token) => ({
    key: facts.liveKey,
    token,
  }));
  const statuses: string[] = [];
  for (const { key, token } of [...facts.redeemable, ...issued]) {
    for (let call = 0; call < 2; call += 1) {
      const response = await callVerify(site.baseUrl, key, { token, redeem: true });
      statuses.push(((await response.json()) as { readonly status: string }).status);
    }
  }
  expect(statuses).toEqual(
    Array.from({ length: facts.redeemable.length + 3 }, () => ['redeemed', 'already_redeemed']).flat(),
  );
}
