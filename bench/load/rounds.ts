/** Rounds of load. Each runs a load program in a separate process and returns what the program measured. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, run } from '../setup/processes.ts';
import type { Answers, Form } from './posts.ts';

export const CONNECTIONS = 64;
/** Connections of a busy service, where more requests share a flush. */
export const MANY_CONNECTIONS = 256;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Returns the last line that the program prints, which is JSON. */
async function measured<T>(command: readonly string[], settings: Environment): Promise<T> {
  const { stdout } = await run(command, settings);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}

const wrkVersion = /^wrk (\S+)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[1];

/** Name of the program for closed-loop load, for the report. */
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
 * response was not 2xx or a connection failed, since that would measure something else.
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
      `a round had ${result.refused} refused and ${result.failed} failed of ${result.answered} answers`,
    );
  }
  return {
    perSecond: (result.answered * 1e6) / result.microseconds,
    answered: result.answered,
    p50ms: result.p50us / 1000,
    p99ms: result.p99us / 1000,
  };
}

/**
 * Length of an open-loop round’s warm-up. Its requests are sent at the same rate as the others, but are not counted.
 */
export const WARM_UP_SECONDS = 1;

export interface OpenLoop {
  readonly url: string;
  readonly apiKey: string;
  /** A file of tokens, one per line; `requestsOf` returns how many are needed. */
  readonly tokens: string;
  readonly rate: number;
  readonly seconds: number;
}

export const requestsOf = ({ rate, seconds }: Pick<OpenLoop, 'rate' | 'seconds'>): number =>
  Math.ceil(rate * (WARM_UP_SECONDS + seconds)) + 1;

/** Open-loop load (`open-loop.ts`). Times are in milliseconds. Throws if a request was refused. */
export async function openLoop(
  load: OpenLoop,
): Promise<{ readonly answered: number; readonly p50: number; readonly p99: number }> {
  const round = await measured<{ answered: number; refused: number; p50: number; p99: number }>(
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
  if (round.refused > 0) throw new Error(`${round.refused} requests were refused`);
  return round;
}

interface PageFlood {
  readonly url: string;
  /** Path of the page. `{n}` in it becomes the number of the request. */
  readonly page: string;
  /** The status that the response should have, by default 200. Any other status counts as a refusal. */
  readonly status?: number;
  readonly seconds: number;
  /** Header lines, each with its CRLF. `{n}` in them becomes the number of the request. */
  readonly headers?: string | undefined;
}

/** Requests a page without a pause. Returns the responses per second. Throws if any was refused or there were none. */
export async function pageFlood(flood: PageFlood): Promise<number> {
  const { url, page, status = 200, seconds, headers = '' } = flood;
  const { answered, refused } = await measured<{ answered: number; refused: number }>(
    [process.execPath, here('page-flood.ts')],
    {
      URL: url,
      PAGE: page,
      STATUS: String(status),
      HEADERS: headers,
      SECONDS: String(seconds),
      CONNECTIONS: String(CONNECTIONS),
    },
  );
  if (answered === 0 || refused > 0) throw new Error(`${page}: ${answered} answered, ${refused} refused`);
  return answered / seconds;
}

/** Sends each form once. `folder`: where to write a file with the forms. */
export async function sendForms(url: string, folder: string, forms: readonly Form[]): Promise<Answers> {
  const file = join(folder, 'forms.ndjson');
  await writeFile(file, forms.map((form) => JSON.stringify(form)).join('\n'));
  const settings = { URL: url, FORMS: file, CONNECTIONS: String(CONNECTIONS) };
  return await measured<Answers>([process.execPath, here('posts.ts')], settings);
}

/** Throws unless there were `count` responses and all were redirects, which mean that a form succeeded. */
export function checkRedirects({ kinds }: Answers, count: number): void {
  if (kinds['303'] === count && Object.keys(kinds).length === 1) return;
  throw new Error(`${count} redirects were expected; there were ${JSON.stringify(kinds)}`);
}
