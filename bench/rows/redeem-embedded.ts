/** Redemptions per second on the embedded database, compared with the durable floor and a bare `node:http` server. */
import { type Bench, inTurns, type Result, type Row } from '../bench.ts';
import {
  bareTarget,
  freshClaimsRound,
  loadRound,
  serviceOf,
  type Target,
  type Variant,
} from '../load/redeeming.ts';
import { CONNECTIONS, MANY_CONNECTIONS } from '../load/rounds.ts';
import { startBareHttp } from '../setup/baselines.ts';
import type { Stock } from '../setup/stock.ts';
import { shuffle } from '../setup/tokens.ts';
import { compare, withBaselines } from './against-baselines.ts';

const WARM_UP_SECONDS = 1;
/** Number of claims that are issued before each round of the service in the `recent` row. */
const RECENT_CLAIMS = 100_000;

type MeasureRound = (target: Target, seconds: number, connections: number) => Promise<number>;

const againstBaselines = (
  bench: Bench,
  stock: Stock,
  perSecond: MeasureRound,
  what: string,
  goal: number,
): Promise<readonly Result[]> =>
  withBaselines(bench, stock, async (targets) => {
    await loadRound(stock, targets.service, WARM_UP_SECONDS);
    for (const target of Object.values(targets)) await perSecond(target, WARM_UP_SECONDS, CONNECTIONS);
    const results: Result[] = [];
    for (const connections of [CONNECTIONS, MANY_CONNECTIONS]) {
      const measure = (target: Target) => perSecond(target, bench.seconds, connections);
      results.push(
        ...(await compare(bench, targets, measure, {
          what: `${what}, ${connections} connections`,
          unit: 'per second',
          goal: { of: 'ratio', at: 'least', value: goal },
        })),
      );
    }
    return results;
  });

const ofStock = (name: string, about: string, variant: Variant, goal: number, scattered: boolean): Row => ({
  name,
  engine: 'embedded',
  about,
  run: async (bench) => {
    const stock = await bench.stock('embedded');
    if (scattered) await stock.scatter(bench.claims);
    const perSecond: MeasureRound = async (target, seconds, connections) =>
      (await loadRound(stock, target, seconds, { ...variant, connections })).perSecond;
    return againstBaselines(bench, stock, perSecond, about, goal);
  },
});

/**
 * Each round of the service redeems newly issued claims, because most claims in production are redeemed soon after they
 * are created. The baselines accept any token, so they need no new claims.
 */
const recent: Row = {
  name: 'embedded-recent',
  engine: 'embedded',
  about: `redemptions of the newest ${RECENT_CLAIMS.toLocaleString('en')} claims, in random order`,
  run: async (bench) => {
    const stock = await bench.stock('embedded');
    const perSecond: MeasureRound = async (target, seconds, connections) => {
      if (!target.redeems) return (await loadRound(stock, target, seconds, { connections })).perSecond;
      const tokens = await (await stock.installation.issue(RECENT_CLAIMS)).tokens();
      shuffle(tokens);
      const { installation } = stock;
      return (await freshClaimsRound(installation, target.url, tokens, seconds, { connections })).perSecond;
    };
    return againstBaselines(bench, stock, perSecond, recent.about, 0.7);
  },
};

/** Not compared with the durable floor, because a verification without redemption flushes nothing to disk. */
const verify: Row = {
  name: 'embedded-verify',
  engine: 'embedded',
  about: 'verifications with redeem: false',
  run: async (bench) => {
    const stock = await bench.stock('embedded');
    const service = await serviceOf(stock);
    const server = await startBareHttp(bench.scratch);
    const bare = bareTarget(server, service.apiKey);
    const perSecond = async (target: Target, seconds: number): Promise<number> =>
      (await loadRound(stock, target, seconds, { redeem: false })).perSecond;
    try {
      await perSecond(service, WARM_UP_SECONDS);
      await perSecond(bare, WARM_UP_SECONDS);
      const measured = await inTurns(bench, {
        service: () => perSecond(service, bench.seconds),
        bare: () => perSecond(bare, bench.seconds),
      });
      return [
        {
          what: verify.about,
          unit: 'per second',
          subject: measured.service,
          baseline: { name: 'bare node:http', values: measured.bare },
        },
      ];
    } finally {
      await server.stop();
    }
  },
};

export const embeddedRedeemRows: readonly Row[] = [
  recent,
  ofStock('embedded-redeem', 'redemptions, tokens in order of creation', {}, 0.8, false),
  ofStock(
    'embedded-idempotency',
    'redemptions, each with an Idempotency-Key',
    { idempotency: true },
    0.5,
    false,
  ),
  verify,
  ofStock('embedded-random', 'redemptions, tokens in random order', {}, 0.7, true),
];
