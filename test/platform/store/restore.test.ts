/** A power cut during `restore`, on a file system that may persist directory operations in any order. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { MIGRATIONS } from '../../../src/platform/store/migrations/migrations.ts';
import { WAITING_LISTS_RESTORED_AT } from '../../../src/platform/store/settings.ts';
import { applyMigrations } from '../../../src/platform/store/sqlite/migrate.ts';
import { restoreBackup } from '../../../src/platform/store/sqlite/restore.ts';
import { type DirectoryLog, type FolderState, recordDirectory } from '../../support/directory-log.ts';

/** The folder under test, the log of its changes, and the open descriptors of the folder. */
const recorded = vi.hoisted(() => ({
  log: null as DirectoryLog | null,
  folder: '',
  descriptors: new Set<number>(),
}));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const step =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R =>
      recorded.log === null ? call(...args) : recorded.log.step(() => call(...args));
  return {
    ...real,
    renameSync: step(real.renameSync),
    linkSync: step(real.linkSync),
    rmSync: step(real.rmSync),
    openSync: (...args: Parameters<typeof real.openSync>) => {
      const descriptor = real.openSync(...args);
      if (args[0] === recorded.folder) recorded.descriptors.add(descriptor);
      else recorded.descriptors.delete(descriptor);
      return descriptor;
    },
    fsyncSync: (descriptor: number) => {
      real.fsyncSync(descriptor);
      if (recorded.descriptors.has(descriptor)) recorded.log?.flushed();
    },
  };
});

const NAME = 'claimcheck.db';
const ROWS = 90;
const NOW_MS = Date.UTC(2026, 10, 20);

const folders: string[] = [];
afterEach(() => {
  recorded.log = null;
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'claimcheck-restore-'));
  folders.push(folder);
  return folder;
}

/** Creates a WAL database whose rows all contain `mark`. The caller closes the connection. */
function makeDatabase(file: string, mark: string): DatabaseSync {
  const connection = new DatabaseSync(file);
  connection.exec('pragma journal_mode = wal; pragma synchronous = off; begin');
  applyMigrations(connection, MIGRATIONS, '2026-11-20T00:00:00.000Z');
  const insert = connection.prepare('insert into settings (name, value) values (?, ?)');
  for (let row = 1; row <= ROWS; row += 1)
    insert.run(`${row} ${mark}`.padStart(200), `${mark} ${'x'.repeat(200)}`);
  connection.exec('commit');
  return connection;
}

/** Creates the files that a killed process leaves: changes to the last third of the rows are only in the WAL. */
function makeKilled(folder: string, mark: string): void {
  const home = newFolder();
  const connection = makeDatabase(join(home, NAME), mark);
  connection.exec(
    `pragma wal_checkpoint; update settings set value = value || ' changed' where rowid > ${(ROWS * 2) / 3}`,
  );
  for (const suffix of ['', '-wal', '-shm']) {
    fs.copyFileSync(join(home, NAME + suffix), join(folder, NAME + suffix));
  }
  connection.close();
}

function makeBackup(): string {
  const file = join(newFolder(), 'backup.db');
  makeDatabase(file, 'new').close();
  return file;
}

/** Restores a backup into `folder` and records the directory operations. */
function restoreRecorded(folder: string): DirectoryLog {
  const log = recordDirectory(folder);
  Object.assign(recorded, { log, folder });
  restoreBackup(makeBackup(), join(folder, NAME), () => NOW_MS);
  log.observe();
  recorded.log = null;
  return log;
}

/** Describes the database in a folder state: its rows, `none` if it is missing, or the error if it is damaged. */
function foundIn(state: FolderState): string {
  const content = state.get(NAME);
  if (content === undefined) return 'none';
  const folder = newFolder();
  for (const [name, bytes] of state) fs.writeFileSync(join(folder, name), bytes);
  const connection = new DatabaseSync(join(folder, NAME));
  try {
    const verdict = String(connection.prepare('pragma integrity_check').get()?.['integrity_check']);
    if (verdict !== 'ok') return verdict;
    const rows = connection
      .prepare(
        'select value as mark, count(*) as n from settings where name <> ? group by value order by value',
      )
      .all(WAITING_LISTS_RESTORED_AT);
    return rows.map(({ mark, n }) => `${n} ${String(mark).replace(/ x+/, '')}`).join(', ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    connection.close();
  }
}

const foundInAll = (states: readonly FolderState[]): string[] => [...new Set(states.map(foundIn))].sort();

const OLD = '60 old, 30 old changed';
const NEW = '90 new';

describe('a power cut during a restore', () => {
  test('leaves the complete old or new database if the replaced database has changes in its WAL', () => {
    const folder = newFolder();
    makeKilled(folder, 'old');
    const log = restoreRecorded(folder);
    expect(foundInAll(log.states())).toEqual([OLD, NEW]);
    // Control: without the flush before the last rename, the old WAL could be applied to the new database.
    const states = foundInAll(log.states([log.flushes() - 2]));
    expect(states.filter((found) => found !== OLD && found !== NEW)).not.toEqual([]);
  });

  test('leaves the complete new database once its file is in place, if the old database cannot be opened', () => {
    const folder = newFolder();
    makeKilled(folder, 'old');
    fs.writeFileSync(join(folder, NAME), Buffer.alloc(8_192, 0xaa));
    const log = restoreRecorded(folder);
    const isNew = (state: FolderState) => state.get(NAME)?.includes('new xxx') === true;
    expect(foundInAll(log.states().filter(isNew))).toEqual([NEW]);
    expect(foundInAll(log.states([log.flushes() - 2]).filter(isNew))).not.toEqual([NEW]);
  });

  test('leaves no database or the complete new one if only a WAL existed, and the WAL is kept', () => {
    const folder = newFolder();
    makeKilled(folder, 'old');
    fs.rmSync(join(folder, NAME));
    const kept = fs.readFileSync(join(folder, `${NAME}-wal`));
    const log = restoreRecorded(folder);
    expect(foundInAll(log.states())).toEqual([NEW, 'none']);
    expect(foundInAll(log.states([log.flushes() - 2]))).not.toEqual([NEW, 'none']);
    const aside = fs.readdirSync(folder).find((name) => /before-restore.*-wal$/.test(name));
    expect(fs.readFileSync(join(folder, String(aside))).equals(kept)).toBe(true);
  });

  test('leaves no database or the complete new one in an empty folder', () => {
    const folder = newFolder();
    expect(foundInAll(restoreRecorded(folder).states())).toEqual([NEW, 'none']);
    expect(fs.readdirSync(folder)).toEqual([NAME, 'claimcheck.lock']);
  });
});
