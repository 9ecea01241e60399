/** The PostgreSQL store: concurrent migrations, URL options, lost connections and lock timeouts. */
import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createVerifier } from '../../../src/claims/verify/verifier.ts';
import {
  BatchOvertaken,
  type BatchProgram,
  type PostgresProgram,
} from '../../../src/platform/store/batch.ts';
import { ask } from '../../../src/platform/store/batch-queue.ts';
import {
  type Database,
  DatabaseUnavailable,
  monotonicMs,
  type Queryable,
} from '../../../src/platform/store/database.ts';
import { MIGRATIONS } from '../../../src/platform/store/migrations/migrations.ts';
import { openDatabase } from '../../../src/platform/store/open.ts';
import { migratePostgres } from '../../../src/platform/store/postgres/migrate.ts';
import { createDbLocation, openTestDatabase } from '../../support/engines.ts';
import { createOwner } from '../../support/marketplace.ts';
import { verificationOf } from '../../support/verify.ts';

const STARTING_PROCESSES = 10;
/** Key of the advisory lock in migrate.ts. */
const MIGRATION_LOCK = 2524624325;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function newDbLocation(): Promise<string> {
  const dbLocation = await createDbLocation('postgres', { isEmpty: true });
  onTestFinished(() => dbLocation.remove());
  return dbLocation.databaseUrl!;
}

async function opened(url: string): Promise<Database> {
  const db = await openDatabase({
    databaseUrl: url,
    dataDir: tmpdir(),
    now: Date.now,
  });
  onTestFinished(() => db.close());
  return db;
}

test('a database can be closed twice, and later transactions fail with DatabaseUnavailable', async () => {
  const db = await opened(await newDbLocation());
  await db.read.selectFrom('settings').select('name').execute();
  await Promise.all([db.close(), db.close()]);
  await db.close();
  await expect(db.transaction(async () => {})).rejects.toThrow(DatabaseUnavailable);
});

/** Resolves once `count` connections are waiting for the migration lock. */
async function waitingForLock(holder: pg.Client, count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await holder.query(
      `select count(*) from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return Number(rows[0].count);
  };
  await expect.poll(waiting, { interval: 20, timeout: 20_000 }).toBe(count);
}

describe('migrations', () => {
  test(`all succeed if ${STARTING_PROCESSES} start at the same time on an empty database`, async () => {
    const url = await newDbLocation();
    const holder = await connect(url);
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const all = Promise.all(Array.from({ length: STARTING_PROCESSES }, () => migratePostgres(url)));
    await waitingForLock(holder, STARTING_PROCESSES);
    await holder.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    expect((await all).filter(({ from }) => from === 0)).toHaveLength(1);
  });

  test('fail if a newer program migrated the schema while they waited for the lock', async () => {
    const url = await newDbLocation();
    const holder = await connect(url);
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const older = migratePostgres(url);
    older.catch(() => {});
    const next = MIGRATIONS.length + 1;
    await waitingForLock(holder, 1);
    await holder.query(
      'create table schema_migrations (version integer primary key, name text not null, compatible_with integer not null)',
    );
    await holder.query(`insert into schema_migrations values (${next}, 'from a newer program', ${next})`);
    await holder.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await expect(older).rejects.toThrow(`schema version ${next}`);
  });
});

describe('connections', () => {
  test("a connection ignores the URL's time zone and the database's default isolation level", async () => {
    const url = new URL(await newDbLocation());
    const admin = await connect(url.href);
    const name = url.pathname.slice(1);
    await admin.query(`alter database ${name} set default_transaction_isolation to 'repeatable read'`);
    url.searchParams.set('options', '-c work_mem=8MB -c timezone=America/New_York -c datestyle=SQL');
    const db = await opened(url.href);
    const at = '2026-11-20T10:00:00.120Z';
    const read = sql<{ at: string }>`select ${at}::timestamptz as at`;
    expect((await read.execute(db.read)).rows).toEqual([{ at }]);
    const levelOf = async (on: Queryable) => {
      const { rows } = await sql<{ level: string }>`
        select current_setting('transaction_isolation') as level`.execute(on);
      return rows[0]!.level;
    };
    expect(await levelOf(db.read)).toBe('read committed');
    expect(await db.transaction(levelOf)).toBe('read committed');
  });

  test('a lost connection fails only the transaction that was using it', async () => {
    const url = await newDbLocation();
    const db = await opened(url);
    await db.read.selectFrom('accounts').select('id').execute();
    const admin = await connect(url);
    const lost = db.transaction(async (tx) => {
      await tx.selectFrom('accounts').select('id').execute();
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'claimcheck'`,
      );
      await tx.selectFrom('accounts').select('id').execute();
    });
    await expect(lost).rejects.toThrow();
    await expect(db.transaction((tx) => tx.selectFrom('accounts').select('id').execute())).resolves.toEqual(
      [],
    );
    await expect.poll(() => db.read.selectFrom('accounts').select('id').execute()).toEqual([]);
  });

  test('verifications continue after another process changes a table that prepared statements use', async () => {
    const database = await openTestDatabase('postgres');
    onTestFinished(() => database.close());
    const owner = await createOwner(database.context);
    const verifier = createVerifier(database.db, Date.now, { batch: () => {} });
    const verify = async () => {
      const wanted = verificationOf({ key: owner.liveKey, token: 'unknown', redeem: false });
      return (await ask(verifier, wanted)).kind;
    };
    expect(await verify()).toBe('not_found');
    const admin = await connect(database.databaseUrl!);
    await admin.query('alter table offers alter column offer type varchar(500)');
    expect([await verify(), await verify(), await verify()]).toEqual(Array(3).fill('not_found'));
  });
});

test('a batch skips locked rows when it is retried after a lock timeout', async () => {
  const url = await newDbLocation();
  const runs: boolean[] = [];
  const locks: PostgresProgram<null, string> = {
    hasOneWrite: true,
    read: async (client, _batch, skipLocked) => {
      runs.push(skipLocked);
      if (!skipLocked) await client.query('select 1 from settings for update');
      else if (runs.filter(Boolean).length === 1) throw new BatchOvertaken();
      return async () => 'written';
    },
  };
  const program: BatchProgram<null, string> = {
    sqlite: { encode: () => null, decode: String },
    postgres: locks,
  };
  const db = await opened(url);
  const holder = await connect(url);
  await holder.query("insert into settings (name, value) values ('a', '1')");
  await holder.query('begin');
  await holder.query('select 1 from settings for update');
  expect(await db.runBatch(program, null, monotonicMs() + 60_000)).toBe('written');
  expect(runs).toEqual([false, true, true]);
});
