/** Migrations of a newer release: what they would do, and going back to this release afterwards. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { COLUMN_TYPES, type Migration } from '../../../src/platform/store/migrations/migration.ts';
import { latestVersion, MIGRATIONS } from '../../../src/platform/store/migrations/migrations.ts';
import { planMigration } from '../../../src/platform/store/migrations/plan.ts';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import { migratePostgres, planPostgres } from '../../../src/platform/store/postgres/migrate.ts';
import { migrateSqlite, planSqlite } from '../../../src/platform/store/sqlite/migrate.ts';
import { run } from '../../app/cli/support.ts';
import { createDbLocation, type TestEngine } from '../../support/engines.ts';
import { stock, withContext } from '../../support/server-process.ts';
import { redeemAll } from '../../support/verify.ts';

const LATEST = latestVersion();

/** The next release adds a column and indexes it. */
const NEXT: Migration = {
  version: LATEST + 1,
  name: 'notes of claims',
  compatibleWith: LATEST,
  statements: () => [
    'create table notes_of_claims (claim_seq integer not null, note text not null)',
    'alter table claim_rows add column note text',
    'create index claims_by_note on claim_rows (note) where note is not null',
    'update settings set value = value where false',
  ],
};
const INCOMPATIBLE: Migration = { ...NEXT, compatibleWith: NEXT.version };

async function newLocation(engine: TestEngine) {
  const location = await createDbLocation(engine);
  onTestFinished(() => location.remove());
  return location;
}

test('a plan names the migrations, the tables whose rows they read, and who can use the result', () => {
  const state = { version: LATEST, compatibleWith: LATEST };
  expect(planMigration(state, COLUMN_TYPES.postgres, [...MIGRATIONS, NEXT])).toEqual({
    from: LATEST,
    to: NEXT.version,
    names: [NEXT.name],
    compatibleWith: LATEST,
    tables: ['claim_rows', 'settings'],
  });
  expect(planMigration(state, COLUMN_TYPES.postgres, [...MIGRATIONS, INCOMPATIBLE]).compatibleWith).toBe(
    NEXT.version,
  );
  expect(planMigration(state, COLUMN_TYPES.postgres)).toMatchObject({ from: LATEST, to: LATEST, names: [] });
});

test.each(['sqlite', 'postgres'] as const)(
  'on %s, this release opens a database that a compatible release migrated, and refuses an incompatible one',
  async (engine) => {
    for (const [migration, code, detail] of [
      [NEXT, 0, `version ${NEXT.version}, which a newer release created`],
      [
        INCOMPATIBLE,
        1,
        `schema version ${NEXT.version}, but this Claimcheck supports versions up to ${LATEST}`,
      ],
    ] as const) {
      const location = await newLocation(engine);
      await stock(location, 1);
      const file = join(location.dataDir, DATABASE_FILE);
      const migrations = [...MIGRATIONS, migration];
      const plan =
        location.databaseUrl === null
          ? planSqlite(file, migrations)
          : await planPostgres(location.databaseUrl, migrations);
      expect(plan).toMatchObject({
        from: LATEST,
        to: NEXT.version,
        compatibleWith: migration.compatibleWith,
      });
      expect(plan.seconds).toBeGreaterThan(0);
      if (location.databaseUrl === null) migrateSqlite(file, Date.now, migrations);
      else await migratePostgres(location.databaseUrl, { migrations });

      const listing = await run(['accounts', 'list'], location.env);
      expect(listing.code).toBe(code);
      const { stdout, stderr } = await run(['doctor'], location.env);
      expect(code === 0 ? stdout : listing.stderr).toContain(detail);
      expect(`${stdout}${stderr}`).toContain(`schema version ${NEXT.version}`);
      const dryRun = await run(['migrate', '--dry-run'], location.env);
      expect(dryRun.code).toBe(code);
      if (code === 0) expect(dryRun.stderr).toContain('Nothing would be migrated.');
    }
  },
);

test('going back with the backup from before the migration loses no redemption, and restore names the backup', async () => {
  const location = await newLocation('sqlite');
  const { owner, tokens } = await stock(location, 2);
  const file = join(location.dataDir, DATABASE_FILE);
  const { backup } = migrateSqlite(file, Date.now, [...MIGRATIONS, NEXT]);
  await withContext(location, (context) => redeemAll(context, owner.liveKey, tokens.slice(0, 1)));

  const unnamed = await run(['restore'], location.env);
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining(`Available: ${backup}`)]);
  const restored = await run(['restore', backup!, '--json'], location.env);
  expect(restored.code).toBe(0);
  expect(JSON.parse(restored.stdout)).toMatchObject({ carried_over: { redemptions: 1 } });
  const plan = await run(['migrate', '--dry-run', '--json'], location.env);
  expect(JSON.parse(plan.stdout)).toMatchObject({
    schema_version: LATEST,
    migrates_to: LATEST,
    migrations: [],
  });
});

test('a migration that fails again and again leaves two backups', async () => {
  const location = await newLocation('sqlite');
  await stock(location, 1);
  const file = join(location.dataDir, DATABASE_FILE);
  writeFileSync(`${file}.before-schema-${LATEST}-2026-11-20T000000000Z.partial-1`, '');
  const broken: Migration = { ...NEXT, statements: () => ['create table x (y integer)', 'oops'] };
  for (const day of [21, 22, 23]) {
    expect(() => migrateSqlite(file, () => Date.UTC(2026, 10, day), [...MIGRATIONS, broken])).toThrow('oops');
  }
  expect(readdirSync(location.dataDir).filter((name) => name.includes('.before-schema-'))).toEqual([
    `${DATABASE_FILE}.before-schema-${LATEST}-2026-11-22T000000000Z`,
    `${DATABASE_FILE}.before-schema-${LATEST}-2026-11-23T000000000Z`,
  ]);
});

test('a dry run of a new database says that it would be created, and creates nothing', async () => {
  const location = await newLocation('sqlite');
  const { code, stdout, stderr } = await run(['migrate', '--dry-run', '--json'], location.env);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      schema_version: 0,
      migrates_to: LATEST,
      migrations: MIGRATIONS.map(({ name }) => name),
      changes_rows_of: [],
      estimated_seconds: 0,
      compatible_with: 1,
      makes_backup: false,
    },
  ]);
  expect(stderr).toContain('would be created');
  expect(existsSync(join(location.dataDir, DATABASE_FILE))).toBe(false);
});
