import { messageOf } from '../../process/failure.ts';
import { DatabaseUnusable } from '../database.ts';
import { openConnection } from './connection.ts';
import { isDamaged, primaryCode } from './errors.ts';
import { createStatements } from './statements.ts';
import { type SqliteWorker, toError } from './worker-client.ts';

/**
 * Reads in the calling thread, which waits for SQLite: for commands that serve no requests. Another thread would take
 * 20 MB of memory. Throws the same errors as a thread.
 */
export async function openInlineReader(file: string): Promise<SqliteWorker> {
  let hasSeenDamage = false;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      hasSeenDamage ||= isDamaged(error);
      throw error instanceof DatabaseUnusable ? error : toError(messageOf(error), primaryCode(error));
    }
  };
  const connection = attempt(() => openConnection(file, { readOnly: true }));
  const run = createStatements(connection);
  return {
    request: async (request) => {
      if (request.kind !== 'query')
        throw new Error(`An inline reader only runs queries, not "${request.kind}".`);
      return attempt(() => run(request.sql, request.parameters));
    },
    hasSeenDamage: () => hasSeenDamage,
    close: async () => connection.close(),
  };
}
