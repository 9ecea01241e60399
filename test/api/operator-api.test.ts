/** The operator API, called with operator keys on a running service. */
import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openApiDocument } from '../../src/api/operations.ts';
import { OPERATOR_ROUTES } from '../../src/api/operator/routes.ts';
import type { Service } from '../../src/app/service.ts';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import type { Context } from '../../src/base/context.ts';
import { lastSeq } from '../../src/base/events/queries.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { changeCategories } from '../../src/marketplace/listings/categories.ts';
import { addCategory } from '../../src/marketplace/listings/category.ts';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { editListing } from '../../src/marketplace/listings/edit.ts';
import { MAX_LISTINGS_OF_ACCOUNT } from '../../src/marketplace/listings/listing.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { editOffer } from '../../src/marketplace/offers/edit.ts';
import { MAX_OFFERS_OF_LISTING } from '../../src/marketplace/offers/offer.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { renameAccount } from '../../src/people/accounts/rename.ts';
import { createKey, createOperatorKey } from '../../src/people/keys/create.ts';
import { revokeOperatorKey } from '../../src/people/keys/end.ts';
import { MAX_ACTIVE_KEYS, SCOPES } from '../../src/people/keys/key.ts';
import { findKey } from '../../src/people/keys/queries.ts';
import { suspendAccount } from '../../src/people/members/suspend.ts';
import { UNKNOWN_KEYS_PER_SECOND } from '../../src/platform/http/server/cached-keys.ts';
import { withChecksum } from '../../src/platform/secrets/secrets.ts';
import { BASE_URL } from '../platform/http/harness.ts';
import { ENGINES } from '../support/engines.ts';
import { readEventsBetween } from '../support/event-reader.ts';
import { createOwner, type Owner } from '../support/marketplace.ts';
import { noMailer } from '../support/person.ts';
import { shareSite } from '../support/shared.ts';
import { startSite } from '../support/site.ts';
import {
  differences,
  documentedResponses,
  type OpenApiDocument,
  observedResponses,
} from './documented-responses.ts';
import { answerTo, type GoodCall, provokeAll, requestBytes } from './provocations.ts';

const API = '/api/v1/operator';
const NOTHING = '019a9f6c-0000-7000-8000-000000000000';
const COMPARED_AT_ONCE = 2;
const LINK = 'https://acme.example/welcome?claim={claim}';

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a different response body.
  readonly body: any;
}

