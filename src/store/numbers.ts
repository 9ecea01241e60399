/** The numbers that compact rows have instead of IDs, for use in conditions and new rows. */
import { expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Queryable } from './database.ts';
import type { Schema } from './schema.ts';

const { selectFrom } = expressionBuilder<Schema, never>();

export const numberOfAccount = (id: string) => selectFrom('accounts').select('number').where('id', '=', id);

/** The account must exist. */
export async function readAccountNumber(db: Queryable, id: string): Promise<number> {
  const row = await db.selectFrom('accounts').select('number').where('id', '=', id).executeTakeFirstOrThrow();
  return row.number;
}

/** A `select` of the account's number and `values`: some engines reject a subquery among inserted values. */
export const ofAccount = (id: string, values: readonly (string | number | null)[]): RawBuilder<never> =>
  sql<never>`select number, ${sql.join(values)} from accounts where id = ${id}`;
