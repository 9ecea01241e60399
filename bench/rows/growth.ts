/** Throughput with very many claims against a hundred thousand, tokens in random order. */
import { alternate, type Bench, NotMeasured, type Row } from '../bench.ts';
import { CONNECTIONS, closedLoop } from '../load/closed-loop.ts';
import { checkRedeemed } from '../load/redeeming.ts';
import { type Engine, type Installation, install } from '../setup/installation.ts';
import { shuffle, writeTokens } from '../setup/tokens.ts';

const FEW_CLAIMS = 100_000;
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
    const { manyClaims } = bench;
    if (manyClaims === null) throw new NotMeasured('left out by --quick');
    const installed = (): Promise<Installation> => install(engine, bench.scratch, bench.postgres);
    const large = await installed();
    try {
      bench.say(`  issuing ${manyClaims.toLocaleString('en')} claims`);
      const many = await large.issue(manyClaims);
      await large.settle();
      const tokens = await many.tokens(FEW_CLAIMS * bench.rounds);
      shuffle(tokens);
      const measured = await alternate(
        bench,
        () => freshRound(bench, large, tokens.splice(0, FEW_CLAIMS)),
        async () => {
          const small = await installed();
          try {
            const few = await (await small.issue(FEW_CLAIMS)).tokens();
            await small.settle();
            shuffle(few);
            return await freshRound(bench, small, few);
          } finally {
            await small.remove();
          }
        },
      );
      return [
        {
          row: `${engine}-growth`,
          what: `redemptions with ${manyClaims.toLocaleString('en')} claims`,
          unit: 'per second',
          subject: measured.subject,
          baseline: { name: `with ${FEW_CLAIMS.toLocaleString('en')} claims`, values: measured.baseline },
          reach: { of: 'ratio', at: 'least', value: 0.9 },
          notes: [],
        },
      ];
    } finally {
      await large.remove();
    }
  },
});

export const growthRows: readonly Row[] = [growthRow('embedded'), growthRow('postgresql')];
