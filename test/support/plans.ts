/** How the engines find the rows that statements read or change: the steps of their query plans. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type KyselyPlugin, PostgresQueryCompiler, SqliteQueryCompiler } from 'kysely';
import { DATABASE_FILE } from '../../src/store/open.ts';
import { onDatabase } from './nodes.ts';

type Statement = Pick<Parameters<KyselyPlugin['transformQuery']>[0], 'node' | 'queryId'>;

interface Recording {
  /** Records every statement that the database runs while the plugin is in use. */
  readonly plugin: KyselyPlugin;
  /** The steps of all of them on the database in a data folder, as `explain query plan` of SQLite names them. */
  steps(dataDir: string): readonly string[];
  /** The same on the PostgreSQL database of this URL, as its `explain` names them. */
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
