/** Client of the SQLite worker thread, and the types of the messages between client and thread. */
import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable, DatabaseUnusable, monotonicMs } from '../database.ts';
import type { OpenOptions } from './connection.ts';
import { isDamaged, isUnavailable } from './errors.ts';

/** Without this limit, the process used 70 MB more under load and was no faster. */
const YOUNG_GENERATION_MB = 8;

/** The thread runs these requests while the caller prepares the next ones. */
const MAX_REQUESTS_PER_MESSAGE = 16;

const DAMAGE_REMEMBERED_MS = 10_000;

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

export interface SqliteWorker {
  request(request: Unnumbered<SqliteRequest>): Promise<unknown>;
  /** Whether damaged content was read within the last ten seconds. Other reads may still succeed. */
  hasSeenDamage(): boolean;
  close(): Promise<void>;
}

export function toError(message: string, errcode: number | null): Error {
  if (isUnavailable({ errcode })) {
    const error = new DatabaseUnavailable(`SQLite: ${message}`);
    // `failure.ts` recognizes a damaged file by this code.
    return isDamaged({ errcode }) ? Object.assign(error, { errcode }) : error;
  }
  return Object.assign(new Error(message), { errcode });
}

/** `thread`: a module that calls `serveFile`. */
export function startWorker(thread: URL, data: SqliteWorkerData): Promise<SqliteWorker> {
  const worker = new Worker(thread, {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let failure: Error | null = null;
  let damageSeenMs = Number.NEGATIVE_INFINITY;

  const fail = (error: Error) => {
    failure ??= error;
    for (const waiter of waiting.values()) waiter.reject(failure);
    waiting.clear();
  };
  worker.on('message', (responses: SqliteResponse[]) => {
    for (const response of responses) {
      const waiter = waiting.get(response.id);
      waiting.delete(response.id);
      if (response.ok) waiter?.resolve(response.result);
      else {
        if (isDamaged(response)) damageSeenMs = monotonicMs();
        waiter?.reject(toError(response.message, response.errcode));
      }
    }
  });
  worker.on('error', (error: Error & { errcode?: number }) => {
    // Errors from a thread lose their class, so compare the name.
    fail(
      error.name === 'DatabaseUnusable'
        ? new DatabaseUnusable(error.message)
        : toError(error.message, error.errcode ?? null),
    );
  });
  worker.on('exit', () => fail(new DatabaseUnavailable('The SQLite thread has ended.')));

  const resultOf = (id: number): Promise<unknown> => {
    if (failure !== null) return Promise.reject(failure);
    const waiter = Promise.withResolvers<unknown>();
    waiting.set(id, waiter);
    return waiter.promise;
  };
  /** Requests of one turn share messages, because a message costs as much as several statements. */
  let together: OtherRequest[] = [];
  const postTogether = () => {
    if (together.length === 0) return;
    worker.postMessage(together);
    together = [];
  };
  const request = (body: Unnumbered<SqliteRequest>) => {
    lastId += 1;
    const numbered = { ...body, id: lastId } as SqliteRequest;
    const result = resultOf(lastId);
    if (numbered.kind === 'batch') {
      postTogether();
      worker.postMessage(numbered);
    } else {
      const count = together.push(numbered);
      if (count === 1) queueMicrotask(postTogether);
      if (count === MAX_REQUESTS_PER_MESSAGE) postTogether();
    }
    return result;
  };
  const hasSeenDamage = () => monotonicMs() - damageSeenMs < DAMAGE_REMEMBERED_MS;
  const close = async () => {
    // Fails if the thread has already exited.
    await request({ kind: 'close' }).catch(() => {});
    await worker.terminate();
  };
  // The thread sends a response with id 0 once it is ready.
  return resultOf(0).then(() => ({ request, hasSeenDamage, close }));
}

export interface SqliteWorkerData extends OpenOptions {
  readonly file: string;
  /** How long another writer counts as present after its last write; 5 s by default. */
  readonly otherWriterMs?: number | undefined;
}

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** Batches that arrive together may share a transaction. */
export interface BatchRequest {
  readonly id: number;
  readonly kind: 'batch';
  readonly batch: unknown;
  /** The batch is not run after this time (`monotonicMs`). */
  readonly deadlineMs: number;
}

export type OtherRequest =
  | {
      readonly id: number;
      readonly kind: 'query';
      readonly sql: string;
      readonly parameters: readonly SqliteValue[];
    }
  | {
      readonly id: number;
      readonly kind:
        | 'begin'
        | 'commit'
        | 'rollback'
        | 'other-writers'
        | 'check'
        | 'checkpoint'
        | 'report'
        | 'reopen'
        | 'close';
    };

type SqliteRequest = BatchRequest | OtherRequest;

export type SqliteMessage = BatchRequest | readonly OtherRequest[];

export interface SqliteQueryResult {
  readonly rows: unknown[];
  readonly changes: number;
  /** Rowid of the connection's last insert; 0 after a statement that returns rows. */
  readonly lastRow: number;
}

export type SqliteResponse =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly errcode: number | null };
