/** Rounds of load on fresh claims. After each round, the database is checked. */
import type { DurableFloor } from '../setup/baselines.ts';
import type { Installation } from '../setup/installation.ts';
import type { LargeInstallation } from '../setup/large-installation.ts';
import type { Server } from '../setup/processes.ts';
import type { Stock } from '../setup/stock.ts';
import { writeTokens } from '../setup/tokens.ts';
import {
  CONNECTIONS,
  closedLoop,
  type Load,
  type OpenLoop,
  openLoop,
  type Round,
  requestsOf,
} from './rounds.ts';

/**
 * Fresh tokens for each second of a round: more than any server on this machine can redeem. A baseline may be faster
 * and get a token twice, which doesn't matter because it redeems nothing.
 */
export const TOKENS_A_SECOND = 80_000;

const WARM_UP_SECONDS = 2;
/** `freshClaimsRound` redeems at most this share of its claims, so that it does not run out of them. */
const MOST_REDEEMED = 0.95;

/** wrk builds one request only to inspect it. It takes a token for this request and never sends it. */
export const DISCARDED = 1;

export type Variant = Pick<Load, 'redeem' | 'idempotency' | 'connections'>;

export interface Target {
  readonly url: string;
  readonly apiKey: string;
  /** Whether it redeems in the stock's database; the bare server and the durable floor do not. */
  readonly redeems: boolean;
  readonly records?: () => number;
}

/**
 * Runs a closed-loop round of `seconds`. Throws unless the redeemed rows in the database, or the records of the floor,
 * equal the acknowledged requests, plus at most one for each connection whose response was pending when the load ended.
 * `send` sends the load; callers can wrap it to measure something before and after.
 */
export async function loadRound(
  stock: Stock,
  target: Target,
  seconds: number,
  variant: Variant = {},
  send: (load: Load) => Promise<Round> = closedLoop,
): Promise<Round> {
  const tokens = await stock.peek(TOKENS_A_SECOND * seconds);
  const file = await writeTokens(stock.installation.folder, tokens);
  const load = { url: target.url, apiKey: target.apiKey, tokens: file, seconds, ...variant };
  const underWay = variant.connections ?? CONNECTIONS;
  if (!target.redeems) {
    const before = target.records?.() ?? 0;
    const round = await send(load);
    const written = target.records?.();
    if (written !== undefined) checkWritten(round.answered, written - before, underWay);
    return round;
  }
  const before = await stock.installation.redeemedRows();
  const round = await send(load);
  const redeemed = (await stock.installation.redeemedRows()) - before;
  if (variant.redeem === false) {
    checkWritten(0, redeemed, 0);
  } else {
    checkWritten(round.answered, redeemed, underWay);
    stock.spend(round.answered + underWay + DISCARDED);
  }
  return round;
}

/**
 * Warms up with the claims of `tokens` without redeeming them, then redeems them for `seconds`, or for less time if
 * they might run out. Throws like `loadRound`.
 */
export async function freshClaimsRound(
  installation: Installation,
  url: string,
  tokens: readonly string[],
  seconds: number,
  variant: Pick<Variant, 'connections'> = {},
): Promise<Round> {
  const file = await writeTokens(installation.folder, tokens);
  const load = { url, apiKey: installation.apiKey, tokens: file, ...variant };
  const warm = await closedLoop({ ...load, seconds: WARM_UP_SECONDS, redeem: false });
  const lasts = Math.floor((tokens.length * MOST_REDEEMED) / warm.perSecond);
  const before = await installation.redeemedRows();
  const round = await closedLoop({ ...load, seconds: Math.max(1, Math.min(seconds, lasts)) });
  const redeemed = (await installation.redeemedRows()) - before;
  checkWritten(round.answered, redeemed, variant.connections ?? CONNECTIONS);
  return round;
}

/** What runs during a round, until the round is over. */
export type Work = (isOver: () => boolean) => Promise<unknown>;

export const nothing: Work = async () => {};

/** One open-loop round on fresh claims, with `work` at the same time. Throws unless each redemption was written. */
export async function redeemDuring(
  { installation, url, tokens }: { installation: Installation; url: string; tokens: readonly string[] },
  rate: Pick<OpenLoop, 'rate' | 'seconds'>,
  work: Work,
): ReturnType<typeof openLoop> {
  const file = await writeTokens(installation.folder, tokens);
  // No work runs while rows are counted: counting blocks this process, and the server closes slow connections.
  const before = await installation.redeemedRows();
  let isOver = false;
  const loading = openLoop({ url, apiKey: installation.apiKey, tokens: file, ...rate }).finally(() => {
    isOver = true;
  });
  const [times] = await Promise.all([loading, work(() => isOver)]);
  checkWritten(times.answered, (await installation.redeemedRows()) - before, 0);
  return times;
}

/** Like `redeemDuring`, but on claims of a stock. Without `server`, the requests go to the server of the stock. */
export async function redeemStock(
  stock: Stock,
  rate: Pick<OpenLoop, 'rate' | 'seconds'>,
  work: Work = nothing,
  server: Server | null = null,
): ReturnType<typeof openLoop> {
  const { url } = server ?? (await stock.server());
  const requests = requestsOf(rate);
  const tokens = await stock.peek(requests);
  const times = await redeemDuring({ installation: stock.installation, url, tokens }, rate, work);
  stock.spend(requests);
  return times;
}

/** The p99 of redemptions on claims of a large installation, with `work` at the same time. */
export async function p99During(
  { installation, take }: LargeInstallation,
  { url }: Server,
  rate: Pick<OpenLoop, 'rate' | 'seconds'>,
  work: Work,
): Promise<number> {
  const tokens = take(requestsOf(rate));
  return (await redeemDuring({ installation, url, tokens }, rate, work)).p99;
}

/** Throws unless `written` is at least `acknowledged`, and at most `underWay` (the pending responses) more. */
export function checkWritten(acknowledged: number, written: number, underWay: number): void {
  if (written < acknowledged || written > acknowledged + underWay) {
    throw new Error(`${acknowledged} requests were acknowledged, ${written} were written to disk`);
  }
}

export const bareTarget = (server: Server, apiKey: string): Target => ({
  url: server.url,
  apiKey,
  redeems: false,
});

export const floorTarget = (floor: DurableFloor, apiKey: string): Target => ({
  ...bareTarget(floor, apiKey),
  records: floor.records,
});

/** The service of a stock as a target. Starts its server if it is not running. */
export async function serviceOf(stock: Stock): Promise<Target> {
  return { url: (await stock.server()).url, apiKey: stock.installation.apiKey, redeems: true };
}
