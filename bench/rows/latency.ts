/** p99 of redemptions, open loop, in alternation with the durable floor and the bare server at the same rate. */
import { type Bench, forTails, inTurns, onBothEngines, type Result } from '../bench.ts';
import {
  bareTarget,
  checkWritten,
  floorTarget,
  loadRound,
  serviceOf,
  type Target,
} from '../load/redeeming.ts';
import { openLoop, requestsOf, WARM_UP_SECONDS } from '../load/rounds.ts';
import { startBareHttp, startDurableFloor } from '../setup/baselines.ts';
import type { Stock } from '../setup/stock.ts';
import { writeTokens } from '../setup/tokens.ts';

/** Requests per second, well below the peak of the service. */
const MODERATE_RATE = 1_000;

async function p99(stock: Stock, target: Target, rate: number, seconds: number): Promise<number> {
  const requests = requestsOf({ rate, seconds });
  const file = await writeTokens(stock.installation.folder, await stock.peek(requests));
  const written = target.redeems ? stock.installation.redeemedRows : async () => target.records?.();
  const before = await written();
  const round = await openLoop({ ...target, tokens: file, rate, seconds });
  const after = await written();
  if (before !== undefined && after !== undefined) checkWritten(round.answered, after - before, 0);
  if (target.redeems) stock.spend(requests);
  return round.p99;
}

/** Measures all three at the same rate, in alternation. */
async function atRate(
  bench: Bench,
  stock: Stock,
  targets: Readonly<Record<'service' | 'floor' | 'bare', Target>>,
  rate: number,
  what: string,
): Promise<readonly Result[]> {
  const measured = await inTurns(forTails(bench), {
    service: () => p99(stock, targets.service, rate, bench.seconds),
    floor: () => p99(stock, targets.floor, rate, bench.seconds),
    bare: () => p99(stock, targets.bare, rate, bench.seconds),
  });
  const note = `${rate} requests a second to each server, open loop; latency counts from the moment a request was due`;
  const result = { what, unit: 'ms', subject: measured.service } as const;
  return [
    {
      ...result,
      baseline: { name: 'durable floor', values: measured.floor },
      reach: { of: 'ratio', at: 'most', value: 2 },
      notes: [`${what}: ${note}`],
    },
    { ...result, baseline: { name: 'bare node:http', values: measured.bare } },
  ];
}

const MODERATE = `p99 at ${MODERATE_RATE.toLocaleString('en')} a second`;

export const latencyRows = onBothEngines(
  'latency',
  `${MODERATE} and at half of peak load`,
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    await stock.scatter(bench.claims);
    const service = await serviceOf(stock);
    await loadRound(stock, service, WARM_UP_SECONDS);
    const peak = await loadRound(stock, service, bench.seconds);
    const floor = await startDurableFloor(bench.scratch);
    const bare = await startBareHttp(bench.scratch);
    const targets = {
      service,
      floor: floorTarget(floor, service.apiKey),
      bare: bareTarget(bare, service.apiKey),
    };
    try {
      await loadRound(stock, targets.floor, WARM_UP_SECONDS);
      await loadRound(stock, targets.bare, WARM_UP_SECONDS);
      const halfOfPeak = Math.round(peak.perSecond / 2);
      return [
        ...(await atRate(bench, stock, targets, MODERATE_RATE, MODERATE)),
        ...(await atRate(bench, stock, targets, halfOfPeak, 'p99 at half of peak load')),
      ];
    } finally {
      await Promise.all([floor.stop(), bare.stop()]);
    }
  },
);
