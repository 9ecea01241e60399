/** Connections to the coordinator (group 0) and the workers. All rows that a batch needs are on one node. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { messageOf } from '../../process/failure.ts';
import type { PostgresProgram } from '../batch.ts';
import { type DatabaseServer, DatabaseUnavailable } from '../database.ts';
import { onConnection, requireWritable, type Server } from '../postgres/database.ts';
import * as plain from '../postgres/errors.ts';
import { type Connections, createConnections } from '../postgres/following-pool.ts';
import { plainSession, type SessionOf } from '../postgres/pool.ts';
import { runProgram } from '../postgres/run-program.ts';
import { joinNumbers, type OnEach } from './event-numbers.ts';

/** Connections per node: two for batches, the others for checks, and for batches of one shard while a shard moves. */
const NODE_CONNECTIONS = 4;
/** A node that doesn't respond within this time counts as down. Short, because `checkWritable` may wait twice. */
const NODE_TIMEOUT_MS = 800;

export const COORDINATOR = 0;

export interface Node {
  readonly group: number;
  readonly host: string;
  readonly port: number;
}

export interface Nodes {
  /** Runs a batch on a node, or on the coordinator if `node` is `null`. Throws like `Database.runBatch`. */
  run<Input, Output>(
    node: Node | null,
    program: PostgresProgram<Input, Output>,
    input: Input,
    deadlineMs: number,
  ): Promise<Output>;
  readonly onEach: OnEach;
  checkWritable(): Promise<boolean>;
  report(): Promise<readonly DatabaseServer[]>;
  close(): Promise<void>;
}

export function createNodes({ url, writes, batches }: Server): Nodes {
  const pools = new Map<string, Connections>();
  let lastListed: readonly Node[] = [];

  /** Returns `ofCoordinator` for the coordinator, because those connections follow a failover. */
  const poolOf = (node: Node | null, ofCoordinator: Connections): Connections => {
    if (node === null || node.group === COORDINATOR) return ofCoordinator;
    return pools.getOrInsertComputed(urlOfNode(url, node), (nodeUrl) =>
      createConnections(null, {
        url: nodeUrl,
        purpose: 'batch',
        size: NODE_CONNECTIONS,
        session: nodeSession,
      }),
    );
  };
  const list = async (): Promise<readonly Node[]> => {
    const rows = await valuesOf(writes, LIST_NODES);
    lastListed = rows.map(([group, host, port]) => ({ group, host, port }));
    return lastListed;
  };
  const check = async (node: Node): Promise<NodeCheck> => {
    try {
      await inTime(requireWritable(poolOf(node, writes)));
      return { node, failure: null };
    } catch (error) {
      return { node, failure: messageOf(error) };
    }
  };

  return {
    run: (node, program, input, deadlineMs) => runProgram(poolOf(node, batches), program, input, deadlineMs),
    onEach: async (statement) => {
      const listed = await list();
      return await Promise.all(
        listed.map(async (node) => {
          const [row] = await valuesOf(poolOf(node, writes), statement);
          return { group: node.group, value: row![0] };
        }),
      );
    },
    checkWritable: async () => {
      const listed = await inTime(list()).catch(() => lastListed);
      const checks = await Promise.all(listed.map(check));
      // Without workers, the claims are on the coordinator.
      const workers = checks.filter(({ node }) => node.group !== COORDINATOR || checks.length === 1);
      if (workers.every(({ failure }) => failure !== null)) {
        throw new DatabaseUnavailable(
          `No Citus worker accepts writes: ${workers[0]?.failure ?? 'none is known'}`,
        );
      }
      return checks.every(({ failure }) => failure === null);
    },
    report: async () => (await Promise.all((await list()).map(check))).map(toServer),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()));
    },
  };
}

const LIST_NODES =
  "select groupid, nodename, nodeport from pg_dist_node where isactive and noderole = 'primary' order by groupid";

/** `failure`: why the node can't be used; `null` if it can. */
interface NodeCheck {
  readonly node: Node;
  readonly failure: string | null;
}

const toServer = ({ node, failure }: NodeCheck): DatabaseServer => ({
  host: `${node.host}:${node.port}`,
  role: node.group === COORDINATOR ? 'coordinator' : 'worker',
  failure:
    failure &&
    `${node.host}:${node.port} cannot be used (${failure}). Bring it back: until then, API calls get 503 if the owner's claims are on this server, and pages that cover all owners fail.`,
});

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = sleep(NODE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new DatabaseUnavailable(`PostgreSQL: no response within ${NODE_TIMEOUT_MS} ms.`);
  });
  return await Promise.race([work, late]);
}

async function valuesOf(pool: Connections, text: string) {
  const query = (client: PoolClient) => client.query({ text, rowMode: 'array' });
  return (await onConnection(pool, query).catch(plain.throwTranslated)).rows;
}

export function urlOfNode(url: string, { host, port }: Node): string {
  const node = new URL(url);
  node.searchParams.delete('host');
  node.searchParams.delete('port');
  node.hostname = host;
  node.port = String(port);
  return node.href;
}

/**
 * `sequential`: a writing transaction uses one connection per node. With several connections, Citus would reject a
 * write to a reference table after a write to several shards. `local`: `set local` is propagated to the nodes.
 */
const SETTINGS = {
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.propagate_set_commands': 'local',
} as const;
/** Batches use shards like tables of plain PostgreSQL, so the same plan suits every batch. */
export const citusSession: SessionOf = async (client, purpose) => ({
  ...SETTINGS,
  ...(await plainSession(client, purpose)),
});

/** Session settings for a worker. Also runs `joinNumbers`, which the worker needs before it draws event numbers. */
const nodeSession: SessionOf = async (client) => {
  await joinNumbers(client);
  return await citusSession(client, 'batch');
};

/** Name of the violated unique constraint or index, without the shard ID; `null` for any other error. */
export function violatedConstraint(error: unknown): string | null {
  if (!plain.isUniqueViolation(error)) return null;
  return VIOLATED.exec(error.message)?.[1]?.replace(SHARD_NUMBER, '') ?? '';
}

const VIOLATED = /unique constraint "([^"]+)"/;
const SHARD_NUMBER = /_\d+$/;

/** If a lock timeout occurs on a worker, Citus reports only that an essential connection failed. */
export const isLockTimeout = (error: unknown): boolean =>
  plain.isLockTimeout(error) || (error instanceof Error && ESSENTIAL_CONNECTION.test(error.message));

const ESSENTIAL_CONNECTION = /^failure on connection marked as essential/;
