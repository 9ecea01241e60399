/**
 * The pool for statements that find every row by key: they are prepared once per connection, and the statements of one
 * pass of the event loop are sent together, because each write to a socket costs as much as several statements.
 */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { isStale, throwTranslated } from './errors.ts';
import type { Connections } from './following-pool.ts';

/** Maximum number of prepared statements per connection, because the server keeps their plans in memory. */
const MAX_PREPARED = 200;

type Client = pg.PoolClient & { readonly connection: { readonly stream: Socket } };

/** `inTransactions`: the caller retries stale statements. Otherwise, they are run again without their plan. */
export function preparedPool(
  pool: Connections,
  { inTransactions }: { readonly inTransactions: boolean },
): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    let name = names.get(text);
    if (name !== undefined || names.size >= MAX_PREPARED) return name;
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
    return name;
  };
  return {
    options: pool.options,
    connect: async () => {
      const client = (await pool.connect().catch(inTransactions ? rethrow : throwTranslated)) as Client;
      const send = createSender(client);
      let isBroken = false;
      const query = async (text: string, values: unknown[] = []) => {
        const isControl = values.length === 0 && CONTROL.has(text);
        try {
          return await send(isControl ? { text } : { name: nameOf(text), text, values });
        } catch (error) {
          isBroken ||= isStale(error);
          if (inTransactions) throw error;
          return isStale(error)
            ? await send({ text, values }).catch(throwTranslated)
            : throwTranslated(error);
        }
      };
      return {
        // Omits the overload for cursors, which are not used.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy || isBroken),
      };
    },
    end: () => pool.end(),
  };
}

/** Sent without parameters, which takes the server fewer steps. */
const CONTROL: ReadonlySet<string> = new Set(['begin', 'commit', 'rollback']);

const rethrow = (error: unknown): never => {
  throw error;
};

/** Statements that are sent before the next tick share a write. */
function createSender(client: Client): (query: pg.QueryConfig) => Promise<pg.QueryResult> {
  let isCorked = false;
  return (query) => {
    const { stream } = client.connection;
    if (!isCorked) {
      isCorked = true;
      stream.cork();
      process.nextTick(() => {
        isCorked = false;
        stream.uncork();
      });
    }
    return client.query(query);
  };
}
