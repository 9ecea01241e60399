/**
 * Moves an embedded database to PostgreSQL. At every moment, at most one of the two can be used:
 *
 * 1. The embedded database is locked, so nothing changes it until the end.
 * 2. One transaction on PostgreSQL creates the tables, copies all rows, and compares them with the originals.
 * 3. The embedded database is marked as moved. From now on, every program refuses it.
 * 4. The transaction is committed. From now on, the copy can be used.
 *
 * If the process ends between 3 and 4, neither can be used, and a second run finds out whether the commit took effect.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../process/failure.ts';
import { COMMAND_NAME } from '../../process/version.ts';
import { toIso } from '../../text/time-text.ts';
import { DatabaseUnusable } from '../database.ts';
import { DATABASE_FILE } from '../open.ts';
import { MOVED_FROM, SECRET_KEY_FINGERPRINTS } from '../settings.ts';
import { requireDatabase } from '../sqlite/database.ts';
import { lockExclusively } from '../sqlite/exclusive-lock.ts';
import { migrateSqlite } from '../sqlite/migrate.ts';
import { type Move, readMove, removeMove, writeMove } from '../sqlite/moved.ts';
import { differenceFromMigrations } from '../sqlite/schema-check.ts';
import { lockDataFolder } from '../sqlite/serving-lock.ts';
import { uuidv7 } from '../uuid.ts';
import { countRows, examineRows, linesOf } from './source.ts';
import { readTables, type Table } from './tables.ts';
import {
  checksumOf,
  continueNumbers,
  copyRows,
  createMonthsOf,
  createTables,
  dropTables,
  lockTables,
  onTarget,
  requireEmpty,
  type Target,
  verifyCopy,
} from './target.ts';
import { areEqual, createChecksum } from './values.ts';

export type MoveStep = 'examine' | 'copy' | 'verify';

export interface MoveOptions {
  readonly file: string;
  readonly url: string;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Throws unless one of the configured secret keys has one of these fingerprints. Called if there is any. */
  readonly checkSecretKeys: (fingerprints: readonly string[]) => void;
  /** Called often. `total`: rows of a step. */
  readonly onProgress: (step: MoveStep, rows: number, total: number) => void;
}

export interface MoveResult {
  /** URL without a password. */
  readonly location: string;
  readonly tables: number;
  readonly rows: number;
}

/** Returns `null` if an earlier run has moved everything. Throws `DatabaseUnusable` or `DatabaseUnavailable`. */
export async function moveToPostgres(options: MoveOptions): Promise<MoveResult | null> {
  using locked = lockForMove(options.file, () => migrateUnlessMoved(options));
  const { source } = locked;
  const previous = readMove(source);
  // Compared before the mark, which is no migration.
  if (previous === null) requireOwnSchema(source, options.file);
  const fingerprints = knownSecretKeys(source);
  if (fingerprints.length > 0) options.checkSecretKeys(fingerprints);
  const attempt: Attempt = { source, options, previous, move: null };
  try {
    return await onTarget(options.url, (target) => moveTo(target, attempt));
  } catch (error) {
    if (attempt.move === null) throw error;
    return await settle(attempt, attempt.move, error);
  }
}

interface Attempt {
  readonly source: DatabaseSync;
  readonly options: MoveOptions;
  /** The mark of an earlier run. */
  readonly previous: Move | null;
  /** Set before the commit is sent. */
  move: (Move & { readonly result: MoveResult }) | null;
}

async function moveTo(target: Target, attempt: Attempt): Promise<MoveResult | null> {
  const { source, options, previous } = attempt;
  if (previous !== null) {
    if (target.movedFrom === previous.id) {
      completeMove(source, previous);
      return null;
    }
    requireContinuable(previous, target);
  }
  await requireEmpty(target, source);
  const { client, identity, location } = target;
  await client.query('begin');
  if (target.hasTables) {
    await lockTables(client, source);
    // A server may have written since the first check.
    await requireEmpty(target, source);
    await dropTables(client, source);
  }
  // A session may commit without a flush by default. Replication settings stay as they are.
  await client.query(
    "select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'",
  );
  await createTables(client, options.now());
  const tables = await readTables(source, client);
  const rows = await copyAll(target, source, tables, options);
  const move: Move = {
    id: previous?.id ?? uuidv7(options),
    target: identity,
    location,
    at: toIso(options.now()),
    isComplete: false,
  };
  await client.query('insert into settings (name, value) values ($1, $2)', [MOVED_FROM, move.id]);
  // The first queries would otherwise be planned as if the tables were empty.
  await client.query(`analyze ${tables.map(({ name }) => name).join(', ')}`);
  writeMove(source, move);
  attempt.move = { ...move, result: { location, tables: tables.length, rows } };
  await client.query('commit');
  completeMove(source, move);
  return attempt.move.result;
}

async function copyAll(
  { client }: Target,
  source: DatabaseSync,
  tables: readonly Table[],
  { onProgress }: MoveOptions,
): Promise<number> {
  const total = countRows(source, tables);
  const counting = (step: MoveStep) => {
    let done = 0;
    return (rows = 1) => {
      done += rows;
      onProgress(step, done, total);
    };
  };
  const { tables: examined, problems } = examineRows(source, tables, counting('examine'));
  if (problems.length > 0) {
    throw new DatabaseUnusable(
      `PostgreSQL can't store everything that is in the embedded database, so nothing was copied. Correct these values, for example with the program sqlite3, and run the command again: ${problems.join('; ')}.`,
    );
  }
  await createMonthsOf(client, examined);
  const onCopied = counting('copy');
  for (const table of tables) {
    try {
      await copyRows(client, source, table, onCopied);
    } catch (error) {
      const { where } = error as { readonly where?: string };
      if (error instanceof Error && where !== undefined) error.message += ` (${where})`;
      throw error;
    }
  }
  await continueNumbers(client, tables);
  await verifyCopy(client, source, tables, examined, counting('verify'));
  return total;
}

