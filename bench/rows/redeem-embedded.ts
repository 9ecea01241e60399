/** Redemptions a second on the embedded database against a bare `node:http` server. */
import { alternate, type Bench, type Result, type Row } from '../bench.ts';
import { loadRound, serviceOf, type Variant } from '../load/redeeming.ts';
import { startBareHttp } from '../setup/baselines.ts';

const REACH = { of: 'ratio', at: 'least', value: 0.8 } as const;
const WARM_UP_SECONDS = 1;
/** The connections of a busy service: more requests share a flush. */
const MANY_CONNECTIONS = 256;

async function againstBare(
  bench: Bench,
  variant: Variant,
): Promise<{ subject: number[]; baseline: number[] }> {
  const stock = await bench.stock('embedded');
  const service = await serviceOf(stock);
  const server = await startBareHttp(bench.scratch);
  const bare = { url: server.url, apiKey: service.apiKey, redeems: false };
  try {
    await loadRound(stock, service, WARM_UP_SECONDS);
    await loadRound(stock, service, WARM_UP_SECONDS, variant);
    await loadRound(stock, bare, WARM_UP_SECONDS, variant);
    return await alternate(
      bench,
      async () => (await loadRound(stock, service, bench.seconds, variant)).perSecond,
      async () => (await loadRound(stock, bare, bench.seconds, variant)).perSecond,
    );
  } finally {
    await server.stop();
  }
}

const row = (
  name: string,
  about: string,
  variant: Variant,
  reach: Result['reach'],
  scattered: boolean,
): Row => ({
  name,
  engine: 'embedded',
  about,
  run: async (bench) => {
    if (scattered) await (await bench.stock('embedded')).scatter(bench.claims);
    const { subject, baseline } = await againstBare(bench, variant);
    const shared = { row: name, what: about, unit: 'per second', reach, notes: [] } as const;
    return [{ ...shared, subject, baseline: { name: 'bare node:http', values: baseline } }];
  },
});

export const embeddedRedeemRows: readonly Row[] = [
  row('embedded-redeem', 'redemptions, tokens in order of creation', {}, REACH, false),
  row(
    'embedded-crowd',
    `redemptions, ${MANY_CONNECTIONS} connections`,
    { connections: MANY_CONNECTIONS },
    REACH,
    false,
  ),
  row(
    'embedded-idempotency',
    'redemptions, each with an Idempotency-Key',
    { idempotency: true },
    REACH,
    false,
  ),
  row('embedded-verify', 'verifications with redeem: false', { redeem: false }, null, false),
  row('embedded-random', 'redemptions, tokens in random order', {}, REACH, true),
];
