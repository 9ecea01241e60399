/** Records statements and returns their texts or the steps of their query plans. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type KyselyPlugin, PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely';
import { DATABASE_FILE } from '../../src/platform/store/open.ts';
import { onDatabase } from './nodes.ts';

type Statement = Pick<Parameters<KyselyPlugin['transformQuery']>[0], 'node' | 'queryId'>;

interface Recording {
  /** Records every statement that runs through the plugin. */
  readonly plugin: KyselyPlugin;
  /** The recorded statements, as for SQLite. */
  texts(): readonly string[];
  /** Steps of all recorded statements on the SQLite database in a data folder, from `explain query plan`. */
  steps(dataDir: string): readonly string[];
  /** Steps of all recorded statements on the PostgreSQL database at this URL, from `explain`. */
  stepsOnPostgres(url: string): Promise<readonly string[]>;
}

export function recordStatements(): Recording {
  const statements: Statement[] = [];
  return {
    plugin: {
      transformQuery: ({ node, queryId }) => {
        statements.push({ node, queryId });
        return node;
      },
      transformResult: async ({ result }) => result,
    },
    texts: () =>
      statements.map(({ node, queryId }) => new SqliteQueryCompiler().compileQuery(node, queryId).sql),
    steps: (dataDir) => {
      const file = new DatabaseSync(join(dataDir, DATABASE_FILE), { readOnly: true });
      const steps = statements.flatMap(({ node, queryId }) => {
        const { sql, parameters } = new SqliteQueryCompiler().compileQuery(node, queryId);
        return file
          .prepare(`explain query plan ${sql}`)
          .all(...(parameters as string[]))
          .map(({ detail }) => String(detail));
      });
      file.close();
      return steps;
    },
    stepsOnPostgres: (url) =>
      onDatabase(url, async (client) => {
        const steps: string[] = [];
        for (const { node, queryId } of statements) {
          const { sql, parameters } = new PostgresQueryCompiler().compileQuery(node, queryId);
          const { rows } = await client.query(`explain ${sql}`, [...parameters]);
          steps.push(...rows.map((row) => String(row['QUERY PLAN'])));
        }
        return steps;
      }),
  };
}
