import { existsSync, linkSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { flush } from '../../process/files.ts';
import { toIso } from '../../text/time-text.ts';
import { DatabaseUnusable } from '../database.ts';
import { latestVersion, refuseNewerSchema } from '../migrations/migrations.ts';
import { WAITING_LISTS_RESTORED_AT } from '../settings.ts';
import { ACCESS_TABLES, type EndedAccess } from '../tables/accounts.ts';
import { checkBackup, writeBackup } from './backup.ts';
import { type CarryOver, carryOver } from './carry-over.ts';
import { isDamaged, primaryCode, SQLITE } from './errors.ts';
import { inUse, lockExclusively } from './exclusive-lock.ts';
import { INCOMING, isDatabaseThere, LOG_SUFFIXES, removeIncoming, stampOf } from './files.ts';
import { migrateSqlite, schemaState } from './migrate.ts';
import { differenceFromMigrations, STATISTICS } from './schema-check.ts';
import { DataFolderTaken, lockDataFolder } from './serving-lock.ts';
import { changesOn } from './two-databases.ts';

interface RestoreResult extends Omit<CarryOver, 'hasCurrentWaitingLists'> {
  /** Path of the old database, or of its log if only the log existed. `null` if there was neither. */
  readonly keptAside: string | null;
  readonly ended: EndedAccess;
  /** Pending mails put on hold, because some may have been sent since the backup. Operators can release them. */
  readonly heldMails: number;
  /** Available codes withheld, because some may have been given out since. Operators can release them. */
  readonly withheldCodes: number;
}

/**
 * Atomically replaces `file` with `backup`, with what must not be lost since. Throws `DatabaseUnusable` if the backup
 * is damaged or newer, if its schema differs, or if another process uses the database.
 */
export function restoreBackup(backup: string, file: string, now: () => number): RestoreResult {
  // First, because the checks of a large backup take minutes.
  const unlockFolder = lockFolderOf(file);
  try {
    return restoreInFolder(backup, file, now);
  } finally {
    unlockFolder();
  }
}

function lockFolderOf(file: string): () => void {
  try {
    return lockDataFolder(dirname(file));
  } catch (error) {
    throw error instanceof DataFolderTaken ? inUse(file) : error;
  }
}

function restoreInFolder(backup: string, file: string, now: () => number): RestoreResult {
  removeIncoming(file);
  checkBackup(backup, (connection) => requireKnownSchema(connection, backup));
  if (existsSync(file) && realpathSync(file) === realpathSync(backup)) {
    throw new DatabaseUnusable(`${backup} is the database itself; name the backup to restore.`);
  }
  const incoming = `${file}${INCOMING}${process.pid}`;
  // Checks the copy too, because the backup may have been replaced after the first check.
  writeBackup(backup, incoming, (copy) => {
    using connection = new DatabaseSync(copy, { readOnly: true });
    requireKnownSchema(connection, backup);
  });
  try {
    migrateCopy(incoming, now);
    const at = toIso(now());
    using replaced = isDatabaseThere(file) ? lockExclusively(file) : null;
    const outcome = takeOver(replaced, incoming, at);
    const aside = `${file}.before-restore-${stampOf(at)}`;
    return { ...outcome, keptAside: putAside(file, aside, () => renameSync(incoming, file)) };
  } finally {
    rmSync(incoming, { force: true });
  }
}

function migrateCopy(incoming: string, now: () => number): void {
  if (versionOf(incoming) === latestVersion()) return;
  const { backup } = migrateSqlite(incoming, now);
  if (backup !== null) rmSync(backup);
}

/** `replaced`: `null` if the replaced database is missing or unreadable. */
function takeOver(
  replaced: DatabaseSync | null,
  incoming: string,
  at: string,
): Omit<RestoreResult, 'keptAside'> {
  const connection = replaced ?? new DatabaseSync(':memory:');
  connection.exec('pragma temp_store = memory; pragma trusted_schema = off');
  connection.prepare('attach ? as restored').run(incoming);
  connection.exec('pragma restored.synchronous = full; begin');
  try {
    const { hasCurrentWaitingLists, ...carried } =
      replaced === null ? nothingCarried(NOTHING_READ) : carryFrom(replaced, at);
    const change = changesOn(connection);
    // Statistics in a file that somebody changed could make queries slow.
    for (const { name } of STATISTICS) connection.exec(`drop table if exists restored.${name}`);
    const ended = ACCESS_TABLES.map((table) => [table, change(`delete from restored.${table}`)]);
    const heldMails = change(
      'update restored.mails set held_at = ? where next_at is not null and held_at is null',
      at,
    );
    const withheldCodes = change(
      'update restored.offer_codes set withheld_at = ? where claim_id is null and withheld_at is null',
      at,
    );
    change('update restored.offer_claims set codes_left = 0 where codes_left <> 0');
    if (!hasCurrentWaitingLists) {
      change(
        'insert into restored.settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        WAITING_LISTS_RESTORED_AT,
        at,
      );
    }
    connection.exec('commit');
    return { ...carried, withheldCodes, ended: Object.fromEntries(ended) as EndedAccess, heldMails };
  } finally {
    if (connection.isTransaction) connection.exec('rollback');
    if (replaced === null) connection.close();
    else connection.exec('detach restored');
  }
}

const nothingCarried = (sentence: string): CarryOver => ({
  carriedOver: {},
  transfers: [],
  hasCurrentWaitingLists: false,
  lost: [sentence],
});

const NOTHING_READ =
  'There was no readable database to replace, so nothing was carried over. Changes since the backup are lost: keys revoked since then work again, accounts and listings suspended since then are no longer suspended, password changes made since then are undone, and claims redeemed since then count as not redeemed.';

function carryFrom(replaced: DatabaseSync, at: string): CarryOver {
  try {
    const { version, compatibleWith } = schemaState(replaced);
    // A newer release may have migrated the database, and the operator goes back to this one.
    if (version >= latestVersion() && compatibleWith <= latestVersion()) return carryOver(replaced, at);
    const lost = `Nothing was carried over: the replaced database has schema version ${version}, but this Claimcheck needs ${latestVersion()}.`;
    return nothingCarried(lost);
  } catch (error) {
    // A disk read error ends the transaction; a damaged page does not.
    if (!isDamaged(error) && primaryCode(error) !== SQLITE.IOERR) throw error;
    if (!replaced.isTransaction) replaced.exec('begin');
    return nothingCarried(NOTHING_READ);
  }
}

/** Keeps the database and its logs under the name `aside`. Returns the first file kept, or `null`. */
function putAside(file: string, aside: string, replace: () => void): string | null {
  const asides: string[] = [];
  if (existsSync(file)) {
    linkSync(file, aside);
    asides.push(aside);
  }
  for (const suffix of LOG_SUFFIXES) {
    if (!existsSync(file + suffix)) continue;
    renameSync(file + suffix, aside + suffix);
    asides.push(aside + suffix);
  }
  // Flush first: a file system may persist the renames in any order, and an old log could corrupt the new database.
  flush(dirname(file));
  replace();
  flush(dirname(file));
  return asides[0] ?? null;
}

/** `backup`: the name for messages. */
function requireKnownSchema(connection: DatabaseSync, backup: string): void {
  refuseNewerSchema(schemaState(connection));
  const difference = differenceFromMigrations(connection);
  if (difference === null) return;
  throw new DatabaseUnusable(`${backup} is not restored: it ${difference}. Nothing was replaced.`);
}

function versionOf(file: string): number {
  using connection = new DatabaseSync(file, { readOnly: true });
  return schemaState(connection).version;
}
