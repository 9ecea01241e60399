/** Free TCP ports for servers that tests or the benchmark start. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/**
 * Range of the ports. It ends below Linux's ephemeral ports (32768 and up), because a client that retries an ephemeral
 * port of a stopped server may connect to itself and occupy the port.
 */
const PORTS = { from: 20_000, to: 30_000 };
/** Maximum number of concurrent test processes. Each uses a separate part of the range. */
const PROCESSES = 5;
const SHARE = (PORTS.to - PORTS.from) / PROCESSES;
const from = PORTS.from + (Number(process.env['VITEST_POOL_ID'] ?? 0) % PROCESSES) * SHARE;

/** Ports tried earlier. A returned port is never tried again, because its server may not be listening yet. */
const given = new Set<number>();

/** Returns a free port of the loopback interface, and never returns the same port twice. */
export async function freePort(): Promise<number> {
  while (given.size < SHARE) {
    const port = randomInt(from, from + SHARE);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, HOST, () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
  throw new Error(`All ${SHARE} ports of this process are used up.`);
}
