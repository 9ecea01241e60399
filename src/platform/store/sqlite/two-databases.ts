/** One connection with two databases: `main`, to be replaced, is only read; `restored` is a copy of the backup. */

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
   * Whether the history of the replaced database includes the backup. If not, the replaced database may be older than
   * the backup, so only redemptions, revocations, suspensions and deletions are carried over.
   */
  readonly isContinuation: boolean;
  readonly change: Change;
  count(query: string): number;
  lose(sentence: string): void;
}