/** An interrupted move may only be repeated into the same database: another one may have the committed copy. */
function requireContinuable({ isComplete, location, at, target }: Move, { identity }: Target): void {
  if (isComplete) {
    throw new DatabaseUnusable(
      `This embedded database was moved to ${location} at ${at}, and the database at DATABASE_URL does not have this copy. Nothing was changed. To move the data on from PostgreSQL, use pg_dump.`,
    );
  }
  if (target !== identity) {
    throw new DatabaseUnusable(
      `A move of this embedded database to ${location} was interrupted at ${at}, and may be complete there. Set DATABASE_URL to this database, and run the command again.`,
    );
  }
}

/**
 * After a failure of the commit or of the connection: finds out whether the commit took effect. The lock of migrations
 * ensures that the session of the first attempt has ended.
 */
async function settle(
  { source, options }: Attempt,
  { result, ...move }: NonNullable<Attempt['move']>,
  failure: unknown,
): Promise<MoveResult> {
  let isCommitted: boolean;
  try {
    isCommitted = await onTarget(options.url, async ({ movedFrom, identity }) => {
      if (movedFrom === move.id) return true;
      if (identity !== move.target) throw new Error('another server responded');
      return false;
    });
  } catch (error) {
    throw new DatabaseUnusable(
      `The connection to PostgreSQL failed during the commit (${messageOf(failure)}), and whether the copy is complete could not be determined: ${messageOf(error)}. Until then, neither database can be used: run the command again.`,
      { cause: failure },
    );
  }
  if (!isCommitted) {
    removeMove(source);
    throw failure;
  }
  completeMove(source, move);
  return result;
}

const completeMove = (source: DatabaseSync, move: Move): unknown =>
  writeMove(source, { ...move, isComplete: true });

export interface UndoOptions extends Pick<MoveOptions, 'file' | 'url'> {}

/**
 * Makes a moved database usable again, and drops the copy. Throws `DatabaseUnusable` if a claim of the copy has changed,
 * or if it isn't there. Returns how many events the copy had in addition.
 */
export async function undoMove({ file, url }: UndoOptions): Promise<{ readonly lostEvents: number }> {
  using locked = lockForMove(file);
  const { source } = locked;
  const move = readMove(source);
  if (move === null) throw new DatabaseUnusable(`${file} was not moved; it can be used as it is.`);
  const lostEvents = await onTarget(url, async (target) => {
    if (target.movedFrom !== move.id) {
      requireContinuable(move, target);
      return 0;
    }
    return await dropCopy(target, source, move);
  });
  removeMove(source);
  return { lostEvents };
}

async function dropCopy(target: Target, source: DatabaseSync, move: Move): Promise<number> {
  const { client, location } = target;
  await client.query('begin');
  await lockTables(client, source);
  const claims = (await readTables(source, client)).find(({ name }) => name === 'claim_rows')!;
  const expected = createChecksum();
  for (const line of linesOf(source, claims)) expected.add(line);
  if (!areEqual(await checksumOf(client, claims, 1, () => {}), expected.result())) {
    throw new DatabaseUnusable(
      `Claims have been created, changed or redeemed at ${location} since the move, so going back would lose them and let tokens be redeemed twice. Nothing was changed.`,
    );
  }
  const { rows } = await client.query('select count(*) as events from event_rows where seq > $1', [
    Number(source.prepare('select max(seq) as seq from event_rows').get()!['seq'] ?? 0),
  ]);
  await dropTables(client, source);
  // If this process ends here, a second run finds no copy, and removes the mark.
  writeMove(source, { ...move, target: target.identity, isComplete: false });
  await client.query('commit');
  return Number(rows[0].events);
}

interface LockedSource extends Disposable {
  readonly source: DatabaseSync;
}

/** Locks the file, and the data folder if a server would use this file there. `prepare` runs between the two. */
function lockForMove(file: string, prepare: () => void = () => {}): LockedSource {
  requireDatabase(file);
  const path = realpathSync(file);
  const unlockFolder = basename(path) === DATABASE_FILE ? lockDataFolder(dirname(path)) : () => {};
  try {
    prepare();
    const source = lockExclusively(path);
    if (source === null) throw new DatabaseUnusable(`${file} is damaged: run ${COMMAND_NAME} doctor --full.`);
    // With `full`, a power failure could bring back the journal of the mark, and so remove the mark.
    source.exec('pragma synchronous = extra; pragma fullfsync = on; pragma trusted_schema = off');
    return {
      source,
      [Symbol.dispose]() {
        source.close();
        unlockFolder();
      },
    };
  } catch (error) {
    unlockFolder();
    throw error;
  }
}

function migrateUnlessMoved({ file, now }: MoveOptions): void {
  const isMoved = (() => {
    using connection = new DatabaseSync(file, { readOnly: true });
    return readMove(connection) !== null;
  })();
  if (!isMoved) migrateSqlite(realpathSync(file), now);
}

function requireOwnSchema(source: DatabaseSync, file: string): void {
  const difference = differenceFromMigrations(source);
  if (difference === null) return;
  throw new DatabaseUnusable(`${file} is not moved: it ${difference}. Nothing was changed.`);
}

function knownSecretKeys(source: DatabaseSync): readonly string[] {
  const row = source.prepare('select value from settings where name = ?').get(SECRET_KEY_FINGERPRINTS);
  return row === undefined ? [] : String(row['value']).split(' ');
}
