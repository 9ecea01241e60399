import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { networkOf, networksOf, plainAddress, widestNetworkOf } from '../../network/network.ts';

interface UnfinishedOptions<Socket> {
  /** Connections with an unfinished request from one network; more for wider networks (`networksOf`). */
  readonly max: number;
  /** Trusted proxies are not limited, because one proxy connects on behalf of many clients. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly isUnfinished: (socket: Socket) => boolean;
  readonly close: (socket: Socket) => void;
}

/** Closes a network's oldest unfinished request above the limit. Checks only when a connection opens. */
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

interface FullOptions<Socket> {
  readonly max: number;
  /** Connections of trusted proxies are never closed, because one proxy connects on behalf of many clients. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly isUnfinished: (socket: Socket) => boolean;
  /** Whether no response is being prepared or sent. */
  readonly isIdle: (socket: Socket) => boolean;
  /** Whether a part of a response waits for the client to read. */
  readonly isUnread: (socket: Socket) => boolean;
}

/** Share of the connections that stay free for clients of other networks. */
const FREE_SHARE = 1 / 16;

/**
 * When nearly `max` connections are open, closes some of the networks that have the most, the oldest first: without a
 * complete request, then idle, then with an unread response. So many addresses together can't keep others out.
 */
export function closeBeforeFull<Socket extends Duplex & { readonly remoteAddress?: string }>(
  server: Server,
  { max, isTrustedProxy, isUnfinished, isIdle, isUnread }: FullOptions<Socket>,
): void {
  const networks = new Map<Socket, string>();
  const free = Math.floor(max * FREE_SHARE);
  let open = 0;

  const closeSome = (): void => {
    let left = Math.ceil(free / 4);
    for (const mayClose of [isUnfinished, isIdle, isUnread]) {
      const ranked = rankInNetwork([...networks].filter(([socket]) => mayClose(socket)));
      for (const [socket] of ranked.slice(0, left)) {
        socket.destroy();
        networks.delete(socket);
        left -= 1;
      }
      if (left === 0) return;
    }
  };

  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
      networks.delete(socket);
    });
    const address = plainAddress(socket.remoteAddress ?? '');
    if (!isTrustedProxy(address)) networks.set(socket, widestNetworkOf(networkOf(address)));
    if (free > 0 && open > max - free) closeSome();
  });
}

/** Returns the connections that are not the newest of their network. The oldest of the largest networks come first. */
function rankInNetwork<Socket>(
  connections: readonly (readonly [Socket, network: string])[],
): readonly (readonly [Socket, rank: number])[] {
  return [...Map.groupBy(connections, ([, network]) => network).values()]
    .flatMap((group) => group.map(([socket], index) => [socket, group.length - index] as const))
    .filter(([, rank]) => rank > 1)
    .sort(([, one], [, other]) => other - one);
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
