/**
 * Gives the tests a PostgreSQL, the one TEST_DATABASE_URL names or else one from npm, and on it a migrated database
 * of which tests take copies. Both are gone afterwards. Of several projects the first one sets up.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migratePostgres } from '../src/store/postgres/migrate.ts';
import { startPostgres } from './support/postgres-server.ts';

export default async function setup(): Promise<() => Promise<void>> {
  if (process.env['TEST_TEMPLATE_DATABASE'] !== undefined) return async () => {};
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await startPostgres({ isFast: true }) : null;
  const url = given ?? server!.url;
  const template = `claimcheck_template_${randomBytes(8).toString('hex')}`;
  await execute(url, `create database ${template}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${template}`;
  await migratePostgres(templateUrl.href, { now: Date.now });
  process.env['TEST_DATABASE_URL'] = url;
  process.env['TEST_TEMPLATE_DATABASE'] = template;
  return async () => {
    if (server === null) await execute(url, `drop database ${template}`);
    else await server.remove();
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
