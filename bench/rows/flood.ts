/** Measures how a flood of page requests from one client delays redemptions. */
import { type Bench, inTurns, onBothEngines, type Result } from '../bench.ts';
import { redeemStock } from '../load/redeeming.ts';
import { CONNECTIONS, pageFlood, WARM_UP_SECONDS } from '../load/rounds.ts';
import type { Stock } from '../setup/stock.ts';

/** Redemptions per second on a typical day. */
const RATE = 20;

const MISSING = '/nothing-{n}';

/** Path of the page that each flood requests, by the flood's name. `null` means that there is no flood. */
const FLOODS: Readonly<Record<string, string | null>> = {
  none: null,
  'a guide page': '/docs/quickstart',
  'the whole guide as text': '/llms-full.txt',
  'the API description': '/openapi.json',
  'searches of the guide': '/docs/search?q=redeem+{n}',
  'the marketplace': '/',
  'the marketplace, a new URL each time': '/?x={n}',
  'a listing': '/l/bench',
  'a listing, a new label each time': '/l/bench?via=label-{n}',
  'the sign-in form': '/sign-in',
  'missing pages': MISSING,
};

async function timesBeside(stock: Stock, seconds: number, page: string | null) {
  const { url } = await stock.server();
  const status = page === MISSING ? 404 : 200;
  const flood = async () => {
    if (page !== null) await pageFlood({ url, page, status, seconds: WARM_UP_SECONDS + seconds });
  };
  return redeemStock(stock, { rate: RATE, seconds }, flood);
}

async function floods(bench: Bench, stock: Stock): Promise<Result[]> {
  const medians = Object.fromEntries(Object.keys(FLOODS).map((name): [string, number[]] => [name, []]));
  const sides = Object.fromEntries(
    Object.entries(FLOODS).map(([name, page]) => [
      name,
      async () => {
        const { p50, p99 } = await timesBeside(stock, bench.seconds, page);
        medians[name]!.push(p50);
        return p99;
      },
    ]),
  );
  const tails = await inTurns(bench, sides);
  return Object.keys(FLOODS)
    .filter((name) => name !== 'none')
    .flatMap((name) =>
      [
        { what: 'p50', by: medians },
        { what: 'p99', by: tails },
      ].map(
        ({ what, by }): Result => ({
          what: `${what} of redemptions during a flood of requests for ${name}`,
          unit: 'ms',
          subject: by[name] ?? [],
          baseline: { name: 'no flood', values: by['none'] ?? [] },
          notes: [
            `${RATE} redemptions a second, open loop; ${CONNECTIONS} connections request the page without a pause`,
          ],
        }),
      ),
    );
}

export const floodRows = onBothEngines(
  'flood',
  'redemptions during a flood of requests for each kind of page',
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    await timesBeside(stock, bench.seconds, null);
    return floods(bench, stock);
  },
);
