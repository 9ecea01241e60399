/** A TCP port for a server that a test or the bench starts. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/**
 * Below the range from which the system takes the source ports of outgoing connections (32768 and up): a client that
 * keeps trying a stopped server's port inside that range may end up connected to itself and so take the port.
 */
const PORTS = { from: 20_000, to: 30_000 };
/** Test processes that run at the same time. Each has a separate range of ports. */
const PROCESSES = 5;
const SHARE = (PORTS.to - PORTS.from) / PROCESSES;
const from = PORTS.from + (Number(process.env['VITEST_POOL_ID'] ?? 0) % PROCESSES) * SHARE;

/** Ports that were returned before. Their servers may not listen yet. */
const given = new Set<number>();

/** A free port of the loopback interface, a different one each time. */
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
  throw new Error(`All ${SHARE} ports of this process have been handed out.`);
}
