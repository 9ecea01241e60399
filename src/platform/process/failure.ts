import { constants } from 'node:os';
import { COMMAND_NAME } from './version.ts';

/** Messages for system errors that a person can resolve. */
const SYSTEM_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EISDIR: 'Expected a file, but found a folder',
  EMFILE: 'Too many files are open',
  ENOENT: 'No such file or folder',
  ENOSPC: 'The disk is full',
  ENOTDIR: 'Part of the path is not a folder',
  EPERM: 'The system does not permit this operation',
  EROFS: 'The file system is read-only',
};

const NO_SPACE = 'The disk is full; free some space, then try again';

/** Messages for SQLite errors, by result code, or by primary result code: its low byte (sqlite.org/rescode.html). */
const SQLITE_FAULTS: Readonly<Record<number, string>> = {
  5: 'Another process has kept the database locked; try again',
  8: 'The database is read-only: this user cannot write to the database file or its folder',
  10: 'The disk failed to read or write the database',
  11: `The database file is damaged; replace it with a backup: ${COMMAND_NAME} restore FILE`,
  13: NO_SPACE,
  14: 'The database file cannot be opened: this user needs permission to read and write the file and its folder',
  26: `The database file is not a database; replace it with a backup: ${COMMAND_NAME} restore FILE`,
  // SQLITE_IOERR_SHMSIZE: SQLite can't extend its shared-memory file, which reads need too.
  4874: NO_SPACE,
};

/** A message for the person who runs the command. Never empty, but may lack a final period. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Something went wrong: ${String(error)}`;
  const fault = error as NodeJS.ErrnoException;
  const words = fault.syscall === undefined ? undefined : SYSTEM_FAULTS[fault.code ?? ''];
  if (words !== undefined) return fault.path === undefined ? words : `${words}: ${fault.path}`;
  if ('errcode' in error && typeof error.errcode === 'number') {
    const sentence = SQLITE_FAULTS[error.errcode] ?? SQLITE_FAULTS[error.errcode & 0xff];
    if (sentence !== undefined) return sentence;
  }
  return error.message || `Something went wrong: ${error.name}`;
}

/** Node throws an `AggregateError` without a message if it can't connect to a host with several IP addresses. */
export function messageOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  return first instanceof Error ? first.message : String(first);
}

export const FAILURE_EXIT_CODE = 1;
export const USAGE_EXIT_CODE = 2;
/** If a signal kills a process, shells report 128 plus the signal number as the exit code. */
const SIGNAL_EXIT_BASE = 128;

export const signalExitCode = (name: NodeJS.Signals): number => SIGNAL_EXIT_BASE + constants.signals[name];
