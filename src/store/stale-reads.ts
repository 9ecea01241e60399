/**
 * The port to reads that may be some seconds old: lists, counts and exports, which a standby can serve. It is no part of
 * a Context, so no verb has it, and `test/frame` keeps its import to pages: a decision is made on the primary.
 */
import type { Database, DatabaseReader, StandbyReport } from './database.ts';

/** What was read, and how old it is. */
export interface Stale<T> {
  readonly value: T;
  /** All that was committed until then was seen, ISO 8601 UTC; `null`: no more than a few seconds are missing. */
  readonly asOf: string | null;
}

export interface StaleReads {
  /**
   * Runs `work` on the standby, or on the primary where there is none, where it is away or too far behind, and where it
   * lacks `seen`. What fails on the standby runs again on the primary, so `work` only reads.
   * `seen`: the place in the log behind what the reader has just written, from `place`; `null`: nothing.
   */
  read<T>(seen: string | null, work: (reader: DatabaseReader) => Promise<T>): Promise<Stale<T>>;
  /** The place in the log behind every commit so far, a number as text; `null`: there is no standby. */
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
