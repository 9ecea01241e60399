/** Runs the load programs, each in a separate process. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, run } from '../setup/processes.ts';
import type { Attack, HostileForm } from './attack.ts';
import type { Answers, Form } from './posts.ts';

export const CONNECTIONS = 64;
/** Number of connections at which many requests share a flush. */
export const MANY_CONNECTIONS = 256;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Parses the last line of the program's output as JSON. */
async function measured<T>(command: readonly string[], settings: Environment): Promise<T> {
  const { stdout } = await run(command, settings);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}

const wrkVersion = /^wrk (\S+)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[1];

/** Name of the closed-loop load program, for the report. */
export const loadProgram = wrkVersion === undefined ? 'autocannon' : `wrk ${wrkVersion}`;

export interface Load {
  readonly url: string;
  readonly apiKey: string;
  readonly tokens: string;
  readonly seconds: number;
  readonly redeem?: boolean;
  readonly idempotency?: boolean;
  readonly connections?: number;
}

export interface Round {
  readonly perSecond: number;
  readonly answered: number;
  readonly p50ms: number;
  readonly p99ms: number;
}

/**
 * Closed-loop load: each connection sends its next request as soon as it has the previous response. Throws if a
 * response was not 2xx or a connection failed, because the round would not be comparable.
 */
export async function closedLoop(load: Load): Promise<Round> {
  const connections = load.connections ?? CONNECTIONS;
  const command =
    wrkVersion === undefined
      ? [process.execPath, here('autocannon.ts')]
      : ['wrk', '-t1', `-c${connections}`, `-d${load.seconds}s`, '-s', here('redeem.lua'), load.url];
  const result = await measured<
    Record<'answered' | 'microseconds' | 'refused' | 'failed' | 'p50us' | 'p99us', number>
  >(command, {
    TOKENS: load.tokens,
    API_KEY: load.apiKey,
    REDEEM: String(load.redeem ?? true),
    IDEMPOTENCY: load.idempotency === true ? '1' : '0',
    THREADS: '1',
    URL: load.url,
    SECONDS: String(load.seconds),
    CONNECTIONS: String(connections),
  });
  if (result.refused > 0 || result.failed > 0 || result.answered === 0) {
    throw new Error(
      `a round had ${result.answered} responses (${result.refused} refusals) and ${result.failed} failed requests`,
    );
  }
  return {
    perSecond: (result.answered * 1e6) / result.microseconds,
    answered: result.answered,
    p50ms: result.p50us / 1000,
    p99ms: result.p99us / 1000,
  };
}

/** Duration of the warm-up of an open-loop round. Requests are sent at the normal rate. Latency is not measured. */
export const WARM_UP_SECONDS = 1;

export interface OpenLoop {
  readonly url: string;
  readonly apiKey: string;
  /** Path of a file with one token per line. The file must have at least as many tokens as `requestsOf` returns. */
  readonly tokens: string;
  readonly rate: number;
  readonly seconds: number;
}

export const requestsOf = ({ rate, seconds }: Pick<OpenLoop, 'rate' | 'seconds'>): number =>
  Math.ceil(rate * (WARM_UP_SECONDS + seconds)) + 1;

/** Times are in milliseconds. */
export interface OpenRound {
  readonly answered: number;
  readonly p50: number;
  readonly p99: number;
  /** Sorted. */
  readonly latencies: readonly number[];
}

/** Returns the smallest value that at least `share` (0 to 1) of the sorted values don't exceed. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

/** Open-loop load (`open-loop.ts`). Throws if a request was refused. */
export async function openLoop(load: OpenLoop): Promise<OpenRound> {
  const { answered, refused, latencies } = await measured<OpenRound & { readonly refused: number }>(
    [process.execPath, here('open-loop.ts')],
    {
      URL: load.url,
      API_KEY: load.apiKey,
      TOKENS: load.tokens,
      RATE: String(load.rate),
      SECONDS: String(load.seconds),
      WARMUP_SECONDS: String(WARM_UP_SECONDS),
    },
  );
  if (refused > 0) throw new Error(`${refused} requests were refused`);
  return { answered, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), latencies };
}

interface PageFlood {
  readonly url: string;
  /** Path of the page. `{n}` is replaced by the request number. */
  readonly page: string;
  /** Expected status (default: 200). A response with another status counts as refused. */
  readonly status?: number;
  readonly seconds: number;
  /** Accepted content encoding (default: Brotli). */
  readonly encoding?: string;
  /** Header lines, each with its CRLF. `{n}` is replaced by the request number. */
  readonly headers?: string | undefined;
}

/** Returns responses per second. Throws if a request was refused or none was answered. */
export async function pageFlood(flood: PageFlood): Promise<number> {
  const { url, page, status = 200, seconds, encoding = 'br', headers = '' } = flood;
  const { answered, refused } = await measured<{ answered: number; refused: number }>(
    [process.execPath, here('page-flood.ts')],
    {
      URL: url,
      PAGE: page,
      STATUS: String(status),
      ENCODING: encoding,
      HEADERS: headers,
      SECONDS: String(seconds),
      CONNECTIONS: String(CONNECTIONS),
    },
  );
  if (answered === 0 || refused > 0) throw new Error(`${page}: ${answered} answered, ${refused} refused`);
  return answered / seconds;
}

/** Sends each form once. `folder`: folder for the input file of the load program. */
export async function sendForms(url: string, folder: string, forms: readonly Form[]): Promise<Answers> {
  const file = join(folder, 'forms.ndjson');
  await writeFile(file, forms.map((form) => JSON.stringify(form)).join('\n'));
  const settings = { URL: url, FORMS: file, CONNECTIONS: String(CONNECTIONS) };
  return await measured<Answers>([process.execPath, here('posts.ts')], settings);
}

/** Throws unless there were exactly `count` responses, all redirects. A redirect means that the form succeeded. */
export function checkRedirects({ kinds }: Answers, count: number): void {
  if (kinds['303'] === count && Object.keys(kinds).length === 1) return;
  throw new Error(`${count} redirects were expected; there were ${JSON.stringify(kinds)}`);
}

/** Sends the forms in turns until the time is over. Throws if there was no response. */
export async function sendHostileForms(
  url: string,
  folder: string,
  forms: readonly HostileForm[],
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<Attack> {
  const file = join(folder, 'hostile-forms.ndjson');
  await writeFile(file, forms.map((form) => JSON.stringify(form)).join('\n'));
  return await measured<Attack>([process.execPath, here('attack.ts')], {
    URL: url,
    FORMS: file,
    SECONDS: String(seconds),
    CONNECTIONS: String(connections),
  });
}
