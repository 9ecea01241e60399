/**
 * The port to reads that may be some seconds old: lists, counts and exports, which a standby can serve. It is no part of
 * a Context, so no verb has it, and `test/frame` keeps its import to pages: a decision is made on the primary.
 */
import type { Database, DatabaseReader, StandbyReport } from './database.ts';

/** What was read, and how old it is. */
export interface Stale<T> {
  readonly value: T;
  /** Everything committed up to this time was seen, ISO 8601 UTC; `null`: at most a few seconds are missing. */
  readonly asOf: string | null;
}

export interface StaleReads {
  /**
   * Runs `work` on the standby. Runs it on the primary if there is no standby, or if it is away, too far behind
   * or has not reached `seen`. What fails on the standby runs again on the primary, so `work` must only read.
   * `seen`: what `place` returned after the reader's latest write; `null`: the reader wrote nothing.
   */
  read<T>(seen: string | null, work: (reader: DatabaseReader) => Promise<T>): Promise<Stale<T>>;
  /** The place in the log after every commit so far, a number as text; `null`: there is no standby. */
  place(): Promise<string | null>;
  /** `null`: there is no standby. */
  report(): Promise<StandbyReport | null>;
  close(): Promise<void>;
}

/** Where no standby is named, all is read from `db`. */
export const withoutStandby = (db: Database): StaleReads => ({
  read: async (_seen, work) => ({ value: await work(db), asOf: null }),
  place: async () => null,
  report: async () => null,
  close: async () => {},
});
