/** Finding the primary among several hosts, some of which are down or misbehave. */
import { createServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPrimaryWatch, type PrimaryWatch } from '../../../src/platform/store/postgres/primary-watch.ts';
import { freePort } from '../../support/free-port.ts';

/** Maximum duration of `primary()`: its timeout of two seconds, plus slack for a busy machine. */
const SOON_MS = 4_000;

/** Starts a host that passes each connection to `handle`, and returns its URL. */
async function host(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    handle(socket);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `postgres://claimcheck:pw@127.0.0.1:${port}/claimcheck`;
}

const silent = () => host(() => {});
const hangingUp = () => host((socket) => socket.destroy());
const garbled = () => host((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
const nobody = async () => `postgres://claimcheck:pw@127.0.0.1:${await freePort()}/claimcheck`;

function watchOf(...urls: string[]): PrimaryWatch {
  const watch = createPrimaryWatch(urls);
  onTestFinished(() => watch.close());
  return watch;
}

test('primary() finds the primary among failing hosts, and again after suspect()', async () => {
  const primary = process.env['TEST_DATABASE_URL']!;
  const urls = [await silent(), await hangingUp(), await garbled(), await nobody(), primary];
  const watch = watchOf(...urls);
  const startedMs = performance.now();
  expect(await watch.primary()).toBe(primary);
  expect(performance.now() - startedMs).toBeLessThan(SOON_MS);
  expect((await watch.check()).map(({ role }) => role)).toEqual(['down', 'down', 'down', 'down', 'primary']);
  watch.suspect(primary);
  // The suspected primary still accepts writes.
  expect(await watch.primary()).toBe(primary);
  watch.close();
  watch.suspect(primary);
  await expect(watch.primary()).rejects.toThrow('the service is stopping');
});

test('primary() fails with a reason and a remedy for each host if none accepts writes', async () => {
  const urls = [await silent(), await nobody()];
  const startedMs = performance.now();
  const failure = await watchOf(...urls)
    .primary()
    .catch((error: Error) => error.message);
  expect(performance.now() - startedMs).toBeLessThan(SOON_MS);
  const [first, second] = urls.map((url) => new URL(url).host);
  expect(failure).toContain(
    `${first}: the host does not respond in time; check host name, port, network and firewall`,
  );
  expect(failure).toContain(
    `${second}: nothing is listening there; start PostgreSQL, or correct the host and port (connect ECONNREFUSED`,
  );
  expect(failure).not.toContain('pw');
});
