/** One round of open-loop load, in a separate process. */
import { fileURLToPath } from 'node:url';
import { run } from '../setup/processes.ts';

/** Length of the warm-up, whose requests have the same rate and are not counted. */
export const WARM_UP_SECONDS = 1;

const OPEN_LOOP = fileURLToPath(new URL('open-loop.ts', import.meta.url));

export interface OpenLoop {
  readonly url: string;
  readonly apiKey: string;
  /** A file of tokens, one per line; `requestsOf` returns how many are needed. */
  readonly tokens: string;
  /** Requests per second. */
  readonly rate: number;
  readonly seconds: number;
}

/** Number of tokens that a round needs. */
export const requestsOf = ({ rate, seconds }: Pick<OpenLoop, 'rate' | 'seconds'>): number =>
  Math.ceil(rate * (WARM_UP_SECONDS + seconds)) + 1;

/** Runs a round. Times are in milliseconds. Throws if a request was refused. */
export async function openLoop(
  load: OpenLoop,
): Promise<{ readonly answered: number; readonly p50: number; readonly p99: number }> {
  const settings = {
    URL: load.url,
    API_KEY: load.apiKey,
    TOKENS: load.tokens,
    RATE: String(load.rate),
    SECONDS: String(load.seconds),
    WARMUP_SECONDS: String(WARM_UP_SECONDS),
  };
  const { stdout } = await run([process.execPath, OPEN_LOOP], settings);
  const round = JSON.parse(stdout) as { answered: number; refused: number; p50: number; p99: number };
  if (round.refused > 0) throw new Error(`${round.refused} requests were refused`);
  return round;
}
