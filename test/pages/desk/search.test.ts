/** Search at the desk, and the lists of listings and events. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastSeq } from '../../../src/base/events/queries.ts';
import { toRow } from '../../../src/claims/attempts/attempt.ts';
import { insertAttempts } from '../../../src/claims/attempts/queries.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { CLAIM_FILTER_NAMES, parseClaimFilter } from '../../../src/claims/search/claim-filter.ts';
import { searchClaims } from '../../../src/claims/search/search.ts';
import { shortClaimId } from '../../../src/claims/short-id.ts';
import { approveListing } from '../../../src/marketplace/listings/decisions.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { addCodes } from '../../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { listOffers } from '../../../src/marketplace/offers/queries.ts';
import { renameAccount } from '../../../src/people/accounts/rename.ts';
import { createKey, createOperatorKey } from '../../../src/people/keys/create.ts';
import type { Refusal } from '../../../src/platform/errors.ts';
import { attemptOf } from '../../support/attempts.ts';
import { changeClaims } from '../../support/claims.ts';
import { ENGINES } from '../../support/engines.ts';
import { looseTexts } from '../support.ts';
import { type Desk, openDesk, pendingListing, wordsOf } from './support.ts';

describe.each(ENGINES)('the desk on %s', (engine) => {
  let desk: Desk;
  let claimId: string;
  let listingId: string;
  beforeAll(async () => {
    desk = await openDesk(engine);
    const listing = await pendingListing(desk, 'calm-notes', 'Calm Notes');
    listingId = listing.id;
    await approveListing(desk.context, { listing: 'calm-notes', actor: 'operator' });
    await pendingListing(desk, 'waiting-app', 'Waiting 100%');
    const [offer] = await listOffers(desk.db.read, listing);
    ({ claimId } = await claimOffer(desk.context, {
      claimantAccountId: desk.otherOperator.accountId,
      listing: 'calm-notes',
      offerId: offer!.id,
    }));
  });
  afterAll(() => desk.close());

  const find = async (q: string): Promise<[status: number, location: string | null]> => {
    const response = await desk.post('/desk/search', { q });
    return [response.status, response.headers.get('location')];
  };

  test('finds listings by name, website and state', async () => {
    for (const query of ['q=calm', 'q=CALM%20NOTES', 'q=calm-notes.example', 'state=approved']) {
      const text = await desk.html(`/desk/listings?${query}`);
      expect(text, query).toContain('Calm Notes');
      expect(text, query).not.toContain('Waiting 100%');
    }
    expect(await desk.html('/desk/listings?q=100%25')).toContain('Waiting 100%');
    expect(await desk.html('/desk/listings?q=_')).toContain('No listings match');
    expect(await desk.html('/desk/listings?q=_')).not.toContain('No listings yet');
    expect(await desk.html('/desk/listings?after=x&state=nonsense')).toContain('Calm Notes');
  });

  test('isolates right-to-left listing names from the surrounding text', async () => {
    const name = 'دفتر 2.0 (Ada)';
    const { id } = await pendingListing(desk, 'daftar', name);
    const query = encodeURIComponent(`\u2067${name}`);
    for (const path of [
      `/desk/listings?q=${query}`,
      `/desk/listings/${id}`,
      '/desk/queue',
      '/desk/events',
      `/desk/accounts/${desk.owner.accountId}`,
    ]) {
      const html = await desk.html(path);
      expect(html, path).toContain(name);
      expect(looseTexts(html, name), path).toBe(0);
    }
    await approveListing(desk.context, { listing: 'daftar', actor: 'operator' });
  });

  test('finds a claim by its token, id or redemption link', async () => {
    const path = `/desk/claims/${claimId}`;
    const token = desk.context.tokens.derive(claimId, 'live');
    for (const text of [
      token,
      claimId,
      shortClaimId(claimId),
      `https://calm-notes.example/welcome?claim=${token}`,
    ]) {
      expect(await find(text)).toEqual([303, path]);
    }
    expect(await find('')).toEqual([422, null]);
    const malformed = ['https://', 'https://a b.example', 'https://x.example/%E0%A4%A'];
    for (const text of ['#1', '1x', 'clm_nonsense', ...malformed]) {
      expect(await find(text), text).toEqual([200, null]);
    }
    const page = await desk.html(path);
    for (const shown of ['Calm Notes', `/desk/accounts/${desk.owner.accountId}`, claimId]) {
      expect(page).toContain(shown);
    }
    expect(page).toContain(`/desk/accounts/${desk.otherOperator.accountId}`);
    expect(page).not.toContain(token);
    expect((await desk.get(`/desk/claims/${listingId}`)).status).toBe(404);
    expect(await desk.html(`/desk/accounts/${desk.otherOperator.accountId}`)).toContain(path);
  });

  test('redirects to the account, listing, offer, key or call that the search text identifies', async () => {
    const { accountId } = desk.owner;
    const account = `/desk/accounts/${accountId}`;
    const actor = 'operator' as const;
    const apiKey = await createKey(desk.context, { account: accountId, name: 'server', mode: 'live', actor });
    const operatorKey = await createOperatorKey(desk.context, {
      account: desk.operator.accountId,
      name: 'market',
      scopes: ['claims:read'],
      actor,
    });
    const [offer] = await listOffers(desk.db.read, await findListing(desk.db.read, listingId));
    const call = toRow(attemptOf({ accountId, keyId: null, atMs: Date.now(), requestId: 'req_b3Vx_1f' }));
    await desk.db.transaction((tx) => insertAttempts(tx, desk.db.engine, [call]));
    for (const [text, path] of [
      [accountId, account],
      [listingId.toUpperCase(), `/desk/listings/${listingId}`],
      [offer!.id, `/desk/listings/${listingId}`],
      ['https://claims.example/l/calm-notes?via=x', `/desk/listings/${listingId}`],
      [`https://claims.example/desk/listings/${listingId}`, `/desk/listings/${listingId}`],
      ['calm-notes', `/desk/listings/${listingId}`],
      ['calm notes', `/desk/listings/${listingId}`],
      [apiKey.key, `${account}#keys`],
      [apiKey.key.slice(0, 13), `${account}#keys`],
      [`${apiKey.key.slice(0, 13)}…`, `${account}#keys`],
      [operatorKey.key, '/desk/keys'],
      [operatorKey.key.slice(0, 8), '/desk/keys'],
      ['req_b3Vx_1f', '/desk/calls/req_b3Vx_1f'],
    ] as const) {
      expect(await find(text), text).toEqual([303, path]);
    }
    expect(await desk.text('/desk/calls/req_b3Vx_1f')).toContain('Ada Acme');
    expect((await desk.get('/desk/calls/req_none_1')).status).toBe(404);
  });

  test('finds a claim by its code from a code list', async () => {
    const actor = 'operator' as const;
    const { id } = await createOffer(desk.context, {
      listing: 'calm-notes',
      offer: 'A code of your own',
      kind: 'gift',
      code_list: 'close',
      actor,
    });
    await addCodes(desk.context, { offerId: id, actor, lines: [{ line: 1, text: 'OWN-CODE-1' }] });
    expect(await (await desk.post('/desk/search', { q: 'OWN-CODE-1' })).text()).toContain(
      'Nothing was found',
    );
    const made = await claimOffer(desk.context, {
      claimantAccountId: desk.operator.accountId,
      listing: 'calm-notes',
      offerId: id,
    });
    expect(await find('OWN-CODE-1')).toEqual([303, `/desk/claims/${made.claimId}`]);
    const page = await desk.text(`/desk/claims/${made.claimId}`);
    expect(page).toContain('Code given');
    expect(page).not.toContain('not yet');
  });

  test('lists all matches if there are several, and says what was searched if there are none', async () => {
    const words = async (q: string) => wordsOf(await desk.post('/desk/search', { q }));
    const several = await words('claims.example');
    for (const shown of ['Results for “claims.example”', 'Olga Operator', 'Otto Operator']) {
      expect(several).toContain(shown);
    }
    const none = await words('nobody-here');
    for (const shown of ['Nothing was found for “nobody-here”', 'a checkout code', 'What can be found']) {
      expect(none).toContain(shown);
    }
  });

  test('does not show an unknown token or key on the result page', async () => {
    const token = desk.context.tokens.derive(claimId, 'live');
    for (const q of [
      `${token.slice(0, -1)}~`,
      `https://nowhere.example/?claim=${token.slice(0, -2)}`,
      `cck_live_${'a'.repeat(38)}`,
      `cko_${'b'.repeat(38)}`,
    ]) {
      const html = await (await desk.post('/desk/search', { q })).text();
      expect(html, q).toContain('Nothing was found.');
      expect(html, q).not.toContain(q.slice(15));
    }
  });

  test('replaces a claim only after its redemption, and only once', async () => {
    const path = `/desk/claims/${claimId}`;
    expect(await desk.html(path)).not.toContain('Replace claim');
    expect((await desk.post(`${path}/replace`)).status).toBe(422);
    await changeClaims(desk.db, { id: claimId }, { redeemed_at: desk.context.at() });
    expect(await desk.html(path)).toContain('Replace claim');
    const replaced = await desk.post(`${path}/replace`);
    const made = replaced.headers.get('location');
    expect([replaced.status, made]).toEqual([303, expect.stringMatching(/^\/desk\/claims\/[-0-9a-f]{36}$/)]);
    expect(made).not.toBe(path);
    expect(await desk.html(made!)).toContain('Calm Notes');
    const again = await desk.post(`${path}/replace`);
    expect([again.status, again.headers.get('location')]).toEqual([303, made]);
  });

  test('finds offers by code, and people by email address without recording the address in a URL or event', async () => {
    const before = await lastSeq(desk.db.read);
    const found = `/desk/accounts/${desk.otherOperator.accountId}`;
    expect(await find(' OTTO@claims.example ')).toEqual([303, found]);
    const claims = await desk.html(found);
    expect(claims).toContain('id="claims"');
    expect(claims).toContain(`/desk/claims/${claimId}`);
    // The form uses POST, so the address is not in the URL. A search appends no event.
    expect(await desk.html('/desk/accounts')).toMatch(/<form method="post" action="\/desk\/search"/i);
    expect(await lastSeq(desk.db.read)).toBe(before);
    const byCode = await desk.post('/desk/search', { q: 'spring20' });
    expect(byCode.status).toBe(200);
    const page = await byCode.text();
    expect(page).toContain(`/desk/listings/${listingId}`);
    expect(page).toContain('Waiting 100%');
    for (const q of ['nobody@claims.example', 'a@b@c', 'SPRING2', 'S'.repeat(300)]) {
      expect(await wordsOf(await desk.post('/desk/search', { q })), q).toContain('Nothing was found');
    }
    expect((await find('S'.repeat(3_000)))[0]).toBe(422);
  });

  test('does not let owners find claims by a claimant’s email address', async () => {
    const { email } = desk.otherOperator;
    desk.pages.viewer = desk.owner;
    expect(await find(email)).toEqual([404, null]);
    desk.pages.viewer = desk.operator;
    for (const name of CLAIM_FILTER_NAMES) {
      const { accountId } = desk.owner;
      const search = async () =>
        searchClaims(desk.context, { accountId, filter: parseClaimFilter({ [name]: email }, 'UTC') });
      // Each filter either finds nothing or rejects the email address as invalid.
      const found = await search().catch((error: unknown) => error as Refusal);
      expect('rows' in found ? found.rows : found.code, name).toSatisfy(
        (seen) => seen === 'invalid_request' || (Array.isArray(seen) && seen.length === 0),
      );
    }
  });

  test('filters events by actor and time, and exports the filtered events', async () => {
    await renameAccount(desk.context, {
      accountId: desk.owner.accountId,
      name: 'Ada, "renamed"',
    });
    const approved = await desk.html('/desk/events?actor=operator&type=listing.approved');
    expect(approved).toMatch(/approved the listing <a href="\/desk\/listings\/[^"]+">Calm Notes</);
    expect(await desk.html(`/desk/events?actor=${desk.owner.email}`)).not.toContain('approved the listing');
    expect(await desk.html('/desk/events?since=2999-01-01')).not.toContain('calm-notes');
    expect(await desk.html('/desk/events?until=2000-01-01')).not.toContain('calm-notes');
    expect(await desk.html('/desk/events?since=tomorrow')).toContain('Enter a day such as 2026-11-20');
    expect((await desk.get('/desk/events/export.csv?since=tomorrow')).status).toBe(400);

    const query = `actor=${desk.owner.email}&type=account.asked`;
    const csv = await desk.get(`/desk/events/export.csv?${query}`);
    expect(csv.headers.get('content-disposition')).toMatch(/audit-log-\d{4}-\d\d-\d\d\.csv/);
    const rows = parse(await csv.text(), { columns: true }) as Record<string, string>[];
    expect(rows).toMatchObject([{ type: 'account.asked', account_email: desk.owner.email }]);
    const all = (await desk.html('/desk/events/export.ndjson?type=all')).trim().split('\n');
    const events = all.map((line) => JSON.parse(line) as { seq: number; type: string });
    expect(events.length).toBeGreaterThan(5);
    expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).sort((a, b) => b - a));
    expect(events.some(({ type }) => type.startsWith('claim.'))).toBe(false);
  });
});
