/** The owner API on a running service: a key can read only data of its account and mode. */

import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../src/api/operations.ts';
import { OWNER_ROUTES } from '../../src/api/owner/routes.ts';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { createReadSettled } from '../../src/base/events/settled.ts';
import { shortClaimId } from '../../src/claims/short-id.ts';
import { pauseOffer } from '../../src/marketplace/offers/edit.ts';
import { sealedCursors } from '../../src/platform/http/operations/query-parameters.ts';
import { BASE_URL } from '../platform/http/harness.ts';
import { ENGINES } from '../support/engines.ts';
import {
  claimsOf,
  createOwner,
  issueTokens,
  OFFER_TEXT,
  type Owner,
  recordAttempts,
} from '../support/marketplace.ts';
import { signedInAs } from '../support/person.ts';
import { shareOwner, shareSite } from '../support/shared.ts';
import { callVerify } from '../support/verify.ts';
import {
  differences,
  documentedResponses,
  type OpenApiDocument,
  observedResponses,
} from './documented-responses.ts';
import { type GoodCall, provokeAll } from './provocations.ts';

const CLAIMS = '/api/v1/marketplace/claims';
const CAMPAIGNS = '/api/v1/marketplace/campaigns';
const REDEMPTIONS = '/api/v1/marketplace/redemptions';
const EVENTS = '/api/v1/marketplace/events';
const MEMBERS = 'id short_id offer_id offer kind listing via claimed_at redeemed_at reference'.split(' ');
const REFERENCE = 'order 4711, für Jürgen';
/** A cursor before it is sealed. The fingerprint after the dot does not match this event log. */
const OTHER_LOG = '1.aaaaaaaaaaaa';
/**
 * A test moves the sequences of claims, events and calls to this number, so that `NUMBER` matches each sequence number
 * that a response exposes.
 */
const FIRST_NUMBER = 76_500;
const NUMBER = /(?<![\w-])76[5-9]\d\d(?![\w-])/;
const NOBODY = '019a9f6c-0000-7000-8000-000000000000';

type Row = Awaited<ReturnType<typeof claimsOf>>[number];
interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a different response body.
  readonly body: any;
}

