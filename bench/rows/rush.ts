/**
 * Measures what happens when thousands of people claim an offer within seconds. With a claim limit on the offer,
 * measures the slowest response and checks that the limit holds. Without a limit, measures the delay of redemptions.
 */
import { type Bench, forTails, inRounds, inTurns, onBothEngines, type Result } from '../bench.ts';
import { nothing, redeemStock, type Work } from '../load/redeeming.ts';
import { sendForms } from '../load/rounds.ts';
import { addCrowd, exemptCrowd } from '../setup/crowd.ts';
import { type Installation, REDEMPTION_LINK } from '../setup/installation.ts';
import type { Server } from '../setup/processes.ts';
import type { Stock } from '../setup/stock.ts';

const PEOPLE = 5_000;
const LIMIT = 1_000;
const GOAL_MS = 1_000;
/** Redemptions per second: far below the peak, so that the redemptions don't queue. */
const RATE = 200;
const GOAL_P99 = 3;

const NEW_OFFER = `offers create --listing bench --kind discount --offer Rush --redemption-link ${REDEMPTION_LINK}`;

const formsOf = (offerId: string, cookies: readonly string[]) =>
  cookies.map((cookie) => ({ path: `/l/bench/offers/${offerId}/claim`, cookie, body: 'via=newsletter' }));

/**
 * Returns the time of the slowest response, in milliseconds. Throws unless `LIMIT` people got a claim and all others
 * were told that no claims are left.
 */
async function limitedRound(installation: Installation, { url }: Server): Promise<number> {
  const { id: offer = '' } = await installation.ask(`${NEW_OFFER} --claim-limit ${LIMIT}`);
  const cookies = await addCrowd(installation, url, PEOPLE);
  const { kinds, slowestMs } = await sendForms(url, installation.folder, formsOf(offer, cookies));
  const refused = Object.entries(kinds).find(([kind]) => kind.startsWith('409 All of its'))?.[1];
  if (kinds['303'] !== LIMIT || refused !== PEOPLE - LIMIT) throw new Error(`${JSON.stringify(kinds)}`);
  return slowestMs;
}

async function rush(bench: Bench, stock: Stock): Promise<Result[]> {
  const { installation } = stock;
  await exemptCrowd(installation);
  const server = await installation.serveCrowd();
  try {
    const slowest = await inRounds(bench, 'slowest response', () => limitedRound(installation, server));
    const claim = async () => {
      const { id: offer = '' } = await installation.ask(NEW_OFFER);
      const cookies = await addCrowd(installation, server.url, PEOPLE);
      return () => sendForms(server.url, installation.folder, formsOf(offer, cookies));
    };
    const p99 = async (crowd: Work) =>
      (await redeemStock(stock, { rate: RATE, seconds: bench.seconds }, crowd, server)).p99;
    const { during, without } = await inTurns(forTails(bench), {
      during: async () => p99(await claim()),
      without: () => p99(nothing),
    });
    return [
      {
        what: `slowest response while ${PEOPLE.toLocaleString('en')} people claim an offer limited to ${LIMIT.toLocaleString('en')} claims`,
        unit: 'ms',
        subject: slowest,
        goal: { of: 'value', at: 'most', value: GOAL_MS },
        notes: [
          `exactly ${LIMIT.toLocaleString('en')} people get a claim; all others are told that no claims are left`,
        ],
      },
      {
        what: `p99 of redemptions while ${PEOPLE.toLocaleString('en')} people claim`,
        unit: 'ms',
        subject: during,
        baseline: { name: 'nobody claims', values: without },
        goal: { of: 'ratio', at: 'most', value: GOAL_P99 },
        notes: [`${RATE} redemptions a second, open loop`],
      },
    ];
  } finally {
    await server.stop();
  }
}

export const rushRows = onBothEngines(
  'rush',
  'thousands of claims within seconds, and redemptions at the same time',
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    await stock.stopServer();
    return rush(bench, stock);
  },
);
