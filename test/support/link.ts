/** A TCP proxy that simulates a slow or broken network link to a server. */
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

const HOST = '127.0.0.1';

export interface Link {
  /** URL of the server through the proxy. */
  readonly url: string;
  /**
   * Delay in each direction. A new value applies to data that arrives after the change. `Infinity` drops data, but the
   * proxy still accepts connections.
   */
  delayMs: number;
  close(): void;
}

/** `server`: URL of the server. */
export async function openLink(server: string): Promise<Link> {
  const { port, hostname } = new URL(server);
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    const later = (work: () => unknown) =>
      link.delayMs === Number.POSITIVE_INFINITY || setTimeout(work, link.delayMs);
    from.on('data', (bytes) => later(() => to.writable && to.write(bytes)));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      later(() => to.end());
    });
  };
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    pass(near, far);
    pass(far, near);
  });
  const url = new URL(server);
  url.hostname = HOST;
  url.port = String(await freePort());
  await new Promise<void>((resolve) => proxy.listen(Number(url.port), HOST, resolve));
  const link: Link = {
    url: url.href,
    delayMs: 0,
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
  return link;
}
