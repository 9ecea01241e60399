/**
 * The thread that owns a connection to the SQLite file, so that a flush to disk never blocks the HTTP thread.
 * It answers requests in the order they arrive.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { beginImmediate, durabilitySettings, openConnection } from './connection.ts';
import {
  SQLITE_IOERR,
  type SqliteQueryResult,
  type SqliteRequest,
  type SqliteResponse,
  type SqliteValue,
  type SqliteWorkerData,
} from './protocol.ts';

/** A batch program's module exports `open`; it prepares its statements once per connection. */
export type SqliteBatchOpener = (connection: DatabaseSync) => (batch: unknown) => unknown;

const STATEMENT_CACHE_SIZE = 200;

const data = workerData as SqliteWorkerData;
const port = parentPort!;

const openers = new Map<string, SqliteBatchOpener>();
for (const [name, address] of Object.entries(data.programs)) {
  const module = (await import(address)) as { open: SqliteBatchOpener };
  openers.set(name, module.open);
}

let connection: DatabaseSync;
const statements = new Map<string, StatementSync>();
const programs = new Map<string, (batch: unknown) => unknown>();

function open(): void {
  connection = openConnection(data.file, { readOnly: data.readOnly });
  statements.clear();
  programs.clear();
}

/** After an I/O error nothing the connection holds in memory is trusted: it is opened anew, its settings checked again. */
function reopen(): void {
  try {
    connection.close();
  } catch {
    // It is being thrown away.
  }
  open();
}

function prepared(sql: string): StatementSync {
  let statement = statements.get(sql);
  if (statement === undefined) {
    if (statements.size >= STATEMENT_CACHE_SIZE) statements.clear();
    statement = connection.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}

function query(sql: string, parameters: readonly SqliteValue[]): SqliteQueryResult {
  const statement = prepared(sql);
  if (statement.columns().length > 0) return { rows: statement.all(...parameters), changes: 0 };
  return { rows: [], changes: Number(statement.run(...parameters).changes) };
}

function runBatch(name: string, batch: unknown): unknown {
  let program = programs.get(name);
  if (program === undefined) {
    const opener = openers.get(name);
    if (opener === undefined) throw new Error(`unknown batch program ${name}`);
    // The schema may be made after the thread starts, so statements are prepared at the first batch.
    program = opener(connection);
    programs.set(name, program);
  }
  beginImmediate(connection);
  const result = program(batch);
  connection.exec('commit');
  return result;
}

function answer(request: SqliteRequest): unknown {
  switch (request.kind) {
    case 'query':
      return query(request.sql, request.parameters);
    case 'batch':
      return runBatch(request.program, request.batch);
    case 'begin':
      return beginImmediate(connection);
    case 'commit':
      return connection.exec('commit');
    case 'rollback':
      if (connection.isTransaction) connection.exec('rollback');
      return undefined;
    case 'check':
      beginImmediate(connection, 1_000);
      return connection.exec('rollback');
    case 'report':
      return durabilitySettings(connection);
    case 'close':
      return connection.close();
  }
}

const errcodeOf = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : null;

function respond(request: SqliteRequest): SqliteResponse {
  try {
    return { id: request.id, ok: true, result: answer(request) };
  } catch (error) {
    const errcode = errcodeOf(error);
    if (errcode !== null && (errcode & 0xff) === SQLITE_IOERR) reopen();
    else if (connection.isTransaction && request.kind !== 'query') connection.exec('rollback');
    return {
      id: request.id,
      ok: false,
      message: error instanceof Error ? error.message : String(error),
      errcode,
    };
  }
}

open();
port.on('message', (request: SqliteRequest) => {
  port.postMessage(respond(request));
  if (request.kind === 'close') port.close();
});
port.postMessage({ id: 0, ok: true, result: null } satisfies SqliteResponse);
