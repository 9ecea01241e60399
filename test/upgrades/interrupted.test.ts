/**
 * A migration that is killed, or that runs out of disk space, leaves the database as it was: either the old schema or
 * the new one, with every redemption. The next start completes the migration.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Migration } from '../../src/platform/store/migrations/migration.ts';
import { latestVersion } from '../../src/platform/store/migrations/migrations.ts';
import { DATABASE_FILE, schemaDifference } from '../../src/platform/store/open.ts';
import { checkBackup } from '../../src/platform/store/sqlite/backup.ts';
import {
  createDbLocation,
  type DbLocation,
  ENGINES,
  openDatabaseAt,
  type TestEngine,
} from '../support/engines.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { issueTokens } from '../support/marketplace.ts';
import { nodeUrls, onDatabase } from '../support/nodes.ts';
import { launch, type RunningProgram, runCommand } from '../support/program.ts';
import { shareProcesses, sized } from '../support/server-process.ts';
import { redeemAll } from '../support/verify.ts';
import { asNextVersion, loadRelease } from './load.ts';
import { RELEASES, readRelease } from './stored.ts';

/** Claims that are added to the stored database, so that the migration takes long enough to be interrupted. */
const CLAIMS: Readonly<Record<TestEngine, number>> = { sqlite: 30_000, postgres: 5_000 };
const REDEEMED = 50;
const POLL_MS = 2;
/** The kills hit the write-ahead log of SQLite when it has these shares of its final size. */
const SHARES_OF_LOG = sized(
  [0.01, 0.5, 0.95],
  [0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 0.99],
);

const STATEMENTS = [
  'alter table claim_rows add column note text',
  "update claim_rows set note = 'A note that is as long as a sentence usually is, and then ' || cast(seq as text)",
  'create index claim_rows_by_note on claim_rows (note)',
  'create table claim_notes as select seq, note from claim_rows',
  'create index claim_notes_by_note on claim_notes (note)',
];
/** On PostgreSQL, a pause after each statement, in which a test can kill the program. */
const PAUSES = STATEMENTS.map((_, index) => `select pg_sleep(0.3), ${index}`);
const ON_POSTGRES = STATEMENTS.flatMap((statement, index) => [statement, PAUSES[index]!]);
/** The pauses in which the program is killed. */
const KILL_AT = sized([PAUSES[1]!, PAUSES[4]!], PAUSES);

const ABOUT = {
  version: latestVersion() + 1,
  name: 'a long migration of the tests',
  compatibleWith: latestVersion(),
};
const SLOW: Migration = {
  ...ABOUT,
  statements: ({ tableEnd }) => (tableEnd === 'strict' ? STATEMENTS : ON_POSTGRES),
};

const { cleanups, unguarded } = shareProcesses();

/** The built program of the next version, which has the migration `SLOW`. */
const buildNext = (): string => {
  const lists = [STATEMENTS, ON_POSTGRES].map((list) => JSON.stringify(list)).join(' : ');
  const code = `{ ...${JSON.stringify(ABOUT)}, statements: (t) => t.tableEnd === 'strict' ? ${lists} }`;
  return unguarded([/(?=const latestVersion = )/, `MIGRATIONS.push(${code});`]);
};

/** The stored database of the newest version, with many more claims. */
async function inflated(engine: TestEngine): Promise<DbLocation> {
  const version = RELEASES.at(-1)!;
  const location = await loadRelease(version, engine, { isOnDisk: true });
  cleanups.push(() => location.remove());
  const { calls, liveKey } = readRelease(version).facts[engine];
  const { offer_id: offerId } = JSON.parse(calls[0]!.answer) as { readonly offer_id: string };
  const { context, db } = await openDatabaseAt(location);
  const tokens = await issueTokens(context, { offerId }, CLAIMS[engine]);
  expect(new Set(await redeemAll(context, liveKey, tokens.slice(0, REDEEMED)))).toEqual(
    new Set(['redeemed']),
  );
  await db.close();
  return location;
}

