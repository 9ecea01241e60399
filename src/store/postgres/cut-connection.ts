/** Ends a connection that nothing is expected of any more. */
import type { Socket } from 'node:net';
import type pg from 'pg';

/** Closes the socket immediately: statements under way on it fail. A usual end waits for a server that may not answer. */
export function cutConnection(client: pg.PoolClient): void {
  // `pg` has no method for it.
  (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
}
