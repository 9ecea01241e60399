/** A TCP port for a server that a test or the bench starts. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/**
 * Below the range from which the system takes the source ports of outgoing connections (32768 and up): a client that
 * keeps trying a stopped server's port inside that range may end up connected to itself and so take the port.
 */
const PORTS = { from: 20_000, to: 30_000 };

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, HOST, () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
