/** Limits the memory of answers that clients do not take. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** A few thousand pages for slow clients; the connection limit bounds their number. */
export const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** Interval at which unsent bytes are added up. */
const CHECK_INTERVAL_MS = 500;

/** Closes the connection with the most unsent bytes, again and again, until the others have no more than `maxBytes`. */
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