/** The redemptions in the database. Opens it as this version, which does not have the migration. */
async function redemptions(location: DbLocation): Promise<readonly object[]> {
  const { db } = await openDatabaseAt(location);
  const query = db.read.selectFrom('claims').select(['id', 'redeemed_at', 'idempotency_hash']);
  const rows = await query.where('redeemed_at', 'is not', null).orderBy('id').execute();
  await db.close();
  return rows;
}

/** Whether the database has the new schema. Fails if the schema is neither the old nor the new one. */
async function isMigrated(location: DbLocation): Promise<boolean> {
  const difference = await schemaDifference(location);
  if (difference === null) return false;
  expect(difference).toContain(`has schema version ${SLOW.version}`);
  expect(await asNextVersion(() => schemaDifference(location), SLOW)).toBeNull();
  return true;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const backupsIn = ({ dataDir }: DbLocation): readonly string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith(`${DATABASE_FILE}.before-schema-`));

const isPartial = (name: string): boolean => name.includes('.partial-');

/** Waits for a moment of the migration. Resolves to false if the program ends before. */
async function isReached(
  program: RunningProgram,
  moment: () => boolean | Promise<boolean>,
): Promise<boolean> {
  let hasEnded = false;
  void program.exited.then(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    if (await moment()) return true;
    await sleep(POLL_MS);
  }
  return false;
}

type Moment = readonly [name: string, moment: () => boolean | Promise<boolean>];

/** While the backup is written, and at several sizes of the write-ahead log. */
function momentsOnSqlite(location: DbLocation, logBytes: number): readonly Moment[] {
  const log = join(location.dataDir, `${DATABASE_FILE}-wal`);
  return [
    ['the backup is written', () => backupsIn(location).some(isPartial)],
    ...SHARES_OF_LOG.map(
      (share): Moment => [`the log has ${share * 100}% of its size`, () => sizeOf(log) > share * logBytes],
    ),
  ];
}

/** In the pauses after some of the statements. */
const momentsOnPostgres = (location: DbLocation): readonly Moment[] =>
  KILL_AT.map(
    (pause): Moment => [
      pause,
      () =>
        onDatabase(location.databaseUrl!, async (client) => {
          const { rows } = await client.query(
            "select query from pg_stat_activity where datname = current_database() and state = 'active'",
          );
          return rows.some(({ query }) => query === pause);
        }),
    ],
  );

describe.each(ENGINES)('an interrupted migration on %s', (engine) => {
  test('SIGKILL at any moment leaves the old schema or the new one, and the next start completes it', async () => {
    const program = buildNext();
    const location = await inflated(engine);
    const before = await redemptions(location);
    expect(before.length).toBeGreaterThan(REDEEMED);
    const moments =
      engine === 'sqlite'
        ? momentsOnSqlite(location, await measureLog(program, location))
        : momentsOnPostgres(location);
    const killedAt: string[] = [];
    for (const [name, moment] of moments) {
      const migration = launch(location, ['migrate'], { program });
      if (!(await isReached(migration, moment))) {
        expect(await migration.exited, migration.stderr()).toMatchObject({ code: 0 });
        break;
      }
      await migration.kill('SIGKILL');
      if (await isMigrated(location)) break;
      killedAt.push(name);
      expect(await redemptions(location), name).toEqual(before);
      for (const backup of backupsIn(location).filter((file) => !isPartial(file))) {
        checkBackup(join(location.dataDir, backup));
      }
    }
    // Control: the kills interrupted the migration.
    expect(killedAt.length, killedAt.join(', ')).toBeGreaterThan(1);

    expect(await runCommand(location, ['migrate'], { program })).toMatchObject({ code: 0 });
    expect(await isMigrated(location)).toBe(true);
    expect(await redemptions(location)).toEqual(before);
  });
});

/** Mounts an empty file system in memory. `null`: this user may not mount file systems. */
function mountDisk(): string | null {
  const folder = makeTemporaryFolder('claimcheck-disk-', tmpdir());
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', folder]).status !== 0) return null;
  cleanups.push(() => spawnSync('umount', ['--lazy', folder]));
  return folder;
}

