/** A link to a server that can fall silent, as where a machine or a network is gone: nothing is refused and nothing answered. */
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

export interface SilentLink {
  readonly port: number;
  /** From now on nothing passes, in either direction; new connections are accepted. */
  silence(): void;
  close(): void;
}

/** `port`: of the server, on this machine. */
export async function openSilentLink(port: number): Promise<SilentLink> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.on('data', (bytes) => {
      if (!isSilent) to.write(bytes);
    });
  };
  const server = createServer((socket) => {
    const toServer = connect(port, '127.0.0.1');
    pass(socket, toServer);
    pass(toServer, socket);
  });
  const own = await freePort();
  await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
  return {
    port: own,
    silence: () => {
      isSilent = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
