/** Wraps the PostgreSQL engine. Sends each batch to the node that holds the rows (`docs/decisions/0018-citus.md`). */
import { type Database, DatabaseUnavailable, monotonicMs } from '../database.ts';
import { openWith } from '../postgres/database.ts';
import { isAllInUse } from '../postgres/errors.ts';
import { createEventNumbers, drawTogetherThrough } from './event-numbers.ts';
import { citusSession, createNodes, isLockTimeout, type Nodes } from './nodes.ts';

interface CitusDatabase extends Database {
  readonly nodes: Nodes;
}

const NO_BACKUPS =
  'BACKUP_DIR does not work on Citus, because a dump is not consistent across nodes; take snapshots or base backups of every node';

/** No transaction starts to wait for a connection again after this time. */
const MAX_WAIT_MS = 8_000;

/** Throws the same errors as `openPostgres`. */
export async function openCitus(url: string): Promise<CitusDatabase> {
  const { server, database } = await openWith(url, {
    engine: 'citus',
    session: citusSession,
    partitions: {
      settings: ["citus.propagate_set_commands = 'local'"],
      lastDrawn: drawTogetherThrough,
      // Nothing to check, because Claimcheck never converts distributed tables back into local tables.
      check: async () => {},
      isLockTimeout,
    },
  });
  const nodes = createNodes(server);
  const eventNumbers = createEventNumbers(nodes.onEach);
  const transaction = whileOthersCommit(database.transaction);
  return {
    ...database,
    transaction,
    // Not measured with plans that don't know the distribution column's value.
    byKey: { read: database.read, transaction },
    nodes,
    eventNumbers,
    // Without this, new events of a node that is behind would get lower numbers than old events of other nodes, which
    // the sweep could then not delete, and the next reader would have to advance the node.
    upkeep: {
      name: 'Keep event numbers together',
      run: async () => void (await eventNumbers.lastDrawn()),
    },
    backups: { ending: 'dump', problem: NO_BACKUPS, write: () => Promise.reject(new Error(NO_BACKUPS)) },
    checkWritable: nodes.checkWritable,
    report: async () => {
      const report = await database.report();
      return {
        ...report,
        software: `${report.software} with Citus`,
        servers: [...report.servers, ...(await nodes.report())],
      };
    },
    close: async () => {
      await Promise.all([database.close(), nodes.close()]);
    },
  };
}

/**
 * Waits longer for a connection if other transactions commit. Changes to listings run one at a time and take several
 * times as long as on one server, so all transactions may have to wait behind them.
 */
function whileOthersCommit(transaction: Database['transaction']): Database['transaction'] {
  let committed = 0;
  return async (work) => {
    const startedMs = monotonicMs();
    for (;;) {
      const committedBefore = committed;
      try {
        const result = await transaction(work);
        committed += 1;
        return result;
      } catch (error) {
        const isWaiting = error instanceof DatabaseUnavailable && isAllInUse(error.cause);
        const isMoving = committed > committedBefore && monotonicMs() - startedMs < MAX_WAIT_MS;
        if (!(isWaiting && isMoving)) throw error;
      }
    }
  };
}

export const nodesOf = (db: Database): Nodes => (db as CitusDatabase).nodes;
