/**
 * Closed-loop load: each connection (64 by default) sends its next request as soon as it has the previous response.
 * Uses wrk if it is installed, otherwise autocannon.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run } from '../setup/processes.ts';

export const CONNECTIONS = 64;
/** Connections of a busy service, where more requests share a flush. */
export const MANY_CONNECTIONS = 256;
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const wrkVersion = /^wrk (\S+)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[1];

/** Name of the load program, for the report. */
export const loadProgram = wrkVersion === undefined ? 'autocannon' : `wrk ${wrkVersion}`;

export interface Load {
  readonly url: string;
  readonly apiKey: string;
  /** A file of tokens, one per line. */
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

/** Runs one round. Throws if a response was not 2xx or a connection failed, since that would measure something else. */
export async function closedLoop(load: Load): Promise<Round> {
  const connections = load.connections ?? CONNECTIONS;
  const settings = {
    TOKENS: load.tokens,
    API_KEY: load.apiKey,
    REDEEM: String(load.redeem ?? true),
    IDEMPOTENCY: load.idempotency === true ? '1' : '0',
    THREADS: '1',
    URL: load.url,
    SECONDS: String(load.seconds),
    CONNECTIONS: String(connections),
  };
  const command =
    wrkVersion === undefined
      ? [process.execPath, here('autocannon.ts')]
      : ['wrk', '-t1', `-c${connections}`, `-d${load.seconds}s`, '-s', here('redeem.lua'), load.url];
  const { stdout } = await run(command, settings);
  const line = stdout.trim().split('\n').at(-1) ?? '';
  const result = JSON.parse(line) as Record<
    'answered' | 'microseconds' | 'refused' | 'failed' | 'p50us' | 'p99us',
    number
  >;
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
