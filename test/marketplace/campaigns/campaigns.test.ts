/** Campaign counts per label and day stay exact during concurrent claims, redemptions and aggregations of deltas. */
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { chartPoints } from '../../../src/marketplace/campaigns/chart-points.ts';
import { aggregateBatch, aggregateLabelDeltas } from '../../../src/marketplace/campaigns/count.ts';
import { appendLabelDeltas } from '../../../src/marketplace/campaigns/queries.ts';
import {
  type Campaigns,
  campaignsCsv,
  type FunnelOfLabel,
  findCampaigns,
} from '../../../src/pages/dashboard/campaigns/campaigns.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';
import { redeemAll } from '../../support/verify.ts';

const DAY_MS = 86_400_000;
const CAMPAIGN_DAYS = 90;
const LABELS = [null, 'spring', '__proto__', '-sum'];
const NOTHING = { visits: 0, visitors: 0, claims: 0, arrived: 0, redeemed: 0, code_claims: 0 };
const MAX_CONCURRENT = 8;
const NOW = Date.parse('2026-11-20T23:59:59.000Z');

const pointsOf = ({ days, chart }: Campaigns) => chartPoints(days, chart.counts, true).counts;

/** Aggregates deltas during `work`. Stops before it returns or throws, so that no aggregation uses a closed database. */
async function whileAggregating(context: Context, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const aggregating = (async () => {
    while (!isDone) await aggregateBatch(context, 3);
  })();
  // Awaited below. Without this, an aggregation that fails during `work` would be reported as an unhandled rejection.
  aggregating.catch(() => {});
  try {
    await work();
  } finally {
    isDone = true;
    await aggregating;
  }
}

