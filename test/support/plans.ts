/** How SQLite finds the rows of statements: their plans, as `explain query plan` names the steps. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type CompiledQuery, type KyselyPlugin, SqliteQueryCompiler } from 'kysely';
import { DATABASE_FILE } from '../../src/store/open.ts';

export interface Recording {
  /** Keeps the statements that pass. */
  readonly plugin: KyselyPlugin;
  /** The steps of all of them on the database in a data folder. */
  steps(dataDir: string): readonly string[];
}

export function recordStatements(): Recording {
  const statements: CompiledQuery[] = [];
  return {
    plugin: {
      transformQuery: ({ node, queryId }) => {
        statements.push(new SqliteQueryCompiler().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    },
    steps: (dataDir) => {
      const file = new DatabaseSync(join(dataDir, DATABASE_FILE), { readOnly: true });
      const steps = statements.flatMap(({ sql, parameters }) =>
        file
          .prepare(`explain query plan ${sql}`)
          .all(...(parameters as string[]))
          .map(({ detail }) => String(detail)),
      );
      file.close();
      return steps;
    },
  };
}
