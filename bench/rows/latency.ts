/** p99 at half of the service's peak load, open loop, against the bare server at the same rate. */
import { alternate, type Row } from '../bench.ts';
import { openLoop, requestsOf, WARM_UP_SECONDS } from '../load/open-loop-round.ts';
import { checkRedeemed, loadRound, serviceOf, type Target } from '../load/redeeming.ts';
import { startBareHttp } from '../setup/baselines.ts';
import type { Engine } from '../setup/installation.ts';
import { writeTokens } from '../setup/tokens.ts';

const latencyRow = (engine: Engine): Row => ({
  name: `${engine}-latency`,
  engine,
  about: 'p99 at half of peak load',
  run: async (bench) => {
    const stock = await bench.stock(engine);
    await stock.scatter(bench.claims);
    const service = await serviceOf(stock);
    await loadRound(stock, service, WARM_UP_SECONDS);
    const peak = await loadRound(stock, service, bench.seconds);
    const rate = Math.round(peak.perSecond / 2);
    const server = await startBareHttp(bench.scratch);

    const p99 = async (target: Target): Promise<number> => {
      const requests = requestsOf({ rate, seconds: bench.seconds });
      const file = await writeTokens(stock.installation.folder, await stock.peek(requests));
      const before = target.redeems ? await stock.installation.redeemedRows() : 0;
      const round = await openLoop({ ...target, tokens: file, rate, seconds: bench.seconds });
      if (target.redeems) {
        checkRedeemed(round.answered, (await stock.installation.redeemedRows()) - before, 0);
        stock.spend(requests);
      }
      return round.p99;
    };

    try {
      const bare = { url: server.url, apiKey: service.apiKey, redeems: false };
      await loadRound(stock, bare, WARM_UP_SECONDS);
      const measured = await alternate(
        bench,
        () => p99(service),
        () => p99(bare),
      );
      return [
        {
          row: `${engine}-latency`,
          what: 'p99 at half of peak load',
          unit: 'ms',
          subject: measured.subject,
          baseline: { name: 'bare node:http', values: measured.baseline },
          reach: { of: 'ratio', at: 'most', value: 3 },
          notes: [`${rate} requests a second at both, open loop, timed from when each was due`],
        },
      ];
    } finally {
      await server.stop();
    }
  },
});

export const latencyRows: readonly Row[] = [latencyRow('embedded'), latencyRow('postgresql')];
