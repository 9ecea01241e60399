/** Disk space of a claim with its event and index entries, and the disk space that a redemption adds. */
import { type Bench, onBothEngines, type Result } from '../bench.ts';
import { checkWritten, DISCARDED, TOKENS_A_SECOND } from '../load/redeeming.ts';
import { CONNECTIONS, closedLoop } from '../load/rounds.ts';
import { type Engine, type Installation, install } from '../setup/installation.ts';
import { addedEach } from '../setup/sizes.ts';
import { shuffle, writeTokens } from '../setup/tokens.ts';

/** Maximum size of a claim, as a goal. For PostgreSQL, the goal is 60% of the size in the first version (787 bytes). */
const MOST_BYTES: Readonly<Record<Engine, number>> = { embedded: 350, postgresql: 472 };
const ROUND_SECONDS = 1;

/** Redeems about half of the claims over HTTP, in random order. Returns the number of redeemed claims. */
async function redeemHalf(installation: Installation, tokens: string[]): Promise<number> {
  shuffle(tokens);
  const server = await installation.serve();
  try {
    let spent = 0;
    while (spent < tokens.length / 2) {
      const file = await writeTokens(installation.folder, tokens.slice(spent, spent + TOKENS_A_SECOND));
      const load = { url: server.url, apiKey: installation.apiKey, tokens: file, seconds: ROUND_SECONDS };
      const before = await installation.redeemedRows();
      const { answered } = await closedLoop(load);
      checkWritten(answered, (await installation.redeemedRows()) - before, CONNECTIONS);
      spent += answered + CONNECTIONS + DISCARDED;
    }
    return await installation.redeemedRows();
  } finally {
    await server.stop();
  }
}

async function measure(bench: Bench, installation: Installation): Promise<readonly Result[]> {
  const { claims } = bench;
  const empty = await installation.sizes();
  const issue = await installation.issue(claims);
  await installation.settle();
  const issued = await installation.sizes();
  const redeemed = await redeemHalf(installation, await issue.tokens());
  await installation.settle();
  const half = await installation.sizes();

  const result = (
    what: string,
    { total, parts }: ReturnType<typeof addedEach>,
    goal: Result['goal'] = null,
  ): Result => {
    bench.say(`  ${what}: ${total.toFixed(1)} (${parts})`);
    return { what, unit: 'bytes', subject: [total], goal, notes: [`${what}: ${parts}`] };
  };
  const goal = { of: 'value', at: 'most', value: MOST_BYTES[installation.engine] } as const;
  const count = claims.toLocaleString('en');
  return [
    result(`a claim, after ${count} claims were issued`, addedEach(empty, issued, claims), goal),
    result('a claim, after about half of the claims were redeemed', addedEach(empty, half, claims)),
    result('added by a redemption', addedEach(issued, half, redeemed)),
  ];
}

export const bytesRows = onBothEngines(
  'bytes',
  'bytes of a claim with its event and indexes',
  async (bench, engine) => {
    const installation = await install(engine, bench.scratch, bench.postgres);
    try {
      return await measure(bench, installation);
    } finally {
      await installation.remove();
    }
  },
);
