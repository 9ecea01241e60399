import { type Compilable, type CompiledQuery, SqliteAdapter } from 'kysely';
import type { Engine, Queryable } from './database.ts';
import { DIALECTS, type SqlDialect } from './dialects.ts';

/** Stands for a value until the query runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** All engines on PostgreSQL run the same queries. */
const engineOf = (db: Queryable): Engine =>
  db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';

/**
 * A query that is built and compiled only once per engine, because that takes longer than running it. `build` gets
 * stand-ins for the values: it may use them only as parameters of the query.
 */
export function compileOnce<V extends object, Row>(
  build: (db: Queryable, values: V, dialect: SqlDialect) => Compilable<Row>,
): (db: Queryable, values: V) => Promise<Row[]> {
  const compiled = new Map<Engine, CompiledQuery<Row>>();
  return async (db, values) => {
    const engine = engineOf(db);
    let query = compiled.get(engine);
    if (query === undefined) {
      const standIns = Object.keys(values).map((name) => [name, new Parameter(name)]);
      query = build(db, Object.fromEntries(standIns) as V, DIALECTS[engine]).compile();
      compiled.set(engine, query);
    }
    const parameters = query.parameters.map((parameter) => {
      if (!(parameter instanceof Parameter)) return parameter;
      const value: unknown = values[parameter.name as keyof V];
      return Array.isArray(value) ? DIALECTS[engine].listOf(value) : value;
    });
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