describe.each(ENGINES)('owner API on %s', (engine) => {
  const site = shareSite(engine);
  const { context } = site;
  const owner = shareOwner(context);
  const stranger = shareOwner(context);
  const secrets: string[] = [];

  beforeAll(async () => {
    for (const via of ['spring', 'a-b_c', undefined]) {
      secrets.push(...(await issueTokens(context, owner, 8, via === undefined ? {} : { via })));
    }
    secrets.push(...(await issueTokens(context, owner, 3, { mode: 'test', via: 'spring' })));
    secrets.push(...(await issueTokens(context, stranger, 4)));
    const redeemed = secrets.slice(0, 24).filter((_, at) => at % 3 === 0);
    for (const [at, token] of redeemed.entries()) {
      await redeem(owner.liveKey, token, at % 2 === 0 ? REFERENCE : undefined);
    }
    await redeem(owner.testKey, secrets[24]!);
    await redeem(stranger.liveKey, secrets[27]!, REFERENCE);
  });

  const redeem = async (key: string, token: string, reference?: string) => {
    const response = await callVerify(site.baseUrl, key, { token, redeem: true, reference });
    expect(await response.json()).toMatchObject({ status: 'redeemed' });
  };

  const get = async (path: string, key = owner.liveKey): Promise<Answer> => {
    const response = await fetch(site.baseUrl + path, { headers: { Authorization: `Bearer ${key}` } });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };

  /** Yields all pages of a list. */
  async function* pagesOf(path: string, key = owner.liveKey): AsyncGenerator<Answer['body']> {
    for (let after = ''; ; ) {
      const { status, body } = await get(path + after, key);
      expect(status).toBe(200);
      yield body;
      if (body.next === null || body.has_more === false) return;
      after = `&after=${encodeURIComponent(body.next)}`;
    }
  }

  const listAll = async (query: string, key = owner.liveKey, limit = 3) => {
    const all: Record<string, unknown>[] = [];
    for await (const { claims } of pagesOf(`${CLAIMS}?limit=${limit}&${query}`.replace(/&$/, ''), key)) {
      expect(claims.length).toBeLessThanOrEqual(limit);
      all.push(...claims);
    }
    return all;
  };

  const sealed = (list: 'redemptions' | 'events', cursor: string, of = owner) =>
    sealedCursors(context.secretBox, list, of.accountId).seal(cursor);

  const rowsOf = async (of: Owner, mode: 'live' | 'test'): Promise<Row[]> =>
    (await claimsOf(context, of))
      .filter((row) => row.mode === mode)
      .sort((a, b) => (a.claimed_at === b.claimed_at ? b.seq - a.seq : a.claimed_at < b.claimed_at ? 1 : -1));

  describe('claims', () => {
    test('are limited to the account and mode of the key, and are listed newest first', async () => {
      for (const [key, of, mode] of [
        [owner.liveKey, owner, 'live'],
        [owner.testKey, owner, 'test'],
        [stranger.liveKey, stranger, 'live'],
        [stranger.testKey, stranger, 'test'],
      ] as const) {
        const expected = (await rowsOf(of, mode)).map((row) => ({
          id: row.id,
          short_id: shortClaimId(row.id),
          offer_id: of.offerId,
          offer: OFFER_TEXT,
          kind: 'discount',
          listing: of.slug,
          via: row.via,
          claimed_at: row.claimed_at,
          redeemed_at: row.redeemed_at,
          reference: row.reference,
        }));
        expect(await listAll('', key)).toEqual(expected);
      }
      const [first] = (await get(CLAIMS)).body.claims;
      expect(Object.keys(first)).toEqual(MEMBERS);
    });

    test('can be read by ID only with a key of the same mode', async () => {
      const [live] = await rowsOf(owner, 'live');
      const [trial] = await rowsOf(owner, 'test');
      const found = await get(`${CLAIMS}/${live!.id.toUpperCase()}`);
      expect(found.body).toEqual((await listAll('', owner.liveKey, 1))[0]);
      expect((await get(`${CLAIMS}/${trial!.id}`, owner.testKey)).body.id).toBe(trial!.id);
      const missing = (await get(`${CLAIMS}/${NOBODY}`)).body;
      expect(missing).toMatchObject({ status: 404, code: 'unknown_claim' });
      for (const [id, key] of [
        [trial!.id, owner.liveKey],
        [live!.id, owner.testKey],
      ] as const) {
        const { body } = await get(`${CLAIMS}/${id}`, key);
        expect({ ...body, request_id: '' }).toEqual({ ...missing, request_id: '' });
      }
    });
  });

  test('a misspelled path of verify gets a hint', async () => {
    const response = await fetch(`${site.baseUrl}${CLAIMS}/verfy`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${owner.liveKey}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(405);
    expect(await response.json()).toMatchObject({
      detail: `The path ${CLAIMS}/{id} takes GET or HEAD; found POST. Did you mean POST ${CLAIMS}/verify?`,
    });
  });

  describe('redemptions', () => {
    test('are limited to the account and mode of the key, and are listed oldest first', async () => {
      for (const [key, of, mode] of [
        [owner.liveKey, owner, 'live'],
        [owner.testKey, owner, 'test'],
        [stranger.testKey, stranger, 'test'],
      ] as const) {
        const seen: Record<string, unknown>[] = [];
        for await (const body of pagesOf(`${REDEMPTIONS}?limit=2`, key)) {
          expect(body.complete_until === null).toBe(body.has_more);
          seen.push(...body.redemptions);
        }
        const redeemed = (await rowsOf(of, mode)).filter(({ redeemed_at }) => redeemed_at !== null);
        const inOrder = redeemed.sort(
          (a, b) => Date.parse(a.redeemed_at!) - Date.parse(b.redeemed_at!) || a.seq - b.seq,
        );
        expect(seen.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
        if (mode === 'live') {
          expect(Object.keys(seen[0]!)).toEqual(MEMBERS);
          expect(seen[0]).toEqual((await get(`${CLAIMS}/${seen[0]!['id']}`, key)).body);
        }
      }
    });

    test('accept a cursor from another key of the account; a cursor from another event log gets 410', async () => {
      const whole = (await get(REDEMPTIONS)).body;
      const again = (await get(`${REDEMPTIONS}?after=${whole.next}`)).body;
      expect(again).toMatchObject({ redemptions: [], has_more: false });
      expect(again.next).not.toBe(whole.next);
      expect(again.next).toHaveLength(whole.next.length);
      expect((await get(`${REDEMPTIONS}?after=${whole.next}`, owner.testKey)).status).toBe(200);
      const gone = await get(`${REDEMPTIONS}?after=${sealed('redemptions', OTHER_LOG)}`);
      expect(gone.body).toMatchObject({ status: 410, code: 'cursor_gone' });
    });
  });

  describe('campaigns', () => {
    test('have exact counts for each label of a listing, on one or several pages', async () => {
      const rows = await rowsOf(owner, 'live');
      const expected = [null, 'a-b_c', 'spring'].map((via) => {
        const of = rows.filter((row) => row.via === via);
        const redeemed = of.filter(({ redeemed_at }) => redeemed_at !== null).length;
        const quiet = { visits: 0, visitors: 0, arrived: 0 };
        const rated = { redeemed, redeemable: of.length, rate: redeemed / of.length };
        return { via, ...quiet, claims: of.length, ...rated };
      });
      const { body } = await get(`${CAMPAIGNS}?listing=${owner.slug}`);
      expect(body).toEqual({ campaigns: expected, next: null });
      expect((await get(`${CAMPAIGNS}?listing=${owner.listingId}`)).body).toEqual(body);
      const seen: unknown[] = [];
      for await (const page of pagesOf(`${CAMPAIGNS}?listing=${owner.slug}&limit=1`)) {
        expect(page.campaigns).toHaveLength(1);
        seen.push(...page.campaigns);
      }
      expect(seen).toEqual(expected);
    });

    test('count only claims from the requested period', async () => {
      const today = new Date().toISOString().slice(0, 10);
      const all = await get(`${CAMPAIGNS}?listing=${owner.slug}&from=2020-01-01&to=2020-02-01`);
      expect(all.body).toEqual({ campaigns: [], next: null });
      const rows = await rowsOf(owner, 'live');
      const made = rows.filter(({ claimed_at }) => claimed_at.slice(0, 10) === today).length;
      const { body } = await get(`${CAMPAIGNS}?listing=${owner.slug}&from=${today}`);
      const counted = body.campaigns as { claims: number }[];
      expect(counted.reduce((sum, { claims }) => sum + claims, 0)).toBe(made);
    });

    test('exclude test claims; an unknown listing gets 404', async () => {
      const none = await get(`${CAMPAIGNS}?listing=${owner.slug}`, owner.testKey);
      expect(none.body).toEqual({ campaigns: [], next: null });
      const missing = (await get(`${CAMPAIGNS}?listing=nowhere`)).body;
      expect(missing).toMatchObject({ status: 404, code: 'unknown_listing' });
    });
  });

  test('lists events since the first request, for the account and mode of the key', async () => {
    const begin = (await get(EVENTS)).body;
    expect(begin).toEqual({ events: [], next: expect.any(String), has_more: false });
    await issueTokens(context, owner, 2);
    await issueTokens(context, owner, 1, { mode: 'test' });
    await issueTokens(context, stranger, 1);
    await pauseOffer(context, { offerId: owner.offerId, actor: 'operator' });
    const types = async (query: string, key?: string) => {
      const { body } = await get(`${EVENTS}?after=${begin.next}${query}`, key);
      return body.events.map((one: { type: string; data: { mode?: string } }) => [one.type, one.data.mode]);
    };
    const both = [['offer.changed', undefined]];
    const live = ['claim.created', 'live'];
    expect(await types('')).toEqual([live, live, ...both]);
    expect(await types('', owner.testKey)).toEqual([['claim.created', 'test'], ...both]);
    expect(await types('&types=claim.created,claim.redeemed')).toEqual([live, live]);
    const [first] = (await get(`${EVENTS}?after=${begin.next}`)).body.events;
    const row = (await rowsOf(owner, 'live')).find(({ id }) => id === first.data.claim_id);
    expect(first).toEqual({
      id: expect.stringMatching(/^evt_\w{22}$/),
      type: 'claim.created',
      timestamp: row!.claimed_at,
      data: expect.objectContaining({ claim_id: row!.id, offer: OFFER_TEXT, redeemed_at: null }),
    });
  });

  test('does not expose sequence numbers, which would reveal the activity of other accounts', async () => {
    await issueTokens(context, stranger, 1);
    await recordAttempts(context, stranger, secrets[27]!, ['valid'], Date.now());
    await countFrom(FIRST_NUMBER);
    const of = await createOwner(context);
    const tokens = await issueTokens(context, of, 51);
    await recordAttempts(context, of, tokens[0]!, Array(51).fill('valid'), Date.now());
    await redeem(of.liveKey, tokens[1]!);
    await issueTokens(context, stranger, 1);
    const numbers = (await claimsOf(context, of)).map(({ seq }) => seq);
    expect(numbers.every((number) => NUMBER.test(` ${number}`))).toBe(true);

    const seen: string[] = [];
    const look = async (path: string) => {
      const { text } = path.startsWith('/api/') ? await get(path, of.liveKey) : await person.get(path);
      seen.push(text);
      return text;
    };
    const { person, accountId } = await signedInAs(site, { email: 'numbers@example.com', plan: 'studio' });
    await context.db.transaction((tx) =>
      tx
        .updateTable('sessions')
        .set({ account_id: of.accountId })
        .where('account_id', '=', accountId)
        .execute(),
    );
    for (const list of [CLAIMS, REDEMPTIONS, EVENTS])
      await look(`${list}?limit=1`.replace(/events.*/, 'events'));
    for (const file of ['export.csv', 'export.ndjson']) await look(`/dashboard/claims/${file}`);
    await look('/dashboard');
    for (const list of ['/dashboard/claims', '/dashboard/requests']) {
      const page = await look(list);
      for (const link of [new RegExp(`href="(${list}/[^"/?.]+)"`), /href="([^"]*[?;&]after=[^"]+)"/]) {
        const path = link.exec(page)?.[1]?.replaceAll('&amp;', '&');
        expect([list, link.source, path]).toEqual([list, link.source, expect.any(String)]);
        await look(path!);
      }
    }
    expect(seen.flatMap((text) => NUMBER.exec(text)?.[0] ?? [])).toEqual([]);
  });

  /** Moves the sequences of claims, events and calls to `number`. New rows get higher numbers. */
  const countFrom = (number: number) =>
    context.db.transaction(async (tx) => {
      for (const [table, column] of [
        ['claim_rows', 'seq'],
        ['event_rows', 'seq'],
        ['attempts', 'id'],
      ] as const) {
        const [t, c] = [sql.table(table), sql.ref(column)];
        const statement = {
          sqlite: sql`update ${t} set ${c} = ${number} where ${c} = (select max(${c}) from ${t})`,
          postgres: sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${number})`,
        };
        await statement[engine].execute(tx);
      }
    });

  test("returns the same response for another account's data as for missing data", async () => {
    const [other] = (await rowsOf(stranger, 'live')).filter(({ redeemed_at }) => redeemed_at !== null);
    const real = { claim: other!.id, listing: stranger.listingId, slug: stranger.slug };
    const missing = { claim: NOBODY, listing: NOBODY, slug: 'nowhere' };
    const asked: Record<string, (ids: typeof real) => readonly string[]> = {
      readClaim: ({ claim }) => [`${CLAIMS}/${claim}`],
      readReceipt: ({ claim }) => [`${CLAIMS}/${claim}/receipt`],
      listClaims: ({ listing, slug }) => [`${CLAIMS}?listing=${listing}`, `${CLAIMS}?listing=${slug}`],
      listCampaigns: ({ listing, slug }) => [
        `${CAMPAIGNS}?listing=${listing}`,
        `${CAMPAIGNS}?listing=${slug}`,
      ],
    };
    const naming = OWNER_ROUTES.map(({ operation }) => operation).filter(
      ({ path, input }) => path.includes('{') || 'listing' in (input.query?.shape ?? {}),
    );
    expect(Object.keys(asked).sort(), 'operations that this test calls').toEqual(
      naming.map(({ id }) => id).sort(),
    );
    const answerOf = async (path: string, key?: string) => {
      const { status, body } = await get(path, key);
      return { status, body: { ...body, request_id: '' } };
    };
    for (const paths of Object.values(asked)) {
      for (const [at, path] of paths(real).entries()) {
        expect((await get(path, stranger.liveKey)).status).toBe(200);
        expect([path, await answerOf(path)]).toEqual([path, await answerOf(paths(missing)[at]!)]);
      }
    }
  });

  test('returns no tokens, token hashes or account IDs', async () => {
    const texts: string[] = [];
    for (const key of [owner.liveKey, owner.testKey]) {
      texts.push((await get(`${CLAIMS}?limit=100`, key)).text, (await get(REDEMPTIONS, key)).text);
    }
    const hashes = (await claimsOf(context, owner)).map(({ token_hash }) => Buffer.from(token_hash));
    const forbidden = [
      ...secrets,
      ...hashes.flatMap((hash) => [hash.toString('hex'), hash.toString('base64')]),
      owner.accountId,
    ];
    for (const text of texts) expect(forbidden.filter((secret) => text.includes(secret))).toEqual([]);
  });

  // The SQL behind the remaining tests is the same on both engines, so one engine is enough.
  if (engine === 'postgres') return;

  test('returns exactly the claims that match a filter', async () => {
    const rows = await rowsOf(owner, 'live');
    const times = rows
      .map(({ redeemed_at }) => redeemed_at)
      .filter((at) => at !== null)
      .sort();
    const middle = times[3]!;
    const claimed = rows[8]!.claimed_at;
    const filters: [string, (row: Row) => boolean][] = [
      [`listing=${owner.slug}`, () => true],
      [`listing=${owner.listingId.toUpperCase()}`, () => true],
      [`listing=${stranger.slug}`, () => false],
      [`offer=${owner.offerId.toUpperCase()}`, () => true],
      [`offer=${stranger.offerId}`, () => false],
      ['via=spring', ({ via }) => via === 'spring'],
      ['via=(none)', ({ via }) => via === null],
      ['state=redeemed', ({ redeemed_at }) => redeemed_at !== null],
      ['state=not_redeemed&via=a-b_c', ({ redeemed_at, via }) => redeemed_at === null && via === 'a-b_c'],
      [`redeemed_from=${middle}`, ({ redeemed_at }) => redeemed_at !== null && redeemed_at >= middle],
      [`redeemed_to=${middle}`, ({ redeemed_at }) => redeemed_at !== null && redeemed_at < middle],
      [`redeemed_from=${middle}&redeemed_to=${middle}`, () => false],
      [`claimed_from=${claimed}`, ({ claimed_at }) => claimed_at >= claimed],
      [`claimed_to=${claimed}`, ({ claimed_at }) => claimed_at < claimed],
      [`reference=${encodeURIComponent(REFERENCE)}`, ({ reference }) => reference === REFERENCE],
      ['reference=order', () => false],
    ];
    for (const [query, matches] of filters) {
      const found = await listAll(query, owner.liveKey, 10);
      expect([query, found.map(({ id }) => id)]).toEqual([query, rows.filter(matches).map(({ id }) => id)]);
    }
  });

  test('rejects a malformed query and names the problem', async () => {
    const ofListing = `${CAMPAIGNS}?listing=${owner.slug}`;
    for (const [address, named] of [
      [`${CLAIMS}?limit=0`, 'limit'],
      [`${CLAIMS}?limit=101`, 'limit'],
      [`${CLAIMS}?limit=1e1`, 'limit'],
      [`${CLAIMS}?after=x`, 'after'],
      [`${CLAIMS}?after=0000-01-01T00:00:00.000Z~1`, 'after'],
      [`${CLAIMS}?via=Spring`, 'via'],
      [`${CLAIMS}?state=yes`, 'state'],
      [`${CLAIMS}?offer=x`, 'offer'],
      [`${CLAIMS}?claimed_from=2026-11-20`, 'claimed_from'],
      [`${CLAIMS}?redeemed_to=2026-02-30T00:00:00Z`, 'redeemed_to'],
      [`${CLAIMS}?claimed_to=0000-02-03T00:00:00Z`, 'claimed_to'],
      [`${CLAIMS}?claimant=clm_x`, 'claimant'],
      [`${CLAIMS}?reference=${'x'.repeat(101)}`, 'reference'],
      [`${CLAIMS}?listing=`, 'listing'],
      [`${CLAIMS}?mode=test`, 'mode'],
      [`${CLAIMS}?state=not_redeemed&redeemed_from=2026-11-20T10:00:00Z`, 'time of redemption'],
      [`${REDEMPTIONS}?after=${OTHER_LOG}`, 'after'],
      [`${REDEMPTIONS}?after=${sealed('events', OTHER_LOG)}`, 'after'],
      [`${REDEMPTIONS}?after=${sealed('redemptions', OTHER_LOG, stranger)}`, 'after'],
      [`${REDEMPTIONS}?after=${sealed('redemptions', '01.aaaaaaaaaaaa')}`, 'after'],
      [`${REDEMPTIONS}?after=${'A'.repeat(5_000)}`, 'after'],
      [`${REDEMPTIONS}?limit=501`, 'limit'],
      [`${REDEMPTIONS}?after=`, 'after'],
      [CAMPAIGNS, 'listing'],
      [`${CAMPAIGNS}?listing=`, 'listing'],
      [`${ofListing}&after=A`, 'after'],
      [`${ofListing}&limit=1001`, 'limit'],
      [`${ofListing}&from=2026-02-30`, 'day'],
      [`${ofListing}&to=2026-01-01`, 'day'],
      [`${ofListing}&from=2026-03-01&to=2026-02-01`, 'day'],
      [`${ofListing}&from=`, 'day'],
      [`${EVENTS}?types=`, 'event'],
      [`${EVENTS}?types=session.signed_in`, 'event'],
      [`${EVENTS}?after=1`, 'after'],
      [`${EVENTS}?wait=1`, 'wait'],
    ] as const) {
      const { status, body } = await get(address);
      expect([address, status, body.code]).toEqual([address, 400, 'invalid_request']);
      expect(body.detail).toContain(named);
    }
  });

  test('the OpenAPI document lists exactly the responses observed for each operation', async () => {
    const document = openApiDocument(BASE_URL, DEFAULT_BRAND) as OpenApiDocument;
    const rows = await rowsOf(owner, 'live');
    const redeemed = rows.find(({ redeemed_at }) => redeemed_at !== null);
    const open = rows.find(({ redeemed_at }) => redeemed_at === null);
    /** For each operation, a call that succeeds and calls that cause errors specific to the operation. */
    const provocations: Record<string, [good: string, own: readonly string[]]> = {
      listClaims: [CLAIMS, []],
      readClaim: [`${CLAIMS}/${open!.id}`, [`${CLAIMS}/${NOBODY}`]],
      readReceipt: [
        `${CLAIMS}/${redeemed!.id}/receipt`,
        [`${CLAIMS}/${NOBODY}/receipt`, `${CLAIMS}/${open!.id}/receipt`],
      ],
      listCampaigns: [`${CAMPAIGNS}?listing=${owner.slug}`, [`${CAMPAIGNS}?listing=${stranger.slug}`]],
      listRedemptions: [REDEMPTIONS, [`${REDEMPTIONS}?after=${sealed('redemptions', OTHER_LOG)}`]],
      listEvents: [EVENTS, [`${EVENTS}?after=${sealed('events', OTHER_LOG)}`]],
    };
    expect(Object.keys(provocations).sort(), 'operations that this test calls').toEqual(
      OWNER_ROUTES.map(({ operation }) => operation.id).sort(),
    );
    const caller = {
      accountId: owner.accountId,
      keyId: owner.liveKeyId,
      mode: 'live',
      networks: null,
    } as const;
    const readSettled = createReadSettled(context.db, context.now);
    const services = { ...context, readSettled, baseUrl: BASE_URL };
    for (const { id, path, method } of OWNER_ROUTES.map(({ operation }) => operation)) {
      const [target, own] = provocations[id]!;
      const good: GoodCall = { method: method.toUpperCase(), target };
      const others = own.map((other) => ({ ...good, target: other }));
      const seen = await provokeAll(good, { routes: OWNER_ROUTES, services, caller }, others);
      const found = differences(documentedResponses(document, path, method), observedResponses(seen));
      expect([id, seen[0]!.status, found]).toEqual([id, 200, []]);
    }
  });
});
