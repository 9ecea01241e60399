/**
 * Up to which number the event log is settled: below it nothing can appear any more. On PostgreSQL transactions take
 * their numbers before they commit, so a lower number can become visible after a higher one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, DatabaseUnavailable, type Engine, type Queryable } from '../store/database.ts';
import {
  currentWriters,
  currentWritersOnNodes,
  isPrepared,
  lastDrawnOnNodes,
  lastDrawnSeq,
  lastSeq,
} from './queries.ts';

/** How often open writers are looked at while one may hold a lower number, and the pause between two looks. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 4;
/** The same for a caller that needs the number: two seconds. */
const MAX_WAITS = 50;
const WAIT_MS = 25;

export interface Settled {
  /** Every event up to this number can be read; no other one will ever have such a number. */
  readonly seq: number;
  /** A moment before which no later number was drawn: milliseconds since the epoch, by the clock of this process. */
  readonly atMs: number;
}

/** `null` while it is not known: only in a process that has just started, and only on PostgreSQL. */
export type ReadSettled = () => Promise<Settled | null>;

type SettledDatabase = Pick<Database, 'engine' | 'read' | 'nodes' | 'findNodes'>;

/** One for each process: what it has learned about open writers helps its next call. May be called concurrently. */
export function createReadSettled(db: SettledDatabase, now: () => number): ReadSettled {
  const lookAtOne = LOOK[db.engine](db.read, now);
  let lookAtAll: ReadSettled | null = null;
  const look = async () => {
    let nodes = db.nodes();
    if (nodes === null) {
      const settled = await lookAtOne();
      // If the tables were distributed before that look, it covered the numbers and writers of one node only.
      nodes = await db.findNodes();
      if (nodes === null) return settled;
    }
    const all = nodes;
    lookAtAll ??= lookAtWriters(now, {
      lastDrawn: () => lastDrawnOnNodes(all),
      writers: () => currentWritersOnNodes(all),
      isPrepared: async () => [...(await currentWritersOnNodes(all))].some(isPrepared),
    });
    return await lookAtAll();
  };
  let looking: Promise<Settled | null> | null = null;
  return () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
}

/**
 * A number up to which the log is settled, after a wait for transactions that are open now. Throws `DatabaseUnavailable`
 * where one stays open for seconds.
 */
export async function settledSeq(db: SettledDatabase, now: () => number): Promise<number> {
  const readSettled = createReadSettled(db, now);
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    const settled = await readSettled();
    if (settled !== null) return settled.seq;
    await sleep(WAIT_MS);
  }
  throw new DatabaseUnavailable('PostgreSQL: a transaction that writes events has been open for seconds.');
}

interface Log {
  readonly lastDrawn: () => Promise<number>;
  readonly writers: () => Promise<ReadonlySet<string>>;
  readonly isPrepared: () => Promise<boolean>;
}

/**
 * A statement locks the table before it draws a number, and releases the lock only after its transaction is visible. So
 * a number drawn before the writers were listed is settled once none of those writers is left. (Transaction ids do not
 * work here: a transaction that began earlier may draw its number later.)
 *
 * On Citus a transaction of the coordinator that wrote on several nodes may no longer be listed at the coordinator
 * while it is still prepared on those nodes, where it has another name. If a node goes away at that moment, the
 * transaction stays prepared there until the node is back. So nothing new is settled while any is prepared.
 */
function lookAtWriters(now: () => number, log: Log): ReadSettled {
  let settled: Settled | null = null;
  let pending: (Settled & { readonly writers: ReadonlySet<string> }) | null = null;
  return async () => {
    for (let looks = 1; ; looks += 1) {
      const isFresh = pending === null;
      const { seq, atMs }: Settled = pending ?? { atMs: now(), seq: await log.lastDrawn() };
      const writers = await log.writers();
      const left: ReadonlySet<string> =
        pending === null ? writers : new Set([...pending.writers].filter((writer) => writers.has(writer)));
      const isOver = left.size === 0 && !(await log.isPrepared());
      pending = isOver ? null : { seq, atMs, writers: left };
      if (pending === null) settled = { seq, atMs };
      if ((pending === null && isFresh) || looks >= LOOKS) return settled;
      if (pending !== null) await sleep(LOOK_AGAIN_MS);
    }
  };
}

const LOOK: Readonly<Record<Engine, (db: Queryable, now: () => number) => ReadSettled>> = {
  // There is one writer at a time, and a number is drawn in its transaction.
  sqlite: (db, now) => async () => {
    const atMs = now();
    return { seq: await lastSeq(db), atMs };
  },
  postgres: (db, now) =>
    lookAtWriters(now, {
      lastDrawn: () => lastDrawnSeq(db),
      writers: () => currentWriters(db),
      isPrepared: async () => false,
    }),
};