/** A call that succeeds, and calls that cause errors specific to the operation. */
interface Sample {
  readonly good: Sent;
  readonly own?: readonly Sent[];
}
interface Sent {
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

let names = 0;
const fresh = (): string => {
  names += 1;
  return `api-${process.pid}-${names}`;
};

const OPERATIONS = OPERATOR_ROUTES.map(({ operation }) => operation);
const DOCUMENT = openApiDocument(BASE_URL, DEFAULT_BRAND) as OpenApiDocument;

const inputOf = (schema: z.ZodType = z.object({})) => z.toJSONSchema(schema, { io: 'input' });

/**
 * Builds a call from `values`. Body members without a value get the example or the last enum value from their schema.
 * Optional members without an example are omitted.
 */
function callWith({ id, path, input }: (typeof OPERATIONS)[number], values: Record<string, string>): Sent {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
  const search = (inputOf(input.query).required ?? []).map((name) => `?${name}=${values[name]}`).join('');
  if (input.body === undefined) return { path: address + search };
  const { required = [], properties = {} } = inputOf(input.body.schema);
  const members = Object.entries(properties as Record<string, z.core.JSONSchema.JSONSchema>).flatMap(
    ([member, { example, enum: choices }]) => {
      if (example === undefined && !required.includes(member)) return [];
      const value = values[member] ?? example ?? choices?.at(-1);
      if (value === undefined) throw new Error(`The member ${member} of ${id} needs an example.`);
      return [[member, value]];
    },
  );
  return { path: address + search, body: Object.fromEntries(members) };
}

/**
 * Returns sample calls to the operation. `good` refers to the owner's account, listing, offer and key. The call in
 * `own` refers to data that does not exist.
 */
function sampleFor(operation: (typeof OPERATIONS)[number], owner: Owner): Sample {
  const { id, path, errors } = operation;
  const things = {
    account: owner.accountId,
    listing: owner.slug,
    offer_id: owner.offerId,
    id: path.includes('/keys/') ? owner.liveKeyId : owner.offerId,
  };
  const texts = {
    slug: fresh(),
    claimant: fresh(),
    email: id === 'findAccount' ? 'olga@example.com' : `${fresh()}@example.com`,
  };
  const good = callWith(operation, { ...texts, ...things });
  if (!Object.keys(errors).some((code) => code.startsWith('unknown_'))) return { good };
  const nothing = Object.fromEntries([...Object.keys(things), 'claim'].map((name) => [name, NOTHING]));
  const unknown = { ...texts, slug: fresh(), email: 'nobody@example.com', ...nothing };
  const own = [callWith(operation, unknown)];
  if ('idempotency_key_reused' in errors) {
    const headers = { 'Idempotency-Key': fresh() };
    const other = id === 'createKey' ? { name: 'Other' } : { offer: 'Other' };
    own.push({ ...good, headers }, { ...good, headers, body: { ...good.body, ...other } });
  }
  return { good, own };
}

async function ask(
  { baseUrl }: Service,
  method: string,
  { path, body, headers }: Sent,
  key: string,
): Promise<Answer> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const createOperator = (context: Context, email: string) =>
  createAccount(context, { email, name: 'Olga', operator: true, actor: 'operator' });

/** Calls with invalid input, each with a part of the expected error message. */
const BAD_INPUT = [
  ['POST', '/claims', { claimant: 'a' }, 'The member `offer_id` is missing.'],
  ['POST', '/claims', { offer_id: 'x', claimant: 'a' }, 'An offer id is a UUID; found "x".'],
  ['POST', '/claims', { offer_id: NOTHING, claimant: ' ' }, 'claimant'],
  ['POST', '/claims', { offer_id: NOTHING, claimant: 'a', via: 'Spring' }, 'label'],
  ['POST', '/claims', { offer_id: NOTHING, claimant: 'a', mode: 'live ' }, '"live" or "test"'],
  ['POST', '/claims', { offer_id: NOTHING, claimant: 'a', claimed_at: 'x' }, 'unknown member'],
  ['POST', '/claims/find', { claim: 'a'.repeat(2_049) }, 'at most 2048'],
  ['POST', '/accounts', { email: 'x', name: 'A' }, 'must look like ada@example.com'],
  ['POST', '/accounts', { email: 'a@example.com', name: 'a'.repeat(101) }, 'at most 100'],
  ['POST', '/accounts', { email: 'a@example.com', name: 'A', plan: 'gold' }, 'found "gold"'],
  ['GET', '/accounts?after=x', undefined, '`after`'],
  ['GET', '/listings?state=live', undefined, '`state`'],
  ['POST', '/listings', { account: 'a', slug: 'A B', name: 'N', url: 'https://a.example' }, 'slug'],
  ['POST', '/listings', { account: 'a', slug: 'abc', name: 'N', url: 'http://a.example' }, 'https'],
  ['POST', '/listings/x/reject', {}, 'The member `reason` is missing.'],
  ['POST', '/offers', { listing: 'x', offer: 'O', kind: 'gift' }, 'redemption link'],
  ['POST', '/offers', { listing: 'x', offer: 'O', kind: 'gift', claim_limit: 0 }, '`claim_limit`'],
  ['POST', '/offers', { listing: 'x', offer: 'O', kind: 'gift', code: 'C', ends_at: '2026' }, 'end date'],
  ['GET', '/offers', undefined, '`listing` is missing'],
  ['GET', '/campaigns?listing=x&after=A', undefined, '`after`'],
  ['POST', '/offers/x/pause', undefined, '`id`'],
  ['POST', '/keys', { account: 'a', name: 'K', expires_in: '9w' }, 'hours or days'],
  ['PATCH', `/keys/${NOTHING}`, { networks: ['shop'] }, 'an IP address or a network'],
  [`POST`, `/keys/${NOTHING}/roll`, { keep_old: '2h' }, 'to keep the old key'],
] as const;

describe.each(ENGINES)('operator API on %s', (engine) => {
  const site = shareSite(engine);
  const { context } = site;
  let operatorId: string;
  let key: string;
  let keyId: string;

  beforeAll(async () => {
    operatorId = await newOperator();
    ({ key, id: keyId } = await newKey(SCOPES));
  });

  const newOperator = async () => (await createOperator(context, `${fresh()}@example.com`)).id;
  const newKey = (scopes: readonly string[], more: { account?: string; expiresIn?: string } = {}) =>
    createOperatorKey(context, { account: operatorId, name: 'market', scopes, actor: 'operator', ...more });

  const call = (method: string, sent: Sent, as = key) => ask(site, method, sent, as);
  const get = (path: string) => call('GET', { path: API + path });
  const post = (path: string, body?: object) =>
    call('POST', { path: API + path, ...(body === undefined ? {} : { body }) });
  const seq = () => lastSeq(context.db.read);

  test('adds codes to an offer, issues claims with them, and withdraws unused codes', async () => {
    const owner = await createOwner(context);
    const listed = { listing: owner.slug, offer: 'O', kind: 'gift', code_list: 'close' };
    const offer = await post('/offers', listed);
    expect(offer).toMatchObject({ status: 201, body: { code_list: 'close', redemption_link: null } });
    const codes = `/offers/${offer.body.id}/codes`;
    expect((await post(codes, { codes: [] })).status).toBe(400);
    expect((await post(codes, { codes: Array(1_001).fill('x') })).status).toBe(400);
    expect((await post(codes, { codes: ['x'.repeat(64 * 1024)] })).status).toBe(413);
    expect((await post(`/offers/${owner.offerId}/codes`, { codes: ['A'] })).body.detail).toContain(
      'The offer has no code list.',
    );
    const sent = { codes: ['A,1', 'B 2', 'C', 'A,1'] };
    const leftOut = (lines: readonly number[]) => lines.map((line) => expect.objectContaining({ line }));
    const first = { added: 2, left_out: leftOut([2, 4]), codes_left: 2, codes_given: 0 };
    expect((await post(codes, sent)).body).toEqual(first);
    expect((await post(codes, sent)).body).toMatchObject({ added: 0, left_out: leftOut([1, 2, 3, 4]) });
    const issue = { offer_id: offer.body.id, claimant: 'customer-1' };
    expect((await post('/claims', issue)).body).toMatchObject({ code: 'A,1', link: null });
    expect((await post('/claims', issue)).body).toMatchObject({ code: 'A,1' });
    const { offers } = (await get(`/offers?listing=${owner.slug}`)).body;
    expect(offers.at(-1)).toMatchObject({ codes_left: 1, codes_given: 1, state: 'open' });
    expect((await post(`${codes}/withdraw`, { codes: ['A,1'] })).body).toMatchObject({ withdrawn: 0 });
    expect((await post(`${codes}/withdraw`, {})).body).toEqual({ withdrawn: 1, left_out: [] });
    const over = await post('/claims', { ...issue, claimant: 'customer-2' });
    expect(over).toMatchObject({ status: 400, body: { detail: 'All codes have been given out.' } });
    const reader = (await newKey(['offers:read'])).key;
    expect((await call('POST', { path: API + codes, body: { codes: ['Z'] } }, reader)).status).toBe(403);
  });

  test('creates one thing for calls with the same Idempotency-Key', async () => {
    const owner = await createOwner(context);
    const creating = (path: string, body: object, idempotencyKey: string) =>
      call('POST', { path: API + path, body, headers: { 'Idempotency-Key': idempotencyKey } });
    const offer = { listing: owner.slug, offer: 'Once', kind: 'gift', code: 'C' };
    const idOfOffer = fresh();
    const same = await Promise.all(Array.from({ length: 4 }, () => creating('/offers', offer, idOfOffer)));
    expect(same).toEqual(same.map(() => ({ status: 201, body: same[0]!.body })));
    await post(`/offers/${same[0]!.body.id}/pause`);
    expect((await creating('/offers', offer, idOfOffer)).body.id).toBe(same[0]!.body.id);
    const reused = await creating('/offers', { ...offer, offer: 'Twice' }, idOfOffer);
    expect(reused).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect((await creating('/offers', offer, fresh())).body.id).not.toBe(same[0]!.body.id);
    const listed = (await get(`/offers?listing=${owner.slug}`)).body.offers;
    expect(listed.filter((one: { readonly offer: string }) => one.offer === 'Once')).toHaveLength(2);

    const key = { account: owner.accountId, name: 'Once' };
    const idOfKey = fresh();
    const keys = await Promise.all(Array.from({ length: 4 }, () => creating('/keys', key, idOfKey)));
    const created = keys.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const { status, body } of keys.filter((one) => one.status !== 201)) {
      expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
      expect(body.detail).toContain(created[0]!.body.id);
    }
    for (const text of [' ', 'a b', 'x'.repeat(256), 'x'.repeat(1_000)]) {
      expect((await creating('/offers', offer, text)).status).toBe(400);
    }
    // Without a key, each call creates an offer.
    expect((await post('/offers', offer)).body.id).not.toBe((await post('/offers', offer)).body.id);
  });

  test('lists changed texts and proposed names, and decides only on those that were read', async () => {
    const { accountId, slug, offerId, listingId } = await createOwner(context);
    const actor = `account:${accountId}` as const;
    await editListing(context, { listing: slug, name: 'PayPal', actor });
    await editOffer(context, { offerId, conditions: 'Once', actor });
    const changed = async () =>
      (await get('/changed-texts?limit=1000')).body.changed_texts.filter(
        ({ listing }: { readonly listing: string }) => listing === slug,
      );
    const texts = await changed();
    const of = { listing: slug, listing_id: listingId, live: false };
    expect(texts).toMatchObject([
      { ...of, offer_id: null, field: 'name', approved: slug, proposed: 'PayPal' },
      { ...of, offer_id: offerId, field: 'conditions', approved: null, proposed: 'Once' },
    ]);
    const { version } = texts[0];
    const path = `/listings/${slug}`;
    await editListing(context, { listing: slug, name: 'PayPal AG', actor });
    expect((await post(`${path}/approve-texts`, { version })).body.detail).toContain('has changed since');
    expect((await post(`${path}/approve-texts`, {})).body.detail).toContain('`version` is missing');
    const latest = (await changed())[0].version;
    const restored = await post(`${path}/restore-texts`, { version: latest, reason: 'Not yours.' });
    expect(restored).toMatchObject({ status: 200, body: { name: slug, version: latest + 1 } });
    expect(await changed()).toEqual([]);
    await editListing(context, { listing: slug, name: 'Ada Notes', actor });
    const [{ version: last }] = await changed();
    expect((await post(`${path}/approve-texts`, { version: last })).body.name).toBe('Ada Notes');

    await renameAccount(context, { accountId, name: 'PayPal' });
    const names = async () =>
      (await get('/proposed-names?limit=1000')).body.proposed_names.filter(
        ({ account_id }: { readonly account_id: string }) => account_id === accountId,
      );
    expect(await names()).toMatchObject([{ name: slug, proposed_name: 'PayPal' }]);
    const account = `/accounts/${accountId}`;
    expect((await post(`${account}/approve-name`, { name: 'Ada' })).body.detail).toContain('different name');
    const declined = await post(`${account}/decline-name`, { name: 'PayPal', reason: 'Not yours.' });
    expect(declined).toMatchObject({ status: 200, body: { name: slug } });
    expect(await names()).toEqual([]);
    await renameAccount(context, { accountId, name: 'Ada & Co' });
    expect((await post(`${account}/approve-name`, { name: 'Ada & Co' })).body.name).toBe('Ada & Co');
  });

  test('supports every step from a new account to a redeemed claim, and logs the key as the actor', async () => {
    const before = await seq();
    const email = `${fresh()}@example.com`;
    const slug = fresh();
    const account = await post('/accounts', { email, name: 'Ada' });
    expect(account).toMatchObject({ status: 201, body: { email, plan: 'starter', operator: false } });
    expect(account.body.invitation_link).toContain('/invitation#');
    const { id } = account.body;
    expect((await post('/keys', { account: id, name: 'web' })).body.code).toBe('plan_without_api_keys');
    const planned = await call('PUT', { path: `${API}/accounts/${email}/plan`, body: { plan: 'studio' } });
    expect(planned.body).toMatchObject({ id, plan: 'studio' });

    const listing = await post('/listings', { account: id, slug, name: 'N', url: 'https://acme.example' });
    expect(listing).toMatchObject({ status: 201, body: { state: 'pending', origin: null, version: 2 } });
    const queue = (await get('/listings?state=pending&limit=1000')).body.listings;
    expect(queue.at(-1)).toEqual({ ...listing.body, account: email });
    const offer = await post('/offers', { listing: slug, offer: 'O', kind: 'gift', redemption_link: LINK });
    expect(offer.body.warnings).toEqual([]);
    const doubtful = { redemption_link: 'https://acme.example/?src=mkt%26claim={claim}' };
    const edited = await call('PATCH', { path: `${API}/offers/${offer.body.id}`, body: doubtful });
    expect(edited.body.warnings).toEqual([expect.stringContaining('more than the token: mkt&claim={claim}')]);
    const restored = { redemption_link: LINK };
    await call('PATCH', { path: `${API}/offers/${offer.body.id}`, body: restored });
    const issue = { offer_id: offer.body.id, claimant: 'customer-4711', via: 'spring' };
    expect((await post('/claims', issue)).body.detail).toContain('pending, not approved');
    const stale = await post(`/listings/${slug}/approve`, { version: listing.body.version });
    expect(stale.body.detail).toContain('has changed since');
    const approved = await post(`/listings/${slug}/approve`, { version: 5 });
    expect(approved.body).toMatchObject({ state: 'approved', origin: 'https://acme.example' });

    const made = await post('/keys', { account: email, name: 'web', expires_in: '90d' });
    expect(made).toMatchObject({ status: 201, body: { mode: 'live' } });
    const claim = await post('/claims', issue);
    expect(claim).toMatchObject({ status: 200, body: { link: LINK.replace('{claim}', claim.body.token) } });
    const again = await Promise.all(Array.from({ length: 5 }, () => post('/claims', issue)));
    expect(again.map(({ body }) => body)).toEqual(again.map(() => claim.body));
    expect((await post('/claims/replace', issue)).body.detail).toContain('not redeemed yet');

    const redeem = { path: VERIFY_PATH, body: { token: claim.body.token, redeem: true } };
    expect((await call('POST', redeem, made.body.key)).body.status).toBe('redeemed');
    const other = await post('/claims/replace', issue);
    expect(other.body.token).not.toBe(claim.body.token);
    expect((await post('/claims', issue)).body).toEqual(other.body);

    for (const text of [claim.body.token, claim.body.id.toUpperCase(), claim.body.link]) {
      const { status, body } = await post('/claims/find', { claim: text });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: claim.body.id, account_id: id, listing: slug, via: 'spring' });
      expect([body.claimant, body.replaced_at]).toEqual(['customer-4711', expect.any(String)]);
      expect(JSON.stringify(body)).not.toContain(claim.body.token);
    }

    expect((await get(`/campaigns?listing=${slug}`)).body).toEqual({
      campaigns: [
        {
          via: 'spring',
          visits: 0,
          visitors: 0,
          claims: 2,
          arrived: 0,
          redeemed: 1,
          redeemable: 2,
          rate: 0.5,
        },
      ],
      next: null,
    });
    expect((await post(`/offers/${offer.body.id}/pause`)).body.paused_at).not.toBeNull();
    expect((await get(`/offers?listing=${slug}`)).body.offers).toMatchObject([
      { state: 'paused', claims: 2 },
    ]);
    expect((await post('/claims', { ...issue, claimant: 'b' })).body.detail).toContain('paused');
    expect((await post(`/offers/${offer.body.id}/resume`)).body.paused_at).toBeNull();
    const allowed = ['203.0.113.0/24', '2001:db8::/32'];
    const editedKey = await call('PATCH', {
      path: `${API}/keys/${made.body.id}`,
      body: { networks: allowed },
    });
    expect(editedKey.body).toEqual({ id: made.body.id, name: 'web', networks: allowed });
    const rolled = await post(`/keys/${made.body.id}/roll`, { keep_old: '1h' });
    expect(rolled.body).toMatchObject({ old_id: made.body.id, old_expires_at: expect.any(String) });
    await post(`/keys/${rolled.body.id}/revoke`);
    expect((await get(`/keys?account=${email}`)).body.keys).toMatchObject([
      { id: made.body.id, rolled_to_id: rolled.body.id },
      { id: rolled.body.id, networks: allowed, revoked_at: expect.any(String) },
    ]);
    expect((await post(`/listings/${slug}/suspend`, { reason: 'Spam.' })).body.reason).toBe('Spam.');
    expect((await post(`/listings/${slug}/restore`, {})).body.state).toBe('approved');
    expect((await post(`/accounts/${id}/suspend`)).body.suspended_at).not.toBeNull();
    expect((await post(`/accounts/${id}/restore`)).body.suspended_at).toBeNull();

    const events = await readEventsBetween(context.db.read, before, await seq(), 1_000);
    const own = events.filter(({ accountId }) => accountId === id);
    const actors = new Set(own.filter(({ type }) => type !== 'claim.redeemed').map(({ actor }) => actor));
    expect([...actors]).toEqual([`operator-key:${keyId}`]);
    const log = JSON.stringify(events);
    for (const secret of [key, claim.body.token, made.body.key, other.body.token]) {
      expect(log).not.toContain(secret);
    }
  });

  test('lists each entry once, in order of creation, with any page size', async () => {
    const owner = await createOwner(context);
    for (let i = 0; i < 3; i += 1) {
      await post('/keys', { account: owner.accountId, name: 'K' });
      await post('/offers', { listing: owner.slug, offer: `O${i}`, kind: 'gift', code: 'C' });
    }
    for (const [path, member] of [
      ['/accounts?', 'accounts'],
      ['/listings?', 'listings'],
      [`/offers?listing=${owner.slug}&`, 'offers'],
      [`/keys?account=${owner.accountId}&`, 'keys'],
    ] as const) {
      const all = (await get(`${path}limit=1000`)).body;
      const ids = all[member].map(({ id }: { id: string }) => id);
      expect(all.next).toBeNull();
      expect(ids.length).toBeGreaterThan(1);
      expect([...ids].sort()).toEqual(ids);
      const found: string[] = [];
      for (let after = ''; ; ) {
        const { body } = await get(`${path}limit=2${after}`);
        expect(body[member].length).toBeLessThanOrEqual(2);
        found.push(...body[member].map(({ id }: { id: string }) => id));
        if (body.next === null) break;
        after = `&after=${body.next}`;
      }
      expect(found).toEqual(ids);
    }
  });

  test('rejects revoked, expired and malformed keys, and keys of suspended or former operators', async () => {
    const second = await newOperator();
    const [revoked, suspended] = [await newKey(SCOPES), await newKey(SCOPES, { account: second })];
    const owner = await createOwner(context);
    const with_ = async (as: string) => await call('GET', { path: `${API}/accounts?limit=1` }, as);
    expect((await with_(revoked.key)).status).toBe(200);
    await revokeOperatorKey(context, { keyId: revoked.id, actor: 'operator' });
    const unknown = await with_(withChecksum(`cko_${'a'.repeat(32)}`));
    expect(unknown).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    for (const as of [revoked.key, owner.liveKey, `${key}x`]) {
      const { status, body } = await with_(as);
      expect([status, { ...body, request_id: '' }]).toEqual([401, { ...unknown.body, request_id: '' }]);
    }
    const ended = await newKey(SCOPES, { expiresIn: '1h' });
    expect((await with_(ended.key)).status).toBe(200);
    const { db } = context;
    await db.transaction((tx) =>
      tx
        .updateTable('operator_keys')
        .set({ expires_at: new Date(context.now() - 1).toISOString() })
        .where('id', '=', ended.id)
        .execute(),
    );
    expect((await with_(ended.key)).status).toBe(401);
    expect((await call('POST', { path: VERIFY_PATH, body: { token: 'x' } }, key)).status).toBe(401);
    await suspendAccount(context, { account: second, actor: 'operator' });
    expect((await with_(suspended.key)).body.code).toBe('account_suspended');
    const dismissed = await newOperator();
    const { key: own } = await newKey(SCOPES, { account: dismissed });
    expect((await with_(own)).status).toBe(200);
    await db.transaction((tx) =>
      tx.updateTable('accounts').set({ operator_since: null }).where('id', '=', dismissed).execute(),
    );
    expect((await with_(own)).status).toBe(401);
  });

  test('cannot suspend or create operators', async () => {
    const { status, body } = await post(`/accounts/${await newOperator()}/suspend`);
    expect([status, body.detail]).toEqual([400, 'An operator key cannot suspend an operator.']);
    const made = await post('/accounts', { email: `${fresh()}@example.com`, name: 'A', operator: true });
    expect(made.body.detail).toBe('The body has an unknown member, `operator`.');
  });

  test('records the last use of a key, but not on every call', async () => {
    const { key: own, id } = await newKey(SCOPES);
    await call('GET', { path: `${API}/accounts?limit=1` }, own);
    const lastUse = async () => (await findKey(context.db.read, 'operator_keys', id)).last_used_at;
    await expect.poll(lastUse).not.toBeNull();
    const noted = await lastUse();
    // The last use is written after the response. During ten calls, an unwanted write would have time to finish.
    for (let calls = 0; calls < 10; calls += 1) await call('GET', { path: `${API}/accounts?limit=1` }, own);
    expect(await lastUse()).toBe(noted);
  });

  // The SQL behind the remaining tests is the same on both engines, so one engine is enough.
  if (engine === 'postgres') return;

  test('rejects calls without the required scope and changes nothing', async () => {
    const owner = await createOwner(context);
    const keys = new Map<string, string>();
    for (const scope of SCOPES) {
      keys.set(scope, (await newKey(SCOPES.filter((other) => other !== scope))).key);
    }
    const before = await seq();
    for (const operation of OPERATIONS) {
      const { id, method, scope } = operation;
      const { good } = sampleFor(operation, owner);
      const { status, body } = await call(method.toUpperCase(), good, keys.get(scope!)!);
      expect([id, status, body.code]).toEqual([id, 403, 'missing_scope']);
      expect(body.detail).toBe(`This operator key doesn’t have the scope ${scope}.`);
    }
    expect(await seq()).toBe(before);
  });

  test('rejects invalid input with a message that names the problem, and changes nothing', async () => {
    const before = await seq();
    for (const [method, path, body, words] of BAD_INPUT) {
      const answer = await call(method, { path: API + path, ...(body === undefined ? {} : { body }) });
      expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'invalid_request']);
      expect(answer.body.detail).toContain(words);
    }
    expect(await seq()).toBe(before);
  });
});

