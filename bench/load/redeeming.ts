/** Runs load on unredeemed claims and checks the database after each round. */
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
 * Tokens prepared per second of a round: more than a server can redeem on this machine. A baseline that redeems nothing
 * may be faster and receive a token twice, which is harmless.
 */
export const TOKENS_A_SECOND = 80_000;

const WARM_UP_SECONDS = 2;
/** Maximum share of its claims that `freshClaimsRound` plans to redeem. The rest is a reserve. */
const MOST_REDEEMED = 0.95;

/** Tokens that a round uses up without sending them: wrk builds one request that it doesn't send. */
export const DISCARDED = 1;

export type Variant = Pick<Load, 'redeem' | 'idempotency' | 'connections'>;

export interface Target {
  readonly url: string;
  readonly apiKey: string;
  /** Whether the server redeems in the stock's database. The bare server and the durable floor don't. */
  readonly redeems: boolean;
  /** Number of records in the file of the durable floor. */
  readonly records?: () => number;
}

/**
 * Runs a closed-loop round. Throws unless each acknowledged request has redeemed a row (or added a record to the file
 * of the durable floor). One extra row or record per connection is allowed, because its response may have been pending
 * at the end. `send` sends the load; pass a wrapper of `closedLoop` to measure before and after the load.
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
 * Warms up by verifying the claims without redeeming them. Then redeems them for `seconds`, or for less time if they
 * might run out. Throws like `loadRound`.
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

/** Runs concurrently with a round until `isOver` returns true. */
export type Work = (isOver: () => boolean) => Promise<unknown>;

export const nothing: Work = async () => {};

/** Runs an open-loop round concurrently with `work`. Throws unless each redemption was written. */
export async function redeemDuring(
  { installation, url, tokens }: { installation: Installation; url: string; tokens: readonly string[] },
  rate: Pick<OpenLoop, 'rate' | 'seconds'>,
  work: Work,
): ReturnType<typeof openLoop> {
  const file = await writeTokens(installation.folder, tokens);
  // Count before and after the work, not during it: counting blocks this process, and the server closes connections
  // that are blocked for too long.
  const before = await installation.redeemedRows();
  let isOver = false;
  const loading = openLoop({ url, apiKey: installation.apiKey, tokens: file, ...rate }).finally(() => {
    isOver = true;
  });
  const [times] = await Promise.all([loading, work(() => isOver)]);
  checkWritten(times.answered, (await installation.redeemedRows()) - before, 0);
  return times;
}

/** Calls `redeemDuring` with claims of a stock. `null` for `server` means the stock's server. */
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

/** Calls `redeemDuring` with claims of a large installation. Returns the p99 in milliseconds. */
export async function p99During(
  { installation, take }: LargeInstallation,
  { url }: Server,
  rate: Pick<OpenLoop, 'rate' | 'seconds'>,
  work: Work,
): Promise<number> {
  const tokens = take(requestsOf(rate));
  return (await redeemDuring({ installation, url, tokens }, rate, work)).p99;
}

/** Throws unless `written` is between `acknowledged` and `acknowledged + underWay` (pending responses). */
export function checkWritten(acknowledged: number, written: number, underWay: number): void {
  if (written < acknowledged || written > acknowledged + underWay) {
    throw new Error(`${acknowledged} requests were acknowledged, but ${written} were written to disk`);
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

/** The stock's server as a target, started if necessary. */
export async function serviceOf(stock: Stock): Promise<Target> {
  return { url: (await stock.server()).url, apiKey: stock.installation.apiKey, redeems: true };
}
