/** Limits per account, and bounded reads for large accounts. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/base/context.ts';
import { issueClaimFor } from '../../src/claims/creation/issue.ts';
import type { ClaimFilter } from '../../src/claims/search/claim-filter.ts';
import { findClaimList } from '../../src/claims/search/search-queries.ts';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { MAX_LISTINGS_OF_ACCOUNT } from '../../src/marketplace/listings/listing.ts';
import { countListings } from '../../src/marketplace/listings/queries.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { findOffer } from '../../src/marketplace/offers/queries.ts';
import { listFilterListings } from '../../src/pages/dashboard/claims/queries.ts';
import { keyPages } from '../../src/pages/dashboard/keys/pages.tsx';
import { createKey } from '../../src/people/keys/create.ts';
import { revokeKey, rollKey } from '../../src/people/keys/end.ts';
import { MAX_ACTIVE_KEYS } from '../../src/people/keys/key.ts';
import { listNewestKeys } from '../../src/people/keys/queries.ts';
import { ENGINES } from '../support/engines.ts';
import { refusalOf } from '../support/events.ts';
import { type Dashboard, openDashboard } from './dashboard/support.ts';

describe.each(ENGINES)('account limits on %s', (engine) => {
  let dashboard: Dashboard;
  let context: Context;
  beforeAll(async () => {
    dashboard = await openDashboard(engine, (given) => [(app) => keyPages(app, given)]);
    context = dashboard.context;
  });
  afterAll(() => dashboard?.close());

  let count = 0;
  const listing = (accountId: string, actor: 'operator' | `account:${string}`) => {
    count += 1;
    const slug = `limit-${count}`;
    const upTo = actor === 'operator' ? { upTo: 'approved' as const } : {};
    const base = { account: accountId, slug, name: slug, url: 'https://a.example' };
    return createListing(context, { ...base, ...upTo, actor });
  };

  test('an account can have at most 100 listings, even if they are created concurrently', async () => {
    const { accountId } = await dashboard.signIn();
    const actor = `account:${accountId}` as const;
    await listing(accountId, 'operator');
    for (let made = 2; made < MAX_LISTINGS_OF_ACCOUNT; made += 1) await listing(accountId, actor);
    // Opens PostgreSQL connections first, so that the four calls below run concurrently.
    await Promise.all([1, 2, 3, 4].map(() => context.db.transaction((tx) => countListings(tx, accountId))));
    const tries = await Promise.allSettled([1, 2, 3, 4].map(() => listing(accountId, actor)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(listing(accountId, actor))).toBe('An account can have at most 100 listings.');

    const fields = { name: 'One more', slug: 'one-more', url: 'https://a.example', summary: 'kept' };
    const answer = await dashboard.post('/dashboard/listings/new', fields);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('An account can have at most 100 listings.');
    // The form keeps the typed values and marks no field as invalid.
    expect(answer.text).toContain('value="one-more"');
    expect(answer.text).not.toContain('aria-invalid="true"');

    // The limit does not apply to operators.
    await listing(accountId, 'operator');
  });

  test('an account can have at most 100 active API keys, even if they are created concurrently', async () => {
    const { accountId } = await dashboard.signIn();
    const actor = `account:${accountId}` as const;
    const make = (by: typeof actor | 'operator' = actor) =>
      createKey(context, { account: accountId, name: 'k', actor: by });
    const first = await make();
    for (let made = 2; made < MAX_ACTIVE_KEYS; made += 1) await make();
    const tries = await Promise.allSettled([make(), make(), make(), make()]);
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const sentence = 'An account can have at most 100 active API keys; revoke one first.';
    expect(await refusalOf(make())).toBe(sentence);

    const answer = await dashboard.post('/dashboard/settings/keys', { name: 'typed name', mode: 'live' });
    expect([answer.status, answer.text.includes(sentence)]).toEqual([422, true]);
    expect(answer.text).toContain('value="typed name"');

    // A roll needs a free slot only if the old key stays valid.
    const roll = (keepOld: string) => rollKey(context, { keyId: first.id, accountId, keepOld, actor });
    expect(await refusalOf(roll('24h'))).toContain('revoke the old key immediately');
    const { id } = await roll('now');
    await revokeKey(context, { keyId: id, accountId, actor });
    await make();
    await make('operator');
  });

  test('the key list shows active keys first and is truncated at its limit', async () => {
    const { accountId } = await dashboard.signIn();
    const actor = `account:${accountId}` as const;
    const names = ['old', 'ended', 'newer', 'newest'];
    const ids = new Map<string, string>();
    for (const name of names) {
      ids.set(name, (await createKey(context, { account: accountId, name, actor })).id);
    }
    await revokeKey(context, { keyId: ids.get('ended')!, accountId, actor });
    const at = new Date(context.now()).toISOString();
    const shown = async (limit: number) =>
      (await listNewestKeys(context.db.read, accountId, at, limit)).map(({ name }) => name);
    expect(await shown(3)).toEqual(['newest', 'newer', 'old']);
    expect(await shown(9)).toEqual(['newest', 'newer', 'old', 'ended']);
  });

  test('a claim search reads only the offers that have claims', async () => {
    const { accountId } = await dashboard.signIn();
    const listings = [await listing(accountId, 'operator'), await listing(accountId, 'operator')];
    const base = { offer: 'o', kind: 'discount', code: 'C', actor: 'operator' } as const;
    const offers: string[] = [];
    for (const { id } of [...listings, ...listings]) {
      offers.push((await createOffer(context, { ...base, listing: id })).id);
    }
    const filter = await listFilterListings(context.db.read, accountId, listings[1]!.slug);
    expect(filter.map((found) => found.offers.length)).toEqual([0, 2]);
    const chosen = offers[1]!;
    const { listing_id } = await findOffer(context.db.read, chosen);
    await issueClaimFor(context, {
      offerId: chosen,
      claimantRef: 'person-1',
      mode: 'live',
      via: null,
      replace: false,
    });
    const rangesRead = async (of: ClaimFilter) => {
      const { ranges } = await findClaimList(context.db, accountId, of, 'newest');
      if (typeof ranges !== 'function') throw new Error('The list does not find its ranges.');
      return (await ranges(context.db.read, { conditions: [], way: sql`desc`, limit: 10 })).length;
    };
    expect(await rangesRead({})).toBe(1);
    expect(await rangesRead({ listing: listing_id })).toBe(1);
    expect(await rangesRead({ offer: chosen })).toBe(1);
    expect(await rangesRead({ mode: 'test' })).toBe(0);
    expect(await rangesRead({ offer: offers[3]! })).toBe(0);
    expect(await rangesRead({ listing: listings[0]!.id })).toBe(0);
  });
});
