/** Limits the connections of one network whose request has not arrived. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { networkOf, networksOf } from '../../network/network.ts';
import { plainAddress } from './client-address.ts';

/** Many more than the people behind one address have at the same time, since a request arrives within a moment. */
export const MAX_UNFINISHED_OF_NETWORK = 256;

export interface UnfinishedOptions<Socket> {
  /** Of the smallest network; wider ones have more (`networksOf`). */
  readonly max: number;
  /** A trusted proxy connects for all of its clients. */
  readonly isTrustedProxy: (address: string) => boolean;
  /** Whether a request, or the first one, has yet to arrive on the connection. */
  readonly isUnfinished: (socket: Socket) => boolean;
  readonly close: (socket: Socket) => void;
}

/** Closes the oldest one above the limit. It looks only at new connections, so a request costs nothing. */
export function limitUnfinished<Socket extends Duplex & { readonly remoteAddress?: string }>(
  server: Server,
  { max, isTrustedProxy, isUnfinished, close }: UnfinishedOptions<Socket>,
): void {
  const networks = new Map<string, Set<Socket>>();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (isTrustedProxy(address)) return;
    for (const { network, times } of networksOf(networkOf(address))) {
      const connections = networks.get(network) ?? new Set();
      networks.set(network, connections.add(socket));
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
