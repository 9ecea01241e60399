import { DatabaseSync } from 'node:sqlite';
import { query } from './postgres.ts';

/** Size in bytes of each table and index, by name. */
export type Sizes = ReadonlyMap<string, number>;

const sizesOf = (rows: readonly Record<string, unknown>[]): Sizes =>
  new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));

/**
 * Size of each table and index, from SQLite's `dbstat`, including pages in the write-ahead log. Throws if the sum of
 * the sizes differs from the size of the database minus its free pages.
 */
export function sizesInFile(file: string): Sizes {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const sizes = sizesOf(
      database.prepare('select name, pgsize as bytes from dbstat where aggregate = true').all(),
    );
    const counted = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const { used, page } = database
      .prepare(
        `select (page_count - freelist_count) * page_size as used, page_size as page
         from pragma_page_count, pragma_freelist_count, pragma_page_size`,
      )
      .get() as { used: number; page: number };
    // SQLite reserves the page at offset 1 GiB for locks, and dbstat doesn't count this page.
    if (used - counted !== 0 && used - counted !== page)
      throw new Error(`dbstat counts ${counted} bytes, but the database has ${used}`);
    return sizes;
  } finally {
    database.close();
  }
}

/** Sizes of tables (including TOAST) and indexes. Their sum is the `pg_total_relation_size` of all tables. */
export const sizesInPostgres = async (url: string): Promise<Sizes> =>
  sizesOf(
    await query(
      url,
      `select relname as name,
         case when relkind = 'r' then pg_table_size(oid) else pg_relation_size(oid) end as bytes
       from pg_class where relkind in ('r', 'i') and relnamespace = current_schema()::regnamespace`,
    ),
  );

/**
 * Returns the bytes added since `before`, divided by `count`. `parts` lists the tables and indexes that grew or shrank,
 * in order from the largest growth.
 */
export function addedEach(before: Sizes, after: Sizes, count: number): { total: number; parts: string } {
  const added = [...after].map(([name, bytes]) => ({
    name,
    each: (bytes - (before.get(name) ?? 0)) / count,
  }));
  return {
    total: added.reduce((sum, { each }) => sum + each, 0),
    parts: added
      .filter(({ each }) => Math.abs(each) >= 0.5)
      .toSorted((a, b) => b.each - a.each)
      .map(({ name, each }) => `${name} ${each.toFixed(1)}`)
      .join(', '),
  };
}
