/** Thread that owns a connection to the SQLite file, so that flushes never block the HTTP thread. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../process/failure.ts';
import { DatabaseUnusable, monotonicMs } from '../database.ts';
import {
  beginImmediate,
  checkpoint,
  dataVersion,
  durabilitySettings,
  openConnection,
  tuneForLongWork,
  tuneForShortCommits,
} from './connection.ts';
import { isDamaged, primaryCode, SQLITE } from './errors.ts';
import { type FileIdentity, identityOf, requireInPlace, watchFolder } from './files.ts';
import { createStatements } from './statements.ts';
import type {
  BatchRequest,
  OtherRequest,
  SqliteMessage,
  SqliteQueryResult,
  SqliteResponse,
  SqliteValue,
  SqliteWorkerData,
} from './worker-client.ts';

/** Prepares the statements of a batch program for a connection. Returns the program. */
type PrepareProgram = (connection: DatabaseSync) => (batch: unknown) => unknown;

const CHECK_LOCK_DEADLINE_MS = 1_000;
/** Free space at which a full disk counts as writable again: enough for dozens of batches. */
const MIN_FREE_BYTES = 4 * 1024 * 1024;
/** Another process counts as a writer for this long after its last write. */
const OTHER_WRITER_MS = 5_000;
/** Maximum number of batches per transaction, so that a transaction takes only a few milliseconds. */
const BATCHES_PER_TRANSACTION = 8;

const data = workerData as SqliteWorkerData;
const port = parentPort!;

let connection: DatabaseSync;
let runStatement: ReturnType<typeof createStatements>;
let isOpen = false;
/** In the reader thread: a second connection, used only for checkpoints and opened at the first checkpoint. */
let checkpointing: DatabaseSync | null = null;
/** Whether a write has failed on a full or failing disk since the last successful `checkWritable`. */
let couldNotWrite = false;
/** Identities of the database file and of the WAL. If either file is moved, writes are lost at the next restart. */
let database: FileIdentity | null = null;
let log: FileIdentity | null = null;
const folderChanged = watchFolder(dirname(data.file));
/** Whether the database file or the WAL had been moved at the last check. */
let isMoved = false;
/** Data version at the last check, and time of the last write by another connection; `null` before the first check. */
let otherWrites: { version: number; atMs: number } | null = null;
let prepareProgram: PrepareProgram | null = null;
/** The program on this connection; `null` until the first batch. */
let program: ReturnType<PrepareProgram> | null = null;

function open(): void {
  if (database !== null) requireInPlace(data.file, database);
  connection = openConnection(data.file, data);
  database ??= identityOf(data.file);
  log = identityOf(`${data.file}-wal`);
  runStatement = createStatements(connection);
  program = null;
  otherWrites = null;
  isOpen = true;
}

/** Their memory can't be trusted after an I/O error. The next request opens new ones. */
function dropConnection(): void {
  isOpen = false;
  for (const discarded of [checkpointing, connection]) {
    try {
      discarded?.close();
    } catch {
      // The connection is discarded anyway.
    }
  }
  checkpointing = null;
}

function writeLogBack(): void {
  if (checkpointing === null) {
    requireFilesInPlace();
    checkpointing = openConnection(data.file, { readOnly: false });
  }
  checkpoint(checkpointing);
}

function requireFilesInPlace(): void {
  const wasMoved = isMoved;
  isMoved = true;
  if (database !== null) requireInPlace(data.file, database);
  if (log !== null && (folderChanged() || wasMoved)) requireInPlace(`${data.file}-wal`, log);
  isMoved = false;
}

function makeReady(): void {
  if (!isOpen) open();
  if (isMoved) requireFilesInPlace();
}

/**
 * On the writing connection, throws outside a transaction. Some errors make SQLite roll back early, and the following
 * statements must not be committed without the earlier ones.
 */
function query(sql: string, parameters: readonly SqliteValue[]): SqliteQueryResult {
  if (!data.readOnly && !connection.isTransaction) throw new Error('The transaction has already ended.');
  return runStatement(sql, parameters);
}

/** Whether a batch has run on this connection. If so, the connection stays tuned for short commits. */
const serves = (): boolean => program !== null;

function preparedProgram(): ReturnType<PrepareProgram> {
  if (prepareProgram === null) throw new Error('This thread has no batch program.');
  program ??= prepareProgram(connection);
  return program;
}

/** Throws if the files were moved, because the committed transaction may be missing after a restart. */
function commit(): void {
  connection.exec('commit');
  requireFilesInPlace();
}

function runBatches(batches: readonly BatchRequest[]): unknown[] {
  if (!serves()) tuneForShortCommits(connection);
  beginImmediate(connection, Math.max(...batches.map(({ deadlineMs }) => deadlineMs)) - monotonicMs());
  const run = preparedProgram();
  const results = batches.map(({ batch }) => run(batch));
  commit();
  return results;
}