/** Leaves so many bytes of a disk free. Returns a function that frees the rest. */
function fill(folder: string, freeBytes: number): () => void {
  const ballast = join(folder, 'ballast');
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - freeBytes));
  return () => rmSync(ballast);
}

const MEGABYTE = 1024 * 1024;
const MAY_TRY_AGAIN = expect.stringMatching(
  /the disk (?:of the server )?is full; free some space(?: there)?, then try again/i,
);

test('a migration of the embedded database that fills the disk changes nothing, and can be repeated', async ({
  skip,
}) => {
  const disk = mountDisk();
  if (disk === null) return skip('this user may not mount file systems');
  const original = await inflated('sqlite');
  const file = join(disk, DATABASE_FILE);
  copyFileSync(join(original.dataDir, DATABASE_FILE), file);
  const location: DbLocation = { ...original, dataDir: disk, env: { ...original.env, DATA_DIR: disk } };
  const before = await redemptions(location);
  const program = buildNext();
  // Too little for the backup, and then too little for the migration.
  for (const [freeBytes, backups] of [
    [MEGABYTE, 0],
    [statSync(file).size + 4 * MEGABYTE, 1],
  ] as const) {
    const free = fill(disk, freeBytes);
    const failed = await runCommand(location, ['migrate'], { program });
    expect(failed).toMatchObject({ code: 1, stderr: MAY_TRY_AGAIN });
    expect(await isMigrated(location)).toBe(false);
    expect(await redemptions(location)).toEqual(before);
    expect(backupsIn(location)).toHaveLength(backups);
    for (const backup of backupsIn(location)) checkBackup(join(disk, backup));
    free();
  }
  expect(await runCommand(location, ['migrate'], { program })).toMatchObject({ code: 0 });
  expect(await isMigrated(location)).toBe(true);
  expect(await redemptions(location)).toEqual(before);
});

test.skipIf(nodeUrls().length > 1)(
  'a migration that fills the disk of PostgreSQL changes nothing, and can be repeated',
  async ({ skip }) => {
    const disk = mountDisk();
    if (disk === null) return skip('this user may not mount file systems');
    const location = await inflated('postgres');
    const admin = process.env['TEST_DATABASE_URL']!;
    const name = new URL(location.databaseUrl!).pathname.slice(1);
    const small = `small_${name}`;
    await onDatabase(admin, async (client) => {
      // Only the account of the server may use the disk.
      const { rows } = await client.query('show data_directory');
      const { uid, gid } = statSync(String(rows[0].data_directory));
      chownSync(disk, uid, gid);
      await client.query(`create tablespace ${small} location '${disk}'`);
      await client.query(`alter database ${name} set tablespace ${small}`);
    });
    cleanups.push(() =>
      onDatabase(admin, async (client) => {
        await client.query(`alter database ${name} set tablespace pg_default`);
        await client.query(`drop tablespace ${small}`);
      }),
    );
    const before = await redemptions(location);
    const program = buildNext();
    const free = fill(disk, MEGABYTE);
    const failed = await runCommand(location, ['migrate'], { program });
    expect(failed).toMatchObject({ code: 1, stderr: MAY_TRY_AGAIN });
    free();
    expect(await isMigrated(location)).toBe(false);
    expect(await redemptions(location)).toEqual(before);
    expect(await runCommand(location, ['migrate'], { program })).toMatchObject({ code: 0 });
    expect(await isMigrated(location)).toBe(true);
    expect(await redemptions(location)).toEqual(before);
  },
);

/** Migrates a copy without an interruption. Returns the largest size of its write-ahead log. */
async function measureLog(program: string, original: DbLocation): Promise<number> {
  const copy = await createDbLocation('sqlite', { copyOf: original, isOnDisk: true });
  cleanups.push(() => copy.remove());
  const location = { ...copy, env: { ...original.env, DATA_DIR: copy.dataDir } };
  const log = join(location.dataDir, `${DATABASE_FILE}-wal`);
  const migration = launch(location, ['migrate'], { program });
  let bytes = 0;
  await isReached(migration, () => {
    bytes = Math.max(bytes, sizeOf(log));
    return false;
  });
  expect(await migration.exited).toMatchObject({ code: 0 });
  return bytes;
}
