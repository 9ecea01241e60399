/** Messages between the HTTP thread and the thread that owns the SQLite file. */
import type { OpenOptions } from './connection.ts';

export interface SqliteWorkerData extends OpenOptions {
  readonly file: string;
  /** Batch programs by name: address of the module. */
  readonly programs: Readonly<Record<string, string>>;
  /** Other writers count as gone after this time without a write; 5 s unless given. */
  readonly otherWriterMs?: number | undefined;
}

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** Batches that arrive together may share a transaction. */
export interface BatchRequest {
  readonly id: number;
  readonly kind: 'batch';
  readonly program: string;
  readonly batch: unknown;
  /** After this time the batch is not run (`monotonicMs`). */
  readonly deadlineMs: number;
}

export type SqliteRequest =
  | BatchRequest
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

export interface SqliteQueryResult {
  readonly rows: unknown[];
  readonly changes: number;
  /** Number of the newest row that the connection inserted; 0 after a statement that returns rows. */
  readonly lastRow: number;
}

export type SqliteResponse =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly errcode: number | null };
