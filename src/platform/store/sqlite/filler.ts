import { beginImmediate, openConnection } from './connection.ts';
import { createStatements } from './statements.ts';
import type { OtherRequest, SqliteWorker } from './worker-client.ts';

/**
 * Writes in the calling thread and never flushes. Only for filling a new database, which is discarded if that fails:
 * messages to the writing thread and flushes would take most of the time.
 */
export function openFiller(file: string): SqliteWorker {
  const connection = openConnection(file, { readOnly: false });
  connection.exec('pragma synchronous = off');
  const run = createStatements(connection);
  const actions: Readonly<Partial<Record<OtherRequest['kind'], () => unknown>>> = {
    begin: () => beginImmediate(connection),
    commit: () => connection.exec('commit'),
    rollback: () => connection.isTransaction && connection.exec('rollback'),
  };
  return {
    request: async (request) => {
      if (request.kind === 'query') return run(request.sql, request.parameters);
      const act = request.kind === 'batch' ? undefined : actions[request.kind];
      if (act === undefined) throw new Error(`A database that is being filled has no "${request.kind}".`);
      return act();
    },
    hasSeenDamage: () => false,
    close: async () => connection.close(),
  };
}
