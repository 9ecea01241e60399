import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SqliteQueryResult, SqliteValue } from './worker-client.ts';

const CACHE_SIZE = 200;

/** Runs statements on a connection, and keeps them prepared. */
export function createStatements(connection: DatabaseSync) {
  const statements = new Map<string, { readonly statement: StatementSync; readonly returnsRows: boolean }>();
  const prepared = (sql: string) => {
    let entry = statements.get(sql);
    if (entry === undefined) {
      if (statements.size >= CACHE_SIZE) statements.clear();
      const statement = connection.prepare(sql);
      entry = { statement, returnsRows: statement.columns().length > 0 };
      statements.set(sql, entry);
    }
    return entry;
  };
  return (sql: string, parameters: readonly SqliteValue[]): SqliteQueryResult => {
    const { statement, returnsRows } = prepared(sql);
    if (returnsRows) return { rows: statement.all(...parameters), changes: 0, lastRow: 0 };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], changes: Number(changes), lastRow: Number(lastInsertRowid) };
  };
}
