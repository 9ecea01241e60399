/**
 * Throughput with very many claims, compared with 100,000 claims. The benchmark
 * doesn't load the database into memory first.
 */
import { alternate, type Bench, NotMeasured, onBothEngines, type Result } from '../bench.ts';
import { freshClaimsRound } from '../load/redeeming.ts';
import { type Engine, type Installation, install } from '../setup/installation.ts';
import type { TakeOrder } from '../setup/large-installation.ts';
import { shuffle } from '../setup/tokens.ts';

export const FEW_CLAIMS = 100_000;

/** Throws unless the run has more claims than the installation to compare with. */
export function requireManyClaims({ manyClaims }: Bench): void {
  if (manyClaims <= FEW_CLAIMS) throw new NotMeasured('left out by --quick');
}

const ORDERS: Readonly<Record<TakeOrder, string>> = {
  random: 'in random order',
  oldest: 'the oldest, in order of creation',
  newest: 'the newest, in random order',
};

/** Measures a round on a newly started server, so that no state from an earlier round affects the result. */
export async function freshRound(
  bench: Bench,
  installation: Installation,
  tokens: string[],
): Promise<number> {
  const server = await installation.serve();
  try {
    return (await freshClaimsRound(installation, server.url, tokens, bench.seconds)).perSecond;
  } finally {
    await server.stop();
  }
}

export const growthRows = onBothEngines(
  'growth',
  'redemptions with very many claims, compared with a hundred thousand claims',
  async (bench, engine) => {
    requireManyClaims(bench);
    const large = await bench.large(engine);
    const results: Result[] = [];
    for (const order of large.orders) {
      const { subject, baseline } = await alternate(
        bench,
        () => freshRound(bench, large.installation, large.take(FEW_CLAIMS, order)),
        () => roundWithFew(bench, engine, order),
      );
      results.push({
        what: `redemptions with ${large.claims.toLocaleString('en')} claims, ${ORDERS[order]}`,
        unit: 'per second',
        subject,
        baseline: { name: `with ${FEW_CLAIMS.toLocaleString('en')} claims`, values: baseline },
        goal: { of: 'ratio', at: 'least', value: 0.9 },
      });
    }
    return results;
  },
);

export async function roundWithFew(
  bench: Bench,
  engine: Engine,
  order: TakeOrder = 'random',
): Promise<number> {
  const small = await install(engine, bench.scratch, bench.postgres);
  try {
    const tokens = await (await small.issue(FEW_CLAIMS)).tokens();
    await small.settle();
    if (order !== 'oldest') shuffle(tokens);
    return await freshRound(bench, small, tokens);
  } finally {
    await small.remove();
  }
}
