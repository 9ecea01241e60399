/**
 * Two databases on one connection during a restore: the schema `main` is the replaced database, which is only read;
 * `restored` is the copy of the backup that takes its place.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Iso } from '../../text/time-text.ts';

export interface Databases {
  readonly connection: DatabaseSync;
  readonly at: Iso;
  /**
   * Whether the replaced database is a continuation of the backup. If not, it may be older, so only what is safe in
   * both directions is taken from it: revocations, suspensions and redemptions.
   */
  readonly isContinuation: boolean;
  /** Adds a sentence to the report of what the restore loses. */
  lose(sentence: string): void;
}

export const one = (connection: DatabaseSync, statement: string, ...values: SQLInputValue[]) =>
  connection.prepare(statement).get(...values);

/** Runs the statement and returns how many rows it changed. */
export const change = ({ connection }: Databases, statement: string, ...values: SQLInputValue[]): number =>
  Number(connection.prepare(statement).run(...values).changes);

export const countOf = ({ connection }: Databases, statement: string): number =>
  Number(one(connection, statement)?.['count']);
