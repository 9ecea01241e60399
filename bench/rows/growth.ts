/** Throughput with very many claims against a hundred thousand, tokens in random order. */
import { alternate, type Bench, NotMeasured, type Row } from '../bench.ts';
import { CONNECTIONS, closedLoop } from '../load/closed-loop.ts';
import { checkRedeemed } from '../load/redeeming.ts';
import { type Engine, type Installation, install } from '../setup/installation.ts';
import { shuffle, writeTokens } from '../setup/tokens.ts';

export const FEW_CLAIMS = 100_000;
const WARM_UP_SECONDS = 2;
/** Part of the few claims that a round may redeem. */
const MOST_REDEEMED = 0.95;

/** Serves `installation` anew, warms up without redeeming, then redeems for as long as a hundred thousand tokens last. */
async function freshRound(bench: Bench, installation: Installation, tokens: string[]): Promise<number> {
  const server = await installation.serve();
  try {
    const file = await writeTokens(installation.folder, tokens);
    const load = { url: server.url, apiKey: installation.apiKey, tokens: file };
    const warm = await closedLoop({ ...load, seconds: WARM_UP_SECONDS, redeem: false });
    const lasts = Math.floor((FEW_CLAIMS * MOST_REDEEMED) / warm.perSecond);
    const before = await installation.redeemedRows();
    const round = await closedLoop({ ...load, seconds: Math.max(1, Math.min(bench.seconds, lasts)) });
    checkRedeemed(round.answered, (await installation.redeemedRows()) - before, CONNECTIONS);
    return round.perSecond;
  } finally {
    await server.stop();
  }
}

const growthRow = (engine: Engine): Row => ({
  name: `${engine}-growth`,
  engine,
  about: 'redemptions with very many claims against a hundred thousand',
  run: async (bench) => {
    if (!bench.growth) throw new NotMeasured('left out by --quick');
    const large = await bench.large(engine);
    const measured = await large.installation.inMemory(() =>
      alternate(
        bench,
        () => freshRound(bench, large.installation, large.take(FEW_CLAIMS)),
        () => roundWithFew(bench, engine),
      ),
    );
    return [
      {
        row: `${engine}-growth`,
        what: `redemptions with ${large.claims.toLocaleString('en')} claims`,
        unit: 'per second',
        subject: measured.subject,
        baseline: { name: `with ${FEW_CLAIMS.toLocaleString('en')} claims`, values: measured.baseline },
        reach: { of: 'ratio', at: 'least', value: 0.9 },
        notes: [],
      },
    ];
  },
});

async function roundWithFew(bench: Bench, engine: Engine): Promise<number> {
  const small = await install(engine, bench.scratch, bench.postgres);
  try {
    const tokens = await (await small.issue(FEW_CLAIMS)).tokens();
    await small.settle();
    shuffle(tokens);
    return await small.inMemory(() => freshRound(bench, small, tokens));
  } finally {
    await small.remove();
  }
}

export const growthRows: readonly Row[] = [growthRow('embedded'), growthRow('postgresql')];