function hasOtherWriters(): boolean {
  const version = dataVersion(connection);
  if (otherWrites === null) otherWrites = { version, atMs: Number.NEGATIVE_INFINITY };
  else if (otherWrites.version !== version) otherWrites = { version, atMs: performance.now() };
  const present = performance.now() - otherWrites.atMs < (data.otherWriterMs ?? OTHER_WRITER_MS);
  if (!serves()) tuneForLongWork(connection, { alone: !present });
  return present;
}

/**
 * Takes the write lock. After a write has failed on a full or failing disk, also rewrites a page and requires free
 * space: a disk with space for a page may be too full for a transaction.
 */
function checkWritable(): void {
  requireFilesInPlace();
  beginImmediate(connection, CHECK_LOCK_DEADLINE_MS);
  if (!couldNotWrite) {
    connection.exec('rollback');
    return;
  }
  const version = connection.prepare('pragma user_version').get()?.['user_version'];
  connection.exec(`pragma user_version = ${Number(version)}`);
  connection.exec('commit');
  const { bavail, bsize } = statfsSync(dirname(data.file));
  if (bavail * bsize < MIN_FREE_BYTES) throw new Error(`The disk has only ${bavail * bsize} bytes free.`);
  couldNotWrite = false;
}

const ACTIONS: Readonly<Record<Exclude<OtherRequest['kind'], 'query'>, () => unknown>> = {
  begin: () => beginImmediate(connection),
  commit,
  rollback: () => isOpen && connection.isTransaction && connection.exec('rollback'),
  'other-writers': hasOtherWriters,
  check: checkWritable,
  checkpoint: writeLogBack,
  report: () => durabilitySettings(connection),
  // If the WAL was moved away, only the open connection can still reach it.
  reopen: () => (isMoved ? undefined : dropConnection()),
  close: dropConnection,
};

/** Prepares the connection for the next request. Returns the error to respond with. */
function recover(error: unknown, insideTransaction: boolean): { message: string; errcode: number | null } {
  const errcode = error instanceof DatabaseUnusable ? SQLITE.CANTOPEN : primaryCode(error);
  if (errcode === SQLITE.IOERR || errcode === SQLITE.FULL) couldNotWrite = true;
  if (errcode === SQLITE.IOERR || isDamaged(error)) dropConnection();
  else if (isOpen && connection.isTransaction && !insideTransaction) connection.exec('rollback');
  return { message: messageOf(error), errcode };
}

/** Requests that run even if the database cannot be opened, because they only end a transaction or a connection. */
const ENDS: ReadonlySet<OtherRequest['kind']> = new Set(['rollback', 'reopen', 'close']);

function respond(request: OtherRequest): SqliteResponse {
  try {
    if (!ENDS.has(request.kind)) makeReady();
    const result =
      request.kind === 'query' ? query(request.sql, request.parameters) : ACTIONS[request.kind]();
    return { id: request.id, ok: true, result };
  } catch (error) {
    return { id: request.id, ok: false, ...recover(error, request.kind === 'query') };
  }
}

const LATE = { message: 'Deadline exceeded.', errcode: SQLITE.BUSY };

function respondToBatches(batches: readonly BatchRequest[]): SqliteResponse[] {
  const at = monotonicMs();
  const late = batches.filter(({ deadlineMs }) => deadlineMs <= at);
  const due = batches.filter(({ deadlineMs }) => deadlineMs > at);
  const refusals = late.map(({ id }) => ({ id, ok: false as const, ...LATE }));
  if (due.length === 0) return refusals;
  try {
    makeReady();
    const results = runBatches(due);
    return [...refusals, ...due.map(({ id }, index) => ({ id, ok: true as const, result: results[index] }))];
  } catch (error) {
    const failure = recover(error, false);
    return [...refusals, ...due.map(({ id }) => ({ id, ok: false as const, ...failure }))];
  }
}

const isBatch = (message: SqliteMessage): message is BatchRequest => !Array.isArray(message);

/** Batches that arrived after `first` share its transaction. `next`: a received message of another kind. */
function takeBatches(first: BatchRequest): { batches: BatchRequest[]; next: SqliteMessage | null } {
  const batches = [first];
  while (batches.length < BATCHES_PER_TRANSACTION) {
    const received = receiveMessageOnPort(port) as { message: SqliteMessage } | undefined;
    if (received === undefined) break;
    if (!isBatch(received.message)) return { batches, next: received.message };
    batches.push(received.message);
  }
  return { batches, next: null };
}

function handle(message: SqliteMessage): void {
  if (isBatch(message)) {
    const { batches, next } = takeBatches(message);
    port.postMessage(respondToBatches(batches));
    if (next !== null) handle(next);
    return;
  }
  port.postMessage(message.map(respond));
  if (message.some(({ kind }) => kind === 'close')) port.close();
}

/** Answers the messages of `startWorker`; called once. `prepare`: the program for batches, or `null`. */
export function serveFile(prepare: PrepareProgram | null): void {
  prepareProgram = prepare;
  open();
  port.on('message', handle);
  port.postMessage([{ id: 0, ok: true, result: null }] satisfies SqliteResponse[]);
}
