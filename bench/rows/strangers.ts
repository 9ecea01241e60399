/** Throughput of public pages for requests without a session, compared with a bare server that sends the same bytes. */
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { alternate, type Bench, onBothEngines, type Result } from '../bench.ts';
import { CONNECTIONS, pageFlood } from '../load/rounds.ts';
import { startBarePage } from '../setup/baselines.ts';
import type { Stock } from '../setup/stock.ts';

const PAGES = [
  ['a listing', '/l/bench'],
  ['the marketplace', '/'],
] as const;
const GOAL = { of: 'ratio', at: 'least', value: 0.7 } as const;

/** Names of headers that are not recorded, because Node adds them to every response. */
const ADDED = new Set(['connection', 'date', 'keep-alive']);

function record(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br' } }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const pairs = Array.from({ length: answer.rawHeaders.length / 2 }, (_, at) =>
        answer.rawHeaders.slice(2 * at, 2 * at + 2),
      );
      const headers = pairs.filter(([name]) => !ADDED.has(name!.toLowerCase())).flat();
      resolve(JSON.stringify({ headers, body: Buffer.concat(chunks).toString('base64') }));
    }).on('error', reject);
  });
}

async function measurePage(
  bench: Bench,
  stock: Stock,
  [what, page]: (typeof PAGES)[number],
): Promise<Result> {
  const { url } = await stock.server();
  const answer = join(stock.installation.folder, 'answer.json');
  await writeFile(answer, await record(url + page));
  const bare = await startBarePage(bench.scratch, answer);
  try {
    const { seconds } = bench;
    const flood = (at: string) => pageFlood({ url: at, page, seconds });
    await flood(url);
    const { subject, baseline } = await alternate(
      bench,
      () => flood(url),
      () => flood(bare.url),
    );
    return {
      what: `${what}, for people who are not signed in`,
      unit: 'per second',
      subject,
      baseline: { name: 'bare node:http, same bytes', values: baseline },
      goal: GOAL,
      notes: [`${CONNECTIONS} connections; compressed with Brotli, as for a browser`],
    };
  } finally {
    await bare.stop();
  }
}

export const strangersRows = onBothEngines(
  'strangers',
  'public pages, for people who are not signed in',
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    const results: Result[] = [];
    for (const page of PAGES) results.push(await measurePage(bench, stock, page));
    return results;
  },
);
