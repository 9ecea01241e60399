/**
 * The two databases of a restore on one connection: `main` is the replaced one, which is only read; `restored` is the
 * copy of the backup that replaces it.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Iso } from '../../text/time-text.ts';

export interface Databases {
  readonly connection: DatabaseSync;
  readonly at: Iso;
  /**
   * Whether the replaced database continues the backup. If not, it may be older, so only revocations, suspensions and
   * redemptions are taken from it, which is safe in both directions.
   */
  readonly isContinuation: boolean;
  /** Reports a loss, as a sentence. */
  lose(sentence: string): void;
}

export const one = (connection: DatabaseSync, statement: string, ...values: SQLInputValue[]) =>
  connection.prepare(statement).get(...values);

/** Returns the number of changed rows. */
export const change = (
  { connection }: Pick<Databases, 'connection'>,
  statement: string,
  ...values: SQLInputValue[]
): number => Number(connection.prepare(statement).run(...values).changes);

export const countOf = ({ connection }: Databases, statement: string): number =>
  Number(one(connection, statement)?.['count']);
