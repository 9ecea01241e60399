/** Drops a connection that is no longer needed. */
import type { Socket } from 'node:net';
import type pg from 'pg';

/** Destroys the socket immediately, so running statements fail. `end()` waits for a server that may not answer. */
export function cutConnection(client: pg.PoolClient): void {
  // `pg` has no method for this.
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
}
