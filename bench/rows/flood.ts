/** Measures how a flood of page requests from one client delays redemptions. */
import { type Bench, inTurns, onBothEngines, type Result } from '../bench.ts';
import { redeemStock } from '../load/redeeming.ts';
import { CONNECTIONS, pageFlood, WARM_UP_SECONDS } from '../load/rounds.ts';
import type { Stock } from '../setup/stock.ts';

/** Redemptions per second on a typical day. */
const RATE = 20;

const MISSING = '/nothing-{n}';

type Flood = Pick<Parameters<typeof pageFlood>[0], 'page' | 'encoding' | 'headers'>;

/** An invalid session, which keeps pages from being cached. */
const COOKIE = 'Cookie: claimcheck.session_token=none\r\n';

/** What each flood requests, by the flood's name. `null` means that there is no flood. */
const FLOODS: Readonly<Record<string, Flood | null>> = {
  none: null,
  'a guide page': { page: '/docs/quickstart' },
  'a guide page, with a cookie': { page: '/docs/quickstart', headers: COOKIE },
  'the whole guide as text': { page: '/llms-full.txt' },
  'the whole guide as text, with a cookie': { page: '/llms-full.txt', headers: COOKIE },
  'the whole guide as text, uncompressed': { page: '/llms-full.txt', encoding: 'identity' },
  'the API description': { page: '/openapi.json' },
  'the API description, uncompressed': { page: '/openapi.json', encoding: 'identity' },
  'the sitemap': { page: '/sitemap.xml' },
  'the feed': { page: '/feed.xml' },
  'searches of the guide': { page: '/docs/search?q=redeem+{n}' },
  'the marketplace': { page: '/' },
  'the marketplace, a new URL each time': { page: '/?x={n}' },
  'a listing': { page: '/l/bench' },
  'a listing, a new label each time': { page: '/l/bench?via=label-{n}' },
  'the sign-in form': { page: '/sign-in' },
  'missing pages': { page: MISSING },
};
const GOAL = { of: 'ratio', at: 'most', value: 3 } as const;

async function timesBeside(stock: Stock, seconds: number, flood: Flood | null) {
  const { url } = await stock.server();
  const status = flood?.page === MISSING ? 404 : 200;
  const send = async () => {
    if (flood !== null) await pageFlood({ ...flood, url, status, seconds: WARM_UP_SECONDS + seconds });
  };
  return redeemStock(stock, { rate: RATE, seconds }, send);
}

async function floods(bench: Bench, stock: Stock): Promise<Result[]> {
  const medians = Object.fromEntries(Object.keys(FLOODS).map((name): [string, number[]] => [name, []]));
  const sides = Object.fromEntries(
    Object.entries(FLOODS).map(([name, flood]) => [
      name,
      async () => {
        const { p50, p99 } = await timesBeside(stock, bench.seconds, flood);
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
        { what: 'p50', by: medians, goal: GOAL },
        { what: 'p99', by: tails, goal: null },
      ].map(
        ({ what, by, goal }): Result => ({
          what: `${what} of redemptions during a flood of requests for ${name}`,
          unit: 'ms',
          subject: by[name] ?? [],
          baseline: { name: 'no flood', values: by['none'] ?? [] },
          goal,
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