/** Which scope covers a resource, if the scope has another name. */
const RESOURCES: Readonly<Record<string, string>> = {
  campaigns: 'claims',
  'changed-texts': 'listings',
  'proposed-names': 'accounts',
};

test('operations that change data require a write scope, other operations a read scope', () => {
  for (const { id, method, path, scope } of OPERATIONS) {
    const resource = path.split('/')[4]!;
    // Exporting an account requires the write scope: an export contains all personal data of the account.
    const reads = (method === 'get' && id !== 'exportAccount') || id === 'findClaim' || id === 'findAccount';
    expect([id, scope]).toEqual([id, `${RESOURCES[resource] ?? resource}:${reads ? 'read' : 'write'}`]);
  }
});

describe('operator key limits', () => {
  const env = { VERIFY_RATE_LIMIT: '1000' };
  const site = shareSite('sqlite', env);
  let key: string;
  let keyId: string;
  beforeAll(async () => {
    const { id: account } = await createOperator(site.context, 'olga@example.com');
    const input = { account, name: 'market', scopes: SCOPES, actor: 'operator' } as const;
    ({ key, id: keyId } = await createOperatorKey(site.context, input));
  });

  const accounts = (as: string, of: Service = site) =>
    ask(of, 'GET', { path: `${API}/accounts?limit=1` }, as);

  test("include the owner's limits on API keys, listings and offers", async () => {
    const { context } = site;
    const { accountId: account, slug, liveKeyId } = await createOwner(context);
    const url = 'https://acme.example';
    // The limits do not apply to the actor `operator`, which the command line uses.
    const here = { account, name: 'N', url, actor: 'operator' } as const;
    const offer = { listing: slug, offer: 'O', kind: 'gift', code: 'C' };
    for (let made = 0; made < MAX_ACTIVE_KEYS; made += 1) await createKey(context, here);
    for (let made = 0; made < MAX_LISTINGS_OF_ACCOUNT; made += 1) {
      await createListing(context, { ...here, slug: fresh() });
    }
    for (let made = 0; made < MAX_OFFERS_OF_LISTING; made += 1) {
      await createOffer(context, { ...offer, actor: 'operator' });
    }
    for (const [path, body, words] of [
      ['/keys', { account, name: 'K' }, `at most ${MAX_ACTIVE_KEYS} active API keys`],
      [`/keys/${liveKeyId}/roll`, { keep_old: '24h' }, `at most ${MAX_ACTIVE_KEYS} active API keys`],
      [
        '/listings',
        { account, slug: fresh(), name: 'N', url },
        `at most ${MAX_LISTINGS_OF_ACCOUNT} listings`,
      ],
      ['/offers', offer, `at most ${MAX_OFFERS_OF_LISTING} offers`],
    ] as const) {
      const answer = await ask(site, 'POST', { path: API + path, body }, key);
      expect([path, answer.status, answer.body.detail]).toEqual([path, 400, expect.stringContaining(words)]);
    }
  });

  test('count unknown operator keys and unknown API keys together, and exempt keys used earlier', async () => {
    const burst = 2 * UNKNOWN_KEYS_PER_SECOND;
    const flood = (send: (unknown: string) => Promise<Answer>, prefix: string) =>
      Array.from({ length: 3 * burst }, () => send(withChecksum(prefix + randomBytes(16).toString('hex'))));
    const lookedUp = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 401).length;
    const mostSince = (beganMs: number) =>
      burst + Math.ceil(((performance.now() - beganMs) / 1_000) * UNKNOWN_KEYS_PER_SECOND);
    const verify = (as: string) => ask(site, 'POST', { path: VERIFY_PATH, body: { token: 'x' } }, as);

    expect((await accounts(key)).status).toBe(200);
    await expect
      .poll(async () => (await findKey(site.context.db.read, 'operator_keys', keyId)).last_used_at)
      .not.toBeNull();
    const beganMs = performance.now();
    const answers = await Promise.all(flood(accounts, 'cko_'));
    answers.push(...(await Promise.all(flood(verify, 'cck_live_'))));
    expect(lookedUp(answers)).toBeLessThanOrEqual(mostSince(beganMs));
    expect((await accounts(key)).status).toBe(200);

    // After a restart, the key is still exempt.
    await site.stop();
    const restarted = await startSite(site.dbLocation, env);
    onTestFinished(() => restarted.stop());
    const again = (as: string) => accounts(as, restarted);
    const restartedMs = performance.now();
    const floods = flood(again, 'cko_');
    expect((await again(key)).status).toBe(200);
    expect(lookedUp(await Promise.all(floods))).toBeLessThanOrEqual(mostSince(restartedMs));
  });
});

