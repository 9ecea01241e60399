/** Queries for account numbers, which compact rows store instead of account IDs. */
import { expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Queryable } from './database.ts';
import type { Schema } from './schema.ts';

const { selectFrom } = expressionBuilder<Schema, never>();

export const numberOfAccount = (id: string) => selectFrom('accounts').select('number').where('id', '=', id);

/** Throws if the account does not exist. */
export async function readAccountNumber(db: Queryable, id: string): Promise<number> {
  const row = await db.selectFrom('accounts').select('number').where('id', '=', id).executeTakeFirstOrThrow();
  return row.number;
}

/** A `select` for an `insert`: the account's number, then `values`. Some engines reject subqueries in `values (…)`. */
export const ofAccount = (id: string, values: readonly (string | number | null)[]): RawBuilder<never> =>
  sql<never>`select number, ${sql.join(values)} from accounts where id = ${id}`;
