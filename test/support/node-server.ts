/** Stops, kills and restarts the PostgreSQL server of a Citus node on this machine. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onDatabase } from './nodes.ts';
import type { StopMode } from './postgres-server.ts';
import { childrenOf } from './server-process.ts';

const run = promisify(execFile);
const ENDED_POLL_MS = 10;

/** `url` must connect as a superuser. The server's data folder must be on this machine. */
export async function nodeServer(url: string) {
  const { binaries, dataDir } = await onDatabase(url, async (client) => {
    const { rows } = await client.query(
      `select (select setting from pg_config where name = 'BINDIR') as binaries, current_setting('data_directory') as "dataDir"`,
    );
    return rows[0] as { binaries: string; dataDir: string };
  });
  const { uid, gid } = statSync(dataDir);
  const owner = process.getuid?.() === 0 ? { uid, gid } : {};
  const pgCtl = join(binaries, 'pg_ctl');
  const options = { ...owner, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C' } };
  /** Process IDs of the server: the postmaster, then its children. */
  const processes = (): readonly number[] => {
    const first = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return [first, ...childrenOf(first)];
  };
  return {
    stop: async (mode: StopMode) => {
      await run(pgCtl, ['stop', '-w', '-D', dataDir, '-m', mode], options);
    },
    /** Resolves once the server accepts connections. */
    start: async () => {
      const child = spawn(pgCtl, ['start', '-w', '-D', dataDir, '-l', join(dataDir, 'tests.log')], {
        ...options,
        stdio: 'ignore',
      });
      const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
      if (code !== 0) throw new Error(`The node at ${url} did not start.`);
    },
    /** Sends SIGKILL to all processes of the server. Resolves when they have ended. */
    kill: async () => {
      const pids = processes();
      for (const pid of pids) process.kill(pid, 'SIGKILL');
      while (pids.some((pid) => existsSync(`/proc/${pid}`))) await sleep(ENDED_POLL_MS);
    },
    processes,
  };
}