describe('OpenAPI document of the operator API', () => {
  const site = shareSite('sqlite');

  test('has examples that match their schemas', () => {
    for (const { id, outputs } of OPERATIONS) {
      for (const { schema, examples } of Object.values(outputs)) {
        for (const example of Object.values(examples)) {
          expect([id, schema.safeParse(example).error]).toEqual([id, undefined]);
        }
      }
    }
  });

  test('lists exactly the responses observed for each operation', async () => {
    const { context } = site;
    const services = { ...context, baseUrl: BASE_URL, mailer: noMailer };
    const caller = { actor: 'operator-key:k', networks: null } as const;
    const operator = await createOperator(context, 'olga@example.com');
    // The examples in the schemas use this category.
    const categories = addCategory([], 'Design');
    await changeCategories(context, { categories, operatorId: operator.id, actor: 'operator' });
    const powerless = async (scope: string) => {
      const scopes = SCOPES.filter((other) => other !== scope);
      return await createOperatorKey(context, { account: operator.id, name: 'k', scopes, actor: 'operator' });
    };
    const keys = new Map<string, string>();
    for (const scope of SCOPES) keys.set(scope, (await powerless(scope)).key);
    const siteAddress = new URL(site.baseUrl);

    const compare = async ({ id, path, method, scope, input }: (typeof OPERATIONS)[number]) => {
      const { good, own = [], ofStarter } = await sampleOf(context, id);
      const goodCall = toCall(method, good);
      // Serves only the routes at this path. With all routes, the server would need more time to build its OpenAPI
      // document than to answer the calls.
      const routes = OPERATOR_ROUTES.filter(({ operation }) => operation.path === path);
      const refusals = ['invalid_api_key', 'account_suspended'] as const;
      const options = { routes, services, caller, refusals };
      const others = [...own, ...(ofStarter === undefined ? [] : [ofStarter])];
      const otherCalls = others.map((sent) => toCall(method, sent));
      const seen = await provokeAll(goodCall, options, otherCalls);
      expect([id, seen[0]!.status]).toEqual([
        id,
        input.body && method === 'post' && /^create/.test(id) ? 201 : 200,
      ]);
      const headers = { Authorization: `Bearer ${keys.get(scope!)}`, Host: siteAddress.host };
      seen.push(await answerTo(Number(siteAddress.port), requestBytes(goodCall, { headers })));
      return { id, found: differences(documentedResponses(DOCUMENT, path, method), observedResponses(seen)) };
    };
    // Most of the time is spent waiting for timeouts, so a few operations are compared in parallel.
    for (let at = 0; at < OPERATIONS.length; at += COMPARED_AT_ONCE) {
      const some = OPERATIONS.slice(at, at + COMPARED_AT_ONCE);
      expect(await Promise.all(some.map(compare))).toEqual(some.map(({ id }) => ({ id, found: [] })));
    }
  });
});

