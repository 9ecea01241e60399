/** p99 at half of the service's peak load, open loop, against the bare server at the same rate. */
import { fileURLToPath } from 'node:url';
import { alternate, type Row } from '../bench.ts';
import { checkRedeemed, loadRound, serviceOf, type Target } from '../load/redeeming.ts';
import { startBareHttp } from '../setup/baselines.ts';
import type { Engine } from '../setup/installation.ts';
import { run } from '../setup/processes.ts';
import { writeTokens } from '../setup/tokens.ts';

const WARM_UP_SECONDS = 1;
const OPEN_LOOP = fileURLToPath(new URL('../load/open-loop.ts', import.meta.url));

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
      const requests = Math.ceil(rate * (WARM_UP_SECONDS + bench.seconds)) + 1;
      const file = await writeTokens(stock.installation.folder, await stock.peek(requests));
      const before = target.redeems ? await stock.installation.redeemedRows() : 0;
      const settings = {
        URL: target.url,
        API_KEY: target.apiKey,
        TOKENS: file,
        RATE: String(rate),
        SECONDS: String(bench.seconds),
        WARMUP_SECONDS: String(WARM_UP_SECONDS),
      };
      const { stdout } = await run([process.execPath, OPEN_LOOP], settings);
      const round = JSON.parse(stdout) as { answered: number; refused: number; p99: number };
      if (round.refused > 0) throw new Error(`${round.refused} requests were refused`);
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