describe.each(ENGINES)('campaigns on %s', (engine) => {
  const { context } = shareDatabase(engine);

  const recount = async (owner: Owner) => {
    const claims = await context.db.read
      .selectFrom('claims')
      .select(['via', 'claimed_at', 'redeemed_at'])
      .where('account_id', '=', owner.accountId)
      .where('mode', '=', 'live')
      .execute();
    const byDay = (of: (claim: (typeof claims)[number]) => string | null, days: readonly string[]) => {
      const counts = new Map<string, number>();
      for (const claim of claims) {
        const day = of(claim)?.slice(0, 10);
        if (day !== undefined) counts.set(day, (counts.get(day) ?? 0) + 1);
      }
      return days.map((day) => counts.get(day) ?? 0);
    };
    return { claims, byDay };
  };

  test('campaign counts match a recount after concurrent claims, redemptions and aggregations', async () => {
    const owner = await createOwner(context);
    const tokens: string[] = [];
    const redemptions: Promise<unknown>[] = [];
    await whileAggregating(context, async () => {
      for (const daysAgo of [0, 1, 40, CAMPAIGN_DAYS - 1, CAMPAIGN_DAYS + 5]) {
        const at: Context = { ...context, now: () => NOW - daysAgo * DAY_MS };
        const made = LABELS.flatMap((via) => [
          issueTokens(at, owner, 1, { via }),
          issueTokens(at, owner, 2, { via }),
        ]);
        tokens.push(...(await Promise.all(made)).flat());
      }
      // Three of every four tokens are redeemed twice concurrently. The second redemption must not be counted.
      for (const [n, token] of tokens.entries()) {
        if (n % 4 === 3) continue;
        const at: Context = { ...context, now: () => NOW - (n % 3) * DAY_MS };
        redemptions.push(redeemAll(at, owner.liveKey, [token]), redeemAll(at, owner.liveKey, [token]));
        // Each redemption has its own verifier and takes a connection, so all of them would exhaust the pool.
        if (redemptions.length >= MAX_CONCURRENT) await Promise.all(redemptions.splice(0));
      }
      await Promise.all(redemptions);
    });

    const check = async () => {
      const find = (label?: string | null) =>
        findCampaigns(
          { ...context, now: () => NOW },
          { accountId: owner.accountId, listing: owner.slug, label },
        );
      const found = await find();
      const { claims, byDay } = await recount(owner);
      const days = found!.days.map(({ day }) => day);
      expect(days).toHaveLength(CAMPAIGN_DAYS);
      expect(days.at(-1)).toBe('2026-11-20');
      expect(pointsOf(found!)).toMatchObject({
        claims: byDay((claim) => claim.claimed_at, days),
        redeemed: byDay((claim) => claim.redeemed_at, days),
      });
      for (const via of LABELS) {
        const ofVia = (await find(via))!;
        const ofLabel = (time: 'claimed_at' | 'redeemed_at') =>
          byDay((claim) => (claim.via === via ? claim[time] : null), days);
        expect(ofVia.chart.via).toBe(via);
        expect(pointsOf(ofVia)).toMatchObject({
          claims: ofLabel('claimed_at'),
          redeemed: ofLabel('redeemed_at'),
        });
      }
      const isIn = (time: string | null) => time !== null && days.includes(time.slice(0, 10));
      expect(new Map(found!.labels.map((label) => [label.via, label]))).toEqual(
        new Map(
          LABELS.map((via) => {
            const of = claims.filter((claim) => claim.via === via);
            const made = of.filter(({ claimed_at }) => isIn(claimed_at)).length;
            const redeemed = of.filter(({ redeemed_at }) => isIn(redeemed_at)).length;
            const redeemable = Math.max(made, redeemed);
            const before = { ...NOTHING, claims: of.length - made };
            const rate = redeemed / redeemable;
            return [via, { ...NOTHING, via, claims: made, redeemed, before, redeemable, rate }];
          }),
        ),
      );
      expect(found!.total).toMatchObject({ claims: 48, before: { claims: 12 } });
    };
    await check();
    await aggregateLabelDeltas(context);
    await check();
  });

  test('more than a year is charted by month, from daily and monthly counts', async () => {
    const owner = await createOwner(context);
    const days = [
      '2025-08-31',
      '2025-09-14',
      '2025-09-30',
      '2025-10-01',
      '2025-10-31',
      '2026-11-01',
      '2026-11-20',
    ];
    for (const [index, day] of days.entries()) {
      const at: Context = { ...context, now: () => Date.parse(`${day}T12:00:00.000Z`) };
      await issueTokens(at, owner, index + 1, { via: index % 2 === 0 ? 'spring' : null });
    }
    const check = async () => {
      const claimsOf = async (from: string, label?: string) => {
        const found = await findCampaigns(
          { ...context, now: () => NOW },
          {
            ...{ accountId: owner.accountId, listing: owner.slug, label },
            span: { from, to: '2026-11-20' },
          },
        );
        const points = chartPoints(found!.days, found!.chart.counts, false);
        return Object.fromEntries(points.days.map((month, at) => [month, points.counts.claims[at]]));
      };
      const all = await claimsOf('2025-09-15');
      expect(Object.keys(all)).toHaveLength(14);
      expect(all).toMatchObject({ 'Oct 2025': 4 + 5, 'Nov 2025': 0, 'Nov 2026': 6 + 7 });
      expect(await claimsOf('2025-09-01')).toMatchObject({ 'Sep 2025': 2 + 3, 'Oct 2025': 4 + 5 });
      expect(await claimsOf('2025-09-01', 'spring')).toMatchObject({ 'Sep 2025': 3, 'Nov 2026': 7 });
    };
    await check();
    await aggregateLabelDeltas(context);
    await check();
  });

  test('any period has the claims of its days, by label and in the chart, also before they are aggregated', async () => {
    const owner = await createOwner(context);
    const dayOf = (daysAgo: number) => new Date(NOW - daysAgo * DAY_MS).toISOString().slice(0, 10);
    // A prime step, so that each part of a month has claims on some days.
    const claims = Array.from({ length: 100 }, (_, n) => ({
      ...{ daysAgo: n * 13, claims: 1 + (n % 4) },
      via: LABELS[1 + (n % 3)]!,
    }));
    const append = (some: typeof claims) =>
      context.db.transaction(async (tx) => {
        for (const { daysAgo, ...counts } of some) {
          const at = `${dayOf(daysAgo)}T12:00:00.000Z`;
          const { accountId, listingId } = owner;
          const delta = { accountId, listingId, redeemed: 0, ...counts };
          await appendLabelDeltas(tx, context.db.engine, at, [delta]);
        }
      });
    const check = async (daysAgo: number, length: number, label?: string) => {
      const [from, to] = [dayOf(daysAgo + length - 1), dayOf(daysAgo)];
      const campaigns = await findCampaigns(
        { ...context, now: () => NOW },
        { accountId: owner.accountId, listing: owner.slug, span: { from, to }, label },
      );
      const sumOf = (of: (claim: (typeof claims)[number]) => boolean) =>
        claims.filter(of).reduce((sum, claim) => sum + claim.claims, 0);
      const isIn = (claim: { readonly daysAgo: number }, start = daysAgo) =>
        claim.daysAgo >= start && claim.daysAgo < start + length;
      const labels = campaigns!.labels.map(({ via, claims, before }) => [via, claims, before.claims]);
      const expected = LABELS.map((via) => [
        via,
        sumOf((claim) => claim.via === via && isIn(claim)),
        sumOf((claim) => claim.via === via && isIn(claim, daysAgo + length)),
      ]).filter(([via, now, before]) => via === null || now !== 0 || before !== 0);
      expect(new Set(labels)).toEqual(new Set(expected));
      const firstOfMonth = campaigns!.days.find(({ day }) => day.endsWith('-01'))?.day ?? '';
      const chart = chartPoints(campaigns!.days, campaigns!.chart.counts, true);
      // The chart omits an incomplete first week or month.
      const charted = campaigns!.days.slice({ day: 0, week: length % 7, month: 0 }[chart.unit]);
      const start = chart.unit === 'month' ? firstOfMonth : charted[0]!.day;
      const inChart = sumOf(
        (claim) =>
          isIn(claim) && dayOf(claim.daysAgo) >= start && (label === undefined || claim.via === label),
      );
      expect(chart.counts.claims.reduce((sum, count) => sum + count, 0)).toBe(inChart);
    };
    const checkAll = async () => {
      for (const daysAgo of [0, 3, 200]) {
        for (const length of [1, 20, 90, 365, 400]) await check(daysAgo, length);
      }
      for (const length of [90, 365, 700]) await check(0, length, '-sum');
    };
    // Some of the deltas are aggregated. Of the others, some are old.
    await append(claims.filter((_, n) => n % 2 === 0));
    await aggregateLabelDeltas(context);
    await append(claims.filter((_, n) => n % 2 === 1));
    await checkAll();
    await aggregateLabelDeltas(context);
    await checkAll();
  });

  test('the row for claims without a label always exists; listings of other accounts are not found', async () => {
    const owner = await createOwner(context);
    const found = await findCampaigns(context, { accountId: owner.accountId, listing: owner.slug });
    expect(found!.labels).toEqual([{ ...NOTHING, via: null, before: NOTHING, redeemable: 0, rate: 0 }]);
    const stranger = await createOwner(context);
    for (const listing of [owner.slug, owner.listingId, 'nowhere', "'"]) {
      expect(await findCampaigns(context, { accountId: stranger.accountId, listing })).toBeNull();
    }
  });
});

test('the CSV of campaigns does not escape labels that start with a hyphen', () => {
  const counts = { visits: 9, visitors: 8, claims: 6, arrived: 3, redeemed: 1, code_claims: 2 };
  const funnel = { ...counts, redeemable: 4, rate: 0.25 };
  const label = (via: string | null): FunnelOfLabel => ({
    via,
    ...funnel,
    before: { ...NOTHING, visits: 7 },
  });
  expect(campaignsCsv([label('-sum'), label(null)])).toBe(
    [
      '\ufeffvia,visits,visitors,claims,arrived,redeemed,redeemable,rate,visits_before,visitors_before,claims_before,arrived_before,redeemed_before',
      '-sum,9,8,6,3,1,4,0.2500,7,0,0,0,0',
      ',9,8,6,3,1,4,0.2500,7,0,0,0,0',
      '',
    ].join('\r\n'),
  );
});
