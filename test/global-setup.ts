/** Gives the tests a PostgreSQL: the one TEST_DATABASE_URL names or else one from npm, gone afterwards. */
import type { TestProject } from 'vitest/node';
import { startPostgres } from './support/postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a database on whose server the tests may create databases of their own. */
    testDatabaseUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? null : await startPostgres();
  const url = server?.url ?? given ?? '';
  process.env['TEST_DATABASE_URL'] = url;
  project.provide('testDatabaseUrl', url);
  return async () => {
    await server?.remove();
  };
}
