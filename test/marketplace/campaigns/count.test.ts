/** Label counts: the sum of stored counts and deltas is exact, even during an aggregation. */
import type { KyselyPlugin } from 'kysely';
import { describe, expect, test } from 'vitest';
import { claimsByDay } from '../../../src/marketplace/campaigns/chart-points.ts';
import {
  aggregateBatch,
  aggregateLabelDeltas,
  countLabels,
  isAggregationDue,
} from '../../../src/marketplace/campaigns/count.ts';
import { sumClaimsOfListings } from '../../../src/marketplace/campaigns/period-queries.ts';
import { appendLabelDeltas, type LabelDelta } from '../../../src/marketplace/campaigns/queries.ts';
import type { Database, Transaction } from '../../../src/platform/store/database.ts';
import { numberOfAccount } from '../../../src/platform/store/numbers.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { lastDays } from '../../../src/platform/text/time-zone.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { nodeUrls } from '../../support/nodes.ts';
import { shareDatabase } from '../../support/shared.ts';

describe.each(ENGINES)('label counts on %s', (engine) => {
  const { context } = shareDatabase(engine);

  const delta = (owner: Owner, via: string, claims: number, redeemed: number): LabelDelta => ({
    accountId: owner.accountId,
    listingId: owner.listingId,
    via,
    claims,
    redeemed,
  });
  const appendAt = (at: number, deltas: readonly LabelDelta[]) =>
    context.db.transaction((tx) =>
      appendLabelDeltas(tx, context.db.engine, new Date(at).toISOString(), deltas),
    );
  const append = (...deltas: LabelDelta[]) => appendAt(Date.now(), deltas);
  const countDeltas = async (owner: Owner) =>
    (
      await context.db.read
        .selectFrom('label_deltas')
        .select('id')
        .where('account_number', '=', numberOfAccount(owner.accountId))
        .execute()
    ).length;

  test('aggregation preserves all counts, even for the label __proto__', async () => {
    await expect(countLabels(context, { listing: 'nowhere' })).rejects.toThrow(/no listing/);
    const owner = await createOwner(context);
    await append(
      delta(owner, '__proto__', 3, 0),
      delta(owner, '', 2, 1),
      delta(owner, '__proto__', 1, 1),
      delta(owner, 'constructor', 1, 0),
    );
    const expected = [
      { via: '__proto__', claims: 4, redeemed: 1, rate: 0.25 },
      { via: null, claims: 2, redeemed: 1, rate: 0.5 },
      { via: 'constructor', claims: 1, redeemed: 0, rate: 0 },
    ];
    expect(await countLabels(context, { listing: owner.slug })).toMatchObject(expected);
    expect(await aggregateBatch(context)).toBeGreaterThanOrEqual(4);
    expect(await countDeltas(owner)).toBe(0);
    expect(await countLabels(context, { listing: owner.slug })).toMatchObject(expected);
    await append(delta(owner, '__proto__', 0, 2));
    await aggregateBatch(context);
    expect((await countLabels(context, { listing: owner.slug }))[0]).toMatchObject({
      via: '__proto__',
      claims: 4,
      redeemed: 3,
      rate: 0.75,
    });
  });

  test('claims of several owners’ listings are summed by day, before and after an aggregation', async () => {
    const [one, other, stranger] = [
      await createOwner(context),
      await createOwner(context),
      await createOwner(context),
    ];
    const now = Date.now();
    const days = lastDays(context.marketplace.timeZone, now, 3);
    await appendAt(now - 2 * DAY_MS, [delta(one, 'a', 2, 0), delta(one, 'b', 1, 0), delta(other, 'a', 4, 1)]);
    await append(delta(one, 'a', 1, 0), delta(other, 'a', 0, 1), delta(stranger, 'a', 9, 0));
    const listings = [one, other].map(({ listingId, accountId }) => ({
      id: listingId,
      account_id: accountId,
    }));
    const expectSums = async () => {
      const sums = await sumClaimsOfListings(context.db.read, listings, { days, end: null });
      expect(claimsByDay(one.listingId, days, sums)).toEqual([3, 0, 1]);
      expect(claimsByDay(other.listingId, days, sums)).toEqual([4, 0, 0]);
      expect(claimsByDay(stranger.listingId, days, sums)).toEqual([0, 0, 0]);
    };
    await expectSums();
    while ((await aggregateBatch(context)) > 0);
    await expectSums();
  });

  test('claims that give only a code are left out of the rate, before and after an aggregation', async () => {
    const owner = await createOwner(context);
    await append({ ...delta(owner, 'spring', 6, 0), code_claims: 4 }, delta(owner, 'spring', 0, 1), {
      ...delta(owner, 'codes', 2, 0),
      code_claims: 2,
    });
    const expected = [
      { via: 'spring', claims: 6, redeemed: 1, redeemable: 2, rate: 0.5 },
      { via: 'codes', claims: 2, redeemed: 0, redeemable: 0, rate: 0 },
    ];
    expect(await countLabels(context, { listing: owner.slug })).toMatchObject(expected);
    while ((await aggregateBatch(context)) > 0);
    expect(await countLabels(context, { listing: owner.slug })).toMatchObject(expected);
    const today = new Date().toISOString().slice(0, 10);
    expect(await countLabels(context, { listing: owner.slug, from: today })).toMatchObject(expected);
  });

  test('an aggregation moves at most the given number of deltas', async () => {
    const owner = await createOwner(context);
    while ((await aggregateBatch(context)) > 0);
    await append(...Array.from({ length: 10 }, () => delta(owner, 'a', 1, 0)));
    expect(await aggregateBatch(context, 4)).toBe(4);
    expect(await countDeltas(owner)).toBe(6);
    expect(await aggregateBatch(context, 100)).toBe(6);
    expect(await aggregateBatch(context)).toBe(0);
  });

  test.skipIf(nodeUrls().length > 1)(
    'an aggregation runs the same number of statements for five accounts as for one',
    async () => {
      const owners = await Promise.all(Array.from({ length: 5 }, () => createOwner(context)));
      let statements = 0;
      const counting: KyselyPlugin = {
        transformQuery: ({ node }) => {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const { db } = context;
      const transaction: Database['transaction'] = (work) =>
        db.transaction((tx) => work(tx.withPlugin(counting) as Transaction));
      const statementsFor = async (several: readonly Owner[]) => {
        while ((await aggregateBatch(context)) > 0);
        await append(...several.map((owner) => delta(owner, 'a', 1, 0)));
        statements = 0;
        expect(await aggregateBatch({ ...context, db: { ...db, transaction } })).toBe(several.length);
        return statements;
      };
      expect(await statementsFor(owners)).toBe(await statementsFor(owners.slice(0, 1)));
    },
  );

  test('an aggregation is due once the oldest delta is a minute old or 1,000 deltas are waiting', async () => {
    const owner = await createOwner(context);
    await aggregateLabelDeltas(context);
    const now = Date.now();
    const isDueAt = (at: number) => isAggregationDue({ db: context.db, now: () => at });
    expect(await isDueAt(now)).toBe(false);
    await appendAt(now, [delta(owner, 'a', 1, 0)]);
    await appendAt(now + 30_000, Array(998).fill(delta(owner, 'a', 1, 0)));
    expect(await isDueAt(now + 59_999)).toBe(false);
    expect(await isDueAt(now + 60_000)).toBe(true);
    await aggregateLabelDeltas(context);
    expect(await countDeltas(owner)).toBe(0);
    await appendAt(now, Array(1_000).fill(delta(owner, 'a', 1, 0)));
    expect(await isDueAt(now)).toBe(true);
    await aggregateLabelDeltas(context);
    expect(await countDeltas(owner)).toBe(0);
    expect((await countLabels(context, { listing: owner.slug }))[0]?.claims).toBe(1_999);
  });

  test('each delta is counted exactly once during concurrent appends, aggregations and reads', async () => {
    const owner = await createOwner(context);
    const seen: number[] = [];
    const appending = Array.from({ length: 20 }, async (_, at) => {
      for (let i = 0; i < 10; i += 1)
        await append(delta(owner, `l${at % 4}`, 2, 1), delta(owner, 'all', 1, 0));
    });
    let done = false;
    const aggregating = Array.from({ length: 4 }, async () => {
      while (!done) await aggregateBatch(context, 7);
    });
    const counting = (async () => {
      while (!done) {
        const labels = await countLabels(context, { listing: owner.slug });
        seen.push(labels.reduce((sum, label) => sum + label.claims, 0));
      }
    })();
    await Promise.all(appending);
    done = true;
    await Promise.all([...aggregating, counting]);
    const labels = await countLabels(context, { listing: owner.slug });
    expect(new Map(labels.map((label) => [label.via, [label.claims, label.redeemed]]))).toEqual(
      new Map([
        ['all', [200, 0]],
        ['l0', [100, 50]],
        ['l1', [100, 50]],
        ['l2', [100, 50]],
        ['l3', [100, 50]],
      ]),
    );
    await aggregateLabelDeltas(context);
    for (const table of ['label_days', 'label_months'] as const) {
      const sum = await context.db.read
        .selectFrom(table)
        .select(({ fn }) => [fn.sum('claims').as('claims'), fn.sum('redeemed').as('redeemed')])
        .where('listing_id', '=', owner.listingId)
        .executeTakeFirstOrThrow();
      expect([table, Number(sum.claims), Number(sum.redeemed)]).toEqual([table, 600, 200]);
    }
    // Both tables also contain the counts of earlier tests, so the test compares the tables with each other.
    const sums = async (table: 'label_days' | 'market_days') =>
      await context.db.read
        .selectFrom(table)
        .select(({ fn }) => ['day', fn.sum('claims').as('claims'), fn.sum('redeemed').as('redeemed')])
        .groupBy('day')
        .orderBy('day')
        .execute();
    expect(await sums('market_days')).toEqual(await sums('label_days'));
    // A read that saw a partial aggregation would return a lower count than the read before.
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });
});