const toCall = (method: string, { path, body, headers }: Sent): GoodCall => ({
  method: method.toUpperCase(),
  target: path,
  ...(headers && { headers }),
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

/**
 * Creates an owner and the data for one successful `good` call. Returns the sample calls. `ofStarter`: a call for an
 * account whose plan has no API keys.
 */
async function sampleOf(
  context: Context,
  id: string,
): Promise<Sample & { readonly ofStarter?: Sent | undefined }> {
  const owner = await createOwner(context);
  const operation = OPERATIONS.find((each) => each.id === id)!;
  const sample = sampleFor(operation, owner);
  const services = { ...context, baseUrl: BASE_URL, mailer: noMailer };
  const prepare = (name: string, call: { path?: object; body?: object }) => {
    const route = OPERATOR_ROUTES.find(({ operation }) => operation.id === name)!;
    const all = { path: {}, query: {}, headers: {}, body: undefined, requestId: '', ...call };
    return route.handle({ ...all, caller: { actor: 'operator' } }, services);
  };
  const claim = { offer_id: owner.offerId, claimant: 'customer-2' };
  switch (id) {
    case 'findClaim': {
      const { token } = (await prepare('issueClaim', { body: claim })) as { token: string };
      return { ...sample, good: { ...sample.good, body: { claim: token } } };
    }
    case 'addCodes':
      await editOffer(context, { offerId: owner.offerId, code_list: 'close', actor: 'operator' });
      return sample;
    case 'editListing':
      return { ...sample, good: { ...sample.good, body: { name: 'Corrected', summary: '' } } };
    case 'restoreListing':
      await prepare('suspendListing', { path: { listing: owner.slug }, body: {} });
      return sample;
    case 'approveListing':
    case 'requestChanges':
    case 'rejectListing': {
      const slug = fresh();
      const body = { account: owner.accountId, slug, name: 'N', url: 'https://acme.example' };
      await prepare('createListing', { body });
      return { ...sample, good: { ...sample.good, path: sample.good.path.replace(owner.slug, slug) } };
    }
    case 'approveTexts':
    case 'restoreTexts': {
      const { version } = await editListing(context, {
        listing: owner.slug,
        name: 'Proposed',
        actor: `account:${owner.accountId}`,
      });
      return { ...sample, good: { ...sample.good, body: { ...sample.good.body, version } } };
    }
    case 'approveName':
    case 'declineName':
      await renameAccount(context, { accountId: owner.accountId, name: 'Ada & Co' });
      return sample;
    case 'createKey':
    case 'rollKey': {
      const starter = await createOwner(context);
      await prepare('setPlan', { path: { account: starter.accountId }, body: { plan: 'starter' } });
      return { ...sample, ofStarter: sampleFor(operation, starter).good };
    }
    default:
      return sample;
  }
}
