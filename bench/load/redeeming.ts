/** Rounds of load on fresh claims, each checked against the database afterwards. */
import type { Stock } from '../setup/stock.ts';
import { writeTokens } from '../setup/tokens.ts';
import { CONNECTIONS, closedLoop, type Load, type Round } from './closed-loop.ts';

/** Fresh tokens for each second of a round: more than any server answers here. */
const TOKENS_A_SECOND = 80_000;

/** wrk builds one request to inspect it and never sends it. */
const DISCARDED = 1;

export type Variant = Pick<Load, 'redeem' | 'idempotency' | 'connections'>;

export interface Target {
  readonly url: string;
  readonly apiKey: string;
  /** Whether it redeems in the stock's database; the bare server does not. */
  readonly redeems: boolean;
}

/**
 * One closed-loop round of `seconds`. Throws unless the redeemed rows in the database equal the acknowledged
 * redemptions, plus at most one for each connection whose answer was under way when the load ended.
 */
export async function loadRound(
  stock: Stock,
  target: Target,
  seconds: number,
  variant: Variant = {},
): Promise<Round> {
  const tokens = await stock.peek(TOKENS_A_SECOND * seconds);
  const file = await writeTokens(stock.installation.folder, tokens);
  const load = { url: target.url, apiKey: target.apiKey, tokens: file, seconds, ...variant };
  if (!target.redeems) return closedLoop(load);
  const before = await stock.installation.redeemedRows();
  const round = await closedLoop(load);
  const redeemed = (await stock.installation.redeemedRows()) - before;
  if (variant.redeem === false) {
    checkRedeemed(0, redeemed, 0);
  } else {
    const underWay = variant.connections ?? CONNECTIONS;
    checkRedeemed(round.answered, redeemed, underWay);
    stock.spend(round.answered + underWay + DISCARDED);
  }
  return round;
}

/** Throws unless `rows` equals the acknowledged redemptions plus at most the answers still under way. */
export function checkRedeemed(acknowledged: number, rows: number, underWay: number): void {
  if (rows < acknowledged || rows > acknowledged + underWay) {
    throw new Error(`${acknowledged} redemptions were acknowledged, ${rows} rows were redeemed`);
  }
}

/** The service of a stock as a target; its server is started when it is not yet. */
export async function serviceOf(stock: Stock): Promise<Target> {
  return { url: (await stock.server()).url, apiKey: stock.installation.apiKey, redeems: true };
}
