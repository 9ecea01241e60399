/** Connections in the calling thread, which waits for SQLite. Another thread would take 20 MB of memory. */
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../process/failure.ts';
import { DatabaseUnusable } from '../database.ts';
import { beginImmediate, type OpenOptions, openConnection } from './connection.ts';
import { isDamaged, primaryCode } from './errors.ts';
import { createStatements } from './statements.ts';
import { type OtherRequest, type SqliteWorker, toError } from './worker-client.ts';

/** For commands that serve no requests. Only runs queries. Throws the same errors as a thread. */
export async function openInlineReader(file: string): Promise<SqliteWorker> {
  return createInlineWorker(open(file, { readOnly: true }));
}

/**
 * Runs transactions and never flushes. Only for filling a new database, which is discarded if that fails: messages to the
 * writing thread and flushes would take most of the time.
 */
export function openFiller(file: string): SqliteWorker {
  const connection = open(file, { readOnly: false });
  connection.exec('pragma synchronous = off');
  return createInlineWorker(connection, {
    begin: () => beginImmediate(connection),
    commit: () => connection.exec('commit'),
    rollback: () => connection.isTransaction && connection.exec('rollback'),
  });
}

function createInlineWorker(
  connection: DatabaseSync,
  actions: Readonly<Partial<Record<OtherRequest['kind'], () => unknown>>> = {},
): SqliteWorker {
  const run = createStatements(connection);
  let hasSeenDamage = false;
  const respond = (request: Parameters<SqliteWorker['request']>[0]): unknown => {
    if (request.kind === 'query') return run(request.sql, request.parameters);
    const act = request.kind === 'batch' ? undefined : actions[request.kind];
    if (act === undefined) throw new Error(`A connection in the calling thread has no "${request.kind}".`);
    return act();
  };
  return {
    request: async (request) => {
      try {
        return respond(request);
      } catch (error) {
        hasSeenDamage ||= isDamaged(error);
        throw asInThread(error);
      }
    },
    hasSeenDamage: () => hasSeenDamage,
    close: async () => connection.close(),
  };
}

function open(file: string, options: OpenOptions): DatabaseSync {
  try {
    return openConnection(file, options);
  } catch (error) {
    throw asInThread(error);
  }
}

/** The error that a thread would report. */
const asInThread = (error: unknown): Error =>
  error instanceof DatabaseUnusable ? error : toError(messageOf(error), primaryCode(error));
