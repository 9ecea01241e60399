/** The numbers by which compact rows, and the views of them, name other rows; for conditions, and for new rows. */
import { expressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Queryable } from './database.ts';
import type { Schema } from './schema.ts';

const { selectFrom } = expressionBuilder<Schema, never>();

export const numberOfAccount = (id: string) => selectFrom('accounts').select('number').where('id', '=', id);

/** The number of an account that exists. */
export async function readAccountNumber(db: Queryable, id: string): Promise<number> {
  const row = await db.selectFrom('accounts').select('number').where('id', '=', id).executeTakeFirstOrThrow();
  return row.number;
}

/**
 * The row to insert that begins with the number of this account and goes on with `values`. Not every engine takes a
 * subquery among the values of an `insert`, which would do the same.
 */
export const ofAccount = (id: string, values: readonly (string | number | null)[]): RawBuilder<never> =>
  sql<never>`select number, ${sql.join(values)} from accounts where id = ${id}`;
