/** Rounds of load that use up fresh claims, each checked afterwards against the database. */
import type { Stock } from '../setup/stock.ts';
import { writeTokens } from '../setup/tokens.ts';
import { CONNECTIONS, closedLoop, type Load, type Round } from './closed-loop.ts';

/** Fresh tokens laid out for each second of a round: more than any server answers here, so that they never run out. */
const TOKENS_A_SECOND = 80_000;

/** wrk builds one request to look at it and never sends it. */
const DISCARDED = 1;

export type Variant = Pick<Load, 'redeem' | 'idempotency' | 'connections'>;

export interface Target {
  readonly url: string;
  readonly apiKey: string;
  /** Whether it redeems in the stock's database; the bare server does not. */
  readonly redeems: boolean;
}

/**
 * One closed-loop round of `seconds`. Throws unless every acknowledged redemption is a row redeemed in the
 * database and no other is, but for those, one a connection at most, whose answers were under way when the load
 * ended.
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

/** Throws unless `rows` is what was acknowledged, give or take answers that nobody waited for. */
export function checkRedeemed(acknowledged: number, rows: number, underWay: number): void {
  if (rows < acknowledged || rows > acknowledged + underWay) {
    throw new Error(`${acknowledged} redemptions were acknowledged, ${rows} rows were redeemed`);
  }
}

/** The service of a stock as a target; its server is started when it is not yet. */
export async function serviceOf(stock: Stock): Promise<Target> {
  return { url: (await stock.server()).url, apiKey: stock.installation.apiKey, redeems: true };
}
