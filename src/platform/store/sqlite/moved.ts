/**
 * The mark of a database whose data was moved to PostgreSQL. It is a migration that no program has, so that programs of
 * every version refuse the file, also a server that its supervisor starts again.
 */
import type { DatabaseSync } from 'node:sqlite';
import { COMMAND_NAME } from '../../process/version.ts';
import type { Iso } from '../../text/time-text.ts';
import { DatabaseUnusable } from '../database.ts';

const MARK_VERSION = 1_000_000_000;

export interface Move {
  /** Also in the table `settings` of the copy. */
  readonly id: string;
  /** Where the copy is: the cluster's system identifier and the name of the database. */
  readonly target: string;
  /** URL without a password. */
  readonly location: string;
  readonly at: Iso;
  /** `false`: the copy may not have been committed. */
  readonly isComplete: boolean;
}

/** The name could also belong to a view of a hostile file, which must not be read. */
export const hasMigrationsTable = (connection: DatabaseSync): boolean =>
  connection
    .prepare(
      "select 1 from sqlite_schema where name = 'schema_migrations' and type = 'table' and sql like 'create table %'",
    )
    .get() !== undefined;

export function readMove(connection: DatabaseSync): Move | null {
  if (!hasMigrationsTable(connection)) return null;
  const row = connection.prepare('select name from schema_migrations where version = ?').get(MARK_VERSION);
  return row === undefined ? null : (JSON.parse(String(row['name'])) as Move);
}

/** Durable when it returns, if the connection's commits are. */
export const writeMove = (connection: DatabaseSync, move: Move): unknown =>
  connection
    .prepare(
      'insert or replace into schema_migrations (version, name, compatible_with, applied_at) values (?, ?, ?, ?)',
    )
    .run(MARK_VERSION, JSON.stringify(move), MARK_VERSION, move.at);

export const removeMove = (connection: DatabaseSync): unknown =>
  connection.prepare('delete from schema_migrations where version = ?').run(MARK_VERSION);

/** Throws `DatabaseUnusable` if the data was moved. */
export function refuseMoved(connection: DatabaseSync): void {
  const move = readMove(connection);
  if (move === null) return;
  const { location, at, isComplete } = move;
  throw new DatabaseUnusable(
    isComplete
      ? `This embedded database was moved to PostgreSQL at ${at}: set DATABASE_URL to ${location}. To go back, stop the service and run ${COMMAND_NAME} migrate --undo-move, which works as long as no claim has been created or redeemed there.`
      : `A move of this embedded database to PostgreSQL at ${location} was interrupted at ${at}. With DATABASE_URL set to this database, run ${COMMAND_NAME} migrate --from-embedded again to complete the move, or ${COMMAND_NAME} migrate --undo-move to go back.`,
  );
}
