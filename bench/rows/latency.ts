/** p99 of redemptions under open-loop load, compared with the durable floor and the bare server. */
import { forTails, onBothEngines } from '../bench.ts';
import { checkWritten, loadRound, type Target } from '../load/redeeming.ts';
import { openLoop, requestsOf, WARM_UP_SECONDS } from '../load/rounds.ts';
import type { Stock } from '../setup/stock.ts';
import { writeTokens } from '../setup/tokens.ts';
import { compare, withBaselines } from './against-baselines.ts';

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

const MODERATE = `p99 at ${MODERATE_RATE.toLocaleString('en')} a second`;

export const latencyRows = onBothEngines(
  'latency',
  `${MODERATE} and at half of peak load`,
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    await stock.scatter(bench.claims);
    return await withBaselines(bench, stock, async (targets) => {
      await loadRound(stock, targets.service, WARM_UP_SECONDS);
      const peak = await loadRound(stock, targets.service, bench.seconds);
      await loadRound(stock, targets.floor, WARM_UP_SECONDS);
      await loadRound(stock, targets.bare, WARM_UP_SECONDS);
      const atRate = (what: string, rate: number) =>
        compare(forTails(bench), targets, (target) => p99(stock, target, rate, bench.seconds), {
          what,
          unit: 'ms',
          goal: { of: 'ratio', at: 'most', value: 2 },
          notes: [
            `${what}: ${rate} requests a second to each server, open loop; latency is measured from the time a request was due`,
          ],
        });
      return [
        ...(await atRate(MODERATE, MODERATE_RATE)),
        ...(await atRate('p99 at half of peak load', Math.round(peak.perSecond / 2))),
      ];
    });
  },
);
