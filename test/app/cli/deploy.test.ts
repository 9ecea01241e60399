/** The service under a process manager: signals to npm, overlapping processes, and ADMIN_EMAIL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import { freePort } from '../../support/free-port.ts';
import { launch, REPOSITORY } from '../../support/program.ts';
import { isReady, startServer } from '../../support/server-process.ts';
import { shareDbLocation } from '../../support/shared.ts';

const dbLocation = shareDbLocation('sqlite', { isOnDisk: true });

/** Returns `true` also for a zombie: a process that has exited but that its parent has not reaped. */
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test.each(['SIGTERM', 'SIGKILL'] as const)(
  '%s to `npm start` shuts the server down gracefully',
  async (signal) => {
    const port = await freePort();
    // `--ignore-scripts` skips the build in `prestart`.
    const npm = spawn('npm', ['start', '--silent', '--ignore-scripts'], {
      cwd: REPOSITORY,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ...dbLocation.env,
        PORT: String(port),
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
    }
    await vi.waitFor(async () => {
      const isServing = log.includes('"serving"') && (await isReady(`http://127.0.0.1:${port}`));
      if (!isServing) throw new Error(`npm start: ${log}`);
    }, 60_000);
    const { pid } = JSON.parse(log.split('\n').find((line) => line.includes('"serving"'))!) as {
      pid: number;
    };
    expect(pid).not.toBe(npm.pid);
    npm.kill(signal);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 15_000);
    if (npm.exitCode === null && npm.signalCode === null) await once(npm, 'exit');
    expect(log).toContain('"stopping"');
  },
);

test('a server waits while another server uses the same data folder, then becomes ready', async () => {
  const first = await startServer(dbLocation);
  const port = await freePort();
  const second = launch(dbLocation, ['serve', '--port', String(port)]);
  await vi.waitFor(
    () =>
      expect(second.stderr()).toMatch(
        /Another server is still using .*\. Waiting up to 30 seconds for it to stop\./,
      ),
    10_000,
  );
  expect(await isReady(first.baseUrl)).toBe(true);
  expect(await isReady(`http://127.0.0.1:${port}`)).toBe(false);
  // SIGTERM also stops a server that is still waiting.
  const third = launch(dbLocation, ['serve', '--port', String(await freePort())]);
  await vi.waitFor(() => expect(third.stderr()).toContain('Waiting up to'), 10_000);
  expect(await third.kill('SIGTERM')).toEqual({ code: 0, signal: null });

  expect(await first.stop()).toEqual({ code: 0, signal: null });
  await vi.waitFor(async () => expect(await isReady(`http://127.0.0.1:${port}`)).toBe(true), 10_000);
  expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('ADMIN_EMAIL creates the operator before the server is ready', async () => {
  const passwordFile = join(dbLocation.dataDir, 'password');
  writeFileSync(passwordFile, '\ufefffour random words do well\r\n', 'utf16le');
  const env = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD_FILE: passwordFile };
  const server = await startServer(dbLocation, { env });
  const database = new DatabaseSync(join(dbLocation.dataDir, DATABASE_FILE), { readOnly: true });
  expect(database.prepare('select email from accounts').all()).toEqual([{ email: 'admin@example.com' }]);
  database.close();
  await server.kill('SIGKILL');
});
