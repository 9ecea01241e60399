/** A TCP proxy that delays what goes through it, each way: a slow link to a database. */
import { connect, createServer, type Socket } from 'node:net';

export interface SlowLink {
  /** The database's URL, through the proxy. */
  readonly url: string;
  /** Milliseconds, for what arrives from now on. */
  delayMs: number;
  close(): Promise<void>;
}

export async function startSlowLink(databaseUrl: string): Promise<SlowLink> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const pipe = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), link.delayMs));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      setTimeout(() => to.end(), link.delayMs);
    });
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    pipe(near, far);
    pipe(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  const link: SlowLink = {
    url: url.href,
    delayMs: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return link;
}
