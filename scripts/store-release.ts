/**
 * Stores what the tests of later versions compare with, in test/upgrades/<version>/: small databases of this version (a
 * backup of SQLite and a dump of PostgreSQL), and the names that other programs use (surface.txt). Run it right before a release. POSTGRES_BIN is the folder of the programs of the oldest
 * supported PostgreSQL, because a dump can only be loaded into the same version or a newer one.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'rolldown/utils';
import manifest from '../package.json' with { type: 'json' };
import type { Env } from '../test/support/program.ts';

const FOLDER = fileURLToPath(new URL(`../test/upgrades/${manifest.version}/`, import.meta.url));
/** The folder of the programs on Debian 12. */
const POSTGRES_BIN = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin';
const SECRET_KEY = 'the secret key of a stored database that only tests use';
/** Every clone of the repository contains the databases of all versions. */
const MAX_BYTES = 350_000;

// Node itself loads no JSX, which the pages consist of.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context);
    const file = fileURLToPath(url);
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'), {
      jsx: { runtime: 'automatic', importSource: 'hono/jsx' },
    });
    if (errors.length > 0) throw errors[0];
    return { format: 'module', shortCircuit: true, source: code };
  },
});
const { run } = await import('../test/app/cli/support.ts');
const { startPostgres } = await import('../test/support/postgres-server.ts');
const { surface } = await import('../test/support/surface.ts');
const { fillDatabase } = await import('../test/upgrades/contents.ts');
const { describeMigrations } = await import('../test/upgrades/stored.ts');
const { MIGRATIONS } = await import('../src/platform/store/migrations/migrations.ts');

const folder = mkdtempSync(join(tmpdir(), 'claimcheck-store-release-'));
process.env['TEST_POSTGRES_BINARIES'] = POSTGRES_BIN;
const server = await startPostgres();
try {
  const at = Date.now();
  const files = new Map<string, Buffer>();
  const onSqlite: Env = { DATA_DIR: join(folder, 'sqlite'), SECRET_KEY };
  const sqlite = await fillDatabase(onSqlite, at);
  const backup = join(folder, 'backup.db');
  const { code, stderr } = await run(['backup', backup], onSqlite, { now: () => at });
  if (code !== 0) throw new Error(stderr);
  files.set('sqlite.db.gz', gzipSync(readFileSync(backup), { level: 9 }));

  const onPostgres: Env = { DATA_DIR: join(folder, 'postgres'), SECRET_KEY, DATABASE_URL: server.url };
  const postgres = await fillDatabase(onPostgres, at);
  const options = ['--no-owner', '--no-privileges', '--rows-per-insert=1000'];
  const dump = execFileSync(join(POSTGRES_BIN, 'pg_dump'), [...options, server.url]);
  files.set('postgres.sql.gz', gzipSync(dump, { level: 9 }));

  const expected = { at, migrations: describeMigrations(MIGRATIONS), facts: { sqlite, postgres } };
  files.set('expected.json', Buffer.from(`${JSON.stringify(expected, null, 1)}\n`));
  files.set('surface.txt', Buffer.from(`${surface().join('\n')}\n`));
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(FOLDER, name), bytes);
  const bytes = [...files.keys()].reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0);
  process.stdout.write(`Stored version ${manifest.version} (${bytes} bytes) in ${FOLDER}\n`);
  if (bytes > MAX_BYTES) throw new Error(`The files are larger than ${MAX_BYTES} bytes.`);
} finally {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}
