/** Runs load on unredeemed claims and checks the database after each round. */
import { setTimeout as sleep } from 'node:timers/promises';
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
  type OpenRound,
  openLoop,
  type Round,
  requestsOf,
} from './rounds.ts';

/**
 * Number of tokens to prepare per second of a round. A server cannot redeem this many. A baseline that redeems nothing
 * may use up its tokens. In that case, the load program repeats the tokens. The repetition is harmless.
 */
export const TOKENS_A_SECOND = 80_000;

const WARM_UP_SECONDS = 2;
/** Longer than the pause between two batches of a busy server. */
const SETTLE_MS = 100;
/** `freshClaimsRound` plans to redeem at most this share of the given claims. The rest is a reserve. */
const MOST_REDEEMED = 0.95;

/** Number of tokens that a round takes but doesn't send. Wrk builds one request that it never sends. */
export const DISCARDED = 1;

export type Variant = Pick<Load, 'redeem' | 'idempotency' | 'connections'>;

export interface Target {
  readonly url: string;
  readonly apiKey: string;
  /** Whether the server redeems in the stock's database. The bare server and the durable floor don't. */
  readonly redeems: boolean;
  /** Returns the number of records in the file of the durable floor. Other targets have no file. */
  readonly records?: () => number;
}

/**
 * Runs a closed-loop round. Throws unless each acknowledged request has redeemed a row (or, for the durable floor, has
 * added a record to the file). Each connection may add one unacknowledged row or record, because a response may be
 * pending when the load ends. `send` sends the load; pass a wrapper of `closedLoop` to measure before and after the
 * load.
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
  const redeemed = (await settledRows(stock.installation)) - before;
  if (variant.redeem === false) {
    checkWritten(0, redeemed, 0);
  } else {
    checkWritten(round.answered, redeemed, underWay);
    stock.spend(round.answered + underWay + DISCARDED);
  }
  return round;
}

/** The server may still process requests that were pending when the load ended. The next round must not count them. */
async function settledRows({ redeemedRows }: Installation): Promise<number> {
  for (let rows = await redeemedRows(); ; ) {
    await sleep(SETTLE_MS);
    const later = await redeemedRows();
    if (later === rows) return rows;
    rows = later;
  }
}

/**
 * Warms up by verifying the claims without redeeming them. Then redeems them for `seconds`, or for less time if there
 * may be too few claims. Throws in the same cases as `loadRound`.
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
  const redeemed = (await settledRows(installation)) - before;
  checkWritten(round.answered, redeemed, variant.connections ?? CONNECTIONS);
  return round;
}

/** Work to run concurrently with a round. `isOver` returns whether the round is over. */
export type Work = (isOver: () => boolean) => Promise<unknown>;

export const nothing: Work = async () => {};

/** Runs an open-loop round concurrently with `work`. Throws unless each redemption was written. */
export async function redeemDuring(
  { installation, url, tokens }: { installation: Installation; url: string; tokens: readonly string[] },
  rate: Pick<OpenLoop, 'rate' | 'seconds'>,
  work: Work,
): Promise<OpenRound> {
  const file = await writeTokens(installation.folder, tokens);
  // Don't count rows while `work` is running: counting blocks this process, and the server could close connections that
  // `work` is using.
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
): Promise<OpenRound> {
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

/**
 * Throws unless `written` is between `acknowledged` and `acknowledged + underWay`, inclusive. `underWay`: maximum
 * number of pending responses at the end of the round.
 */
export function checkWritten(acknowledged: number, written: number, underWay: number): void {
  // Negated, so that it also throws if a load program reported no number (NaN).
  if (!(written >= acknowledged && written <= acknowledged + underWay)) {
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

/** Returns the stock's server as a target. Starts the server if necessary. */
export async function serviceOf(stock: Stock): Promise<Target> {
  return { url: (await stock.server()).url, apiKey: stock.installation.apiKey, redeems: true };
}
