/**
 * A restore has two databases on one connection: `main` is the one to replace, which is only read; `restored` is the
 * copy of the backup that replaces it.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Iso } from '../../text/time-text.ts';

export type Change = (statement: string, ...values: SQLInputValue[]) => number;

export const changesOn =
  (connection: DatabaseSync): Change =>
  (statement, ...values) =>
    Number(connection.prepare(statement).run(...values).changes);

export interface Databases {
  readonly connection: DatabaseSync;
  readonly at: Iso;
  /**
   * Whether the replaced database contains the history of the backup. If not, it may be the older of the two, so only
   * redemptions, revocations, suspensions and deletions are taken from it: these are safe to take in any case.
   */
  readonly isContinuation: boolean;
  readonly change: Change;
  count(query: string): number;
  lose(sentence: string): void;
}
