/** Measures how counting visits slows down the visited page and concurrent redemptions. */
import { alternate, type Bench, onBothEngines, type Result } from '../bench.ts';
import { redeemStock } from '../load/redeeming.ts';
import { CONNECTIONS, pageFlood, WARM_UP_SECONDS } from '../load/rounds.ts';
import type { Stock } from '../setup/stock.ts';

const PAGE = '/l/bench?via=podcast';
const RATE = 20;
/** Goals. The ratio is the result with counting divided by the result without counting. */
const GOAL_PAGE = { of: 'ratio', at: 'least', value: 0.95 } as const;
const GOAL_BESIDE = { of: 'ratio', at: 'most', value: 1.25 } as const;

/** Header that makes each request count as a different visitor: the most expensive case. */
const VISITOR = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.{n}\r\n';
const COUNTED = VISITOR;
const NOT_COUNTED = `${VISITOR}Sec-Purpose: prefetch\r\n`;

async function p99Beside(stock: Stock, seconds: number, headers: string): Promise<number> {
  const { url } = await stock.server();
  const flood = () => pageFlood({ url, page: PAGE, seconds: WARM_UP_SECONDS + seconds, headers });
  return (await redeemStock(stock, { rate: RATE, seconds }, flood)).p99;
}

async function countedVisits({ installation }: Stock): Promise<number> {
  const [row] = await installation.query(
    `select sum(visits) as visits from (
       select visits from label_counts union all select visits from label_deltas) counted`,
  );
  return Number(row?.['visits'] ?? 0);
}

async function measure(bench: Bench, stock: Stock): Promise<Result[]> {
  const { url } = await stock.server();
  const { seconds } = bench;
  const ask = (headers: string) => pageFlood({ url, page: PAGE, seconds, headers });
  await ask(COUNTED);
  const pages = await alternate(
    bench,
    () => ask(COUNTED),
    () => ask(NOT_COUNTED),
  );
  const during = await alternate(
    bench,
    () => p99Beside(stock, seconds, COUNTED),
    () => p99Beside(stock, seconds, NOT_COUNTED),
  );
  if ((await countedVisits(stock)) === 0) throw new Error('no visit was counted');
  const note = `${CONNECTIONS} connections, each request from a different visitor`;
  const name = 'the same requests, not counted';
  return [
    {
      what: 'a listing, each request counted as a visit',
      unit: 'per second',
      subject: pages.subject,
      baseline: { name, values: pages.baseline },
      goal: GOAL_PAGE,
      notes: [note],
    },
    {
      what: 'p99 of redemptions during a flood of visits',
      unit: 'ms',
      subject: during.subject,
      baseline: { name, values: during.baseline },
      goal: GOAL_BESIDE,
      notes: [`${RATE} redemptions a second, open loop; ${note}`],
    },
  ];
}

export const visitsRows = onBothEngines(
  'visits',
  'a listing while its visits are counted, and redemptions at the same time',
  async (bench, engine) => measure(bench, await bench.stock(engine)),
);
