import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { networkOf, networksOf } from '../../network/network.ts';
import { plainAddress } from './client-address.ts';

interface UnfinishedOptions<Socket> {
  /**
   * Maximum number of connections with an unfinished request from one network. The maximum is higher for wider networks
   * (`networksOf`).
   */
  readonly max: number;
  /** Trusted proxies are not limited, because one proxy connects on behalf of many clients. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly isUnfinished: (socket: Socket) => boolean;
  readonly close: (socket: Socket) => void;
}

/**
 * If a network exceeds its limit, closes the network's oldest connection with an unfinished request. Checks only when a
 * connection opens, so that requests have no overhead.
 */
export function limitUnfinished<Socket extends Duplex & { readonly remoteAddress?: string }>(
  server: Server,
  { max, isTrustedProxy, isUnfinished, close }: UnfinishedOptions<Socket>,
): void {
  const networks = new Map<string, Set<Socket>>();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isTrustedProxy(address)) return;
    for (const { network, times } of networksOf(networkOf(address))) {
      const connections = networks.getOrInsertComputed(network, () => new Set()).add(socket);
      socket.once('close', () => {
        connections.delete(socket);
        if (connections.size === 0) networks.delete(network);
      });
      if (connections.size <= max * times) continue;
      const unfinished = [...connections].filter(isUnfinished);
      if (unfinished.length > max * times) close(unfinished[0]!);
    }
  });
}

const CHECK_INTERVAL_MS = 500;

/** Closes the connections with the most unsent bytes until the others have at most `maxBytes` in total. */
export function limitUnsent(server: Server, sockets: ReadonlySet<Duplex>, maxBytes: number): void {
  const check = (): void => {
    let bytes = 0;
    for (const socket of sockets) bytes += socket.writableLength;
    if (bytes <= maxBytes) return;
    for (const socket of [...sockets].sort((a, b) => b.writableLength - a.writableLength)) {
      bytes -= socket.writableLength;
      socket.destroy();
      if (bytes <= maxBytes) return;
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  server.once('close', () => clearInterval(timer));
}
