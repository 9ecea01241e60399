/** Starts the built program as server processes, and creates the data that the servers use. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../src/base/context.ts';
import {
  createDbLocation,
  type DbLocation,
  type DbLocationOptions,
  openDatabaseAt,
  TEST_SECRET_KEY,
  type TestEngine,
} from './engines.ts';
import { makeTemporaryFolder } from './folders.ts';
import { freePort } from './free-port.ts';
import { createOwner, issueTokens, type Owner } from './marketplace.ts';
import { type Env, type Exit, type LaunchOptions, launch, type Place } from './program.ts';
import { shareCleanups } from './shared.ts';
import { buildWithout, type Replacement } from './unguarded-build.ts';

const HOST = '127.0.0.1';
/** On a busy machine, a start on Citus can take longer than half a minute. */
const READY_TIMEOUT_MS = 60_000;
/** Each poll takes a millisecond of processor time, and a start on a busy machine takes seconds. */
const READY_POLL_MS = 50;
const KEPT_OUTPUT_CHARACTERS = 64 * 1024;

interface ServerOptions extends Pick<LaunchOptions, 'program' | 'wrapper' | 'stdoutFile'> {
  readonly env?: Env;
  /** Arguments after `serve`. */
  readonly args?: readonly string[];
  /** Default: a free port. */
  readonly port?: number | undefined;
}

/** Chooses the size of a run: enough to show the guarantee in each `npm run test:full`, or for `npm run test:thorough`. */
export const sized = <T>(usual: T, thorough: T): T =>
  process.env['TEST_THOROUGH'] === undefined ? usual : thorough;

export interface ServerProcess {
  readonly baseUrl: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Sends SIGTERM; resolves once the process has ended. */
  stop(): Promise<Exit>;
  /** Resolves once the process has ended. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** The end of the output to stderr. */
  stderr(): string;
  /** The end of the output to stdout, which includes the log. */
  stdout(): string;
}

/** Starts `claimcheck serve`. Resolves once the server is ready. Rejects if the server ends or is not ready in time. */
export async function startServer(dbLocation: Place, options: ServerOptions = {}): Promise<ServerProcess> {
  const port = options.port ?? (await freePort());
  const { child, exited, stdout, stderr, kill } = launch(
    { env: { ...dbLocation.env, VERIFY_RATE_LIMIT: '0', LOG_LEVEL: 'fatal', ...options.env } },
    ['serve', '--port', String(port), ...(options.args ?? [])],
    { ...options, keptCharacters: KEPT_OUTPUT_CHARACTERS },
  );
  const baseUrl = `http://${HOST}:${port}`;
  let ended: Exit | undefined;
  exited.then(
    (exit) => {
      ended = exit;
    },
    () => {},
  );
  const output = () => `${stdout()}${stderr()}`;
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady(baseUrl))) {
    if (ended !== undefined) throw new Error(`The server ended (${JSON.stringify(ended)}): ${output()}`);
    if (performance.now() > deadline) {
      await kill('SIGKILL');
      throw new Error(`The server was not ready within ${READY_TIMEOUT_MS} ms: ${output()}`);
    }
    await sleep(READY_POLL_MS);
  }
  return {
    baseUrl,
    port,
    pid: child.pid!,
    exited,
    stop: () => kill('SIGTERM'),
    kill,
    stderr,
    stdout,
  };
}

export async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Returns the IDs of the child processes of `pid`. Linux only. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        // The parent's ID is the second field after the command name, which is in parentheses.
        const status = readFileSync(`/proc/${child}/stat`, 'utf8');
        return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    });
}

/** Runs `work` with the place's database open in this process, then closes the database. */
export async function withContext<T>(
  dbLocation: DbLocation,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { db, context } = await openDatabaseAt(dbLocation);
  try {
    return await work(context);
  } finally {
    await db.close();
  }
}

export interface Stock {
  readonly owner: Owner;
  readonly tokens: readonly string[];
}

/** Creates an owner with `count` unused tokens, and closes the database. */
export const stock = (dbLocation: DbLocation, count: number): Promise<Stock> =>
  withContext(dbLocation, async (context) => {
    const owner = await createOwner(context);
    return { owner, tokens: await issueTokens(context, owner, count) };
  });

/**
 * Returns functions that create places and start servers. After the last test of the file, the servers are killed and
 * the places are removed.
 */
export function shareProcesses() {
  const cleanups = shareCleanups();
  return {
    /** Cleanup functions, which are called in reverse order after the last test. */
    cleanups,
    newDbLocation: async (engine: TestEngine, options?: DbLocationOptions): Promise<DbLocation> => {
      const dbLocation = await createDbLocation(engine, options);
      cleanups.push(() => dbLocation.remove());
      return dbLocation;
    },
    /** Creates a place that uses an existing, empty PostgreSQL database. */
    dbLocationOn: (databaseUrl: string): DbLocation => {
      const dataDir = makeTemporaryFolder('claimcheck-test-');
      const remove = async () => rmSync(dataDir, { recursive: true, force: true });
      cleanups.push(remove);
      const env = { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: databaseUrl };
      return { engine: 'postgres', dataDir, databaseUrl, env, remove };
    },
    serve: async (dbLocation: Place, options?: ServerOptions): Promise<ServerProcess> => {
      const server = await startServer(dbLocation, options);
      cleanups.push(() => server.kill('SIGKILL'));
      return server;
    },
    /** Copies the built program without some of its guards, for control tests. Returns the path of the copy. */
    unguarded: (...replacements: readonly Replacement[]): string => {
      const { program, remove } = buildWithout(...replacements);
      cleanups.push(remove);
      return program;
    },
  };
}
