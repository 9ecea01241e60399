/** Reads the rows of the embedded database, and finds those that PostgreSQL can't store. */
import type { DatabaseSync } from 'node:sqlite';
import { PARTITIONED_TABLES, type PartitionedTable } from '../partitions.ts';
import type { Column, Table } from './tables.ts';
import { type Checksum, createChecksum, lineOf, textFor, Unstorable } from './values.ts';

export interface Examined extends Checksum {
  /** Characters of the longest line. */
  readonly longest: number;
  /** For a partitioned table: the starts of the months that have rows. */
  readonly months: readonly string[];
}

export interface Examination {
  /** By the table's name. */
  readonly tables: ReadonlyMap<string, Examined>;
  /** Which values PostgreSQL can't store. */
  readonly problems: readonly string[];
}

/** Further problems are probably of the same kind. */
const MAX_PROBLEMS = 10;

/** SQLite's driver replaces invalid bytes by this character. */
const REPLACEMENT = '\ufffd';

/** A year from 1000 on, as in the names of partitions. Other rows go to the default partition. */
const MONTH = /^[1-9]\d{3}-\d\d/;

/** Reads everything. `onRow` is called after each row. */
export function examineRows(source: DatabaseSync, tables: readonly Table[], onRow: () => void): Examination {
  const problems = brokenReferences(source);
  const examined = new Map<string, Examined>();
  for (const table of tables) {
    const checksum = createChecksum();
    const months = new Set<string>();
    const atIndex = isPartitioned(table.name) ? table.columns.findIndex(({ name }) => name === 'at') : -1;
    let longest = 0;
    for (const row of rowsOf(source, table)) {
      try {
        const values = valuesOf(source, table, row);
        const line = lineOf(values);
        checksum.add(line);
        longest = Math.max(longest, line.length);
        const month = MONTH.exec(values[atIndex] ?? '')?.[0];
        if (month !== undefined) months.add(`${month}-01T00:00:00.000Z`);
      } catch (error) {
        if (!(error instanceof Unstorable)) throw error;
        problems.push(error.message);
      }
      if (problems.length >= MAX_PROBLEMS) return { tables: examined, problems };
      onRow();
    }
    examined.set(table.name, { ...checksum.result(), longest, months: [...months].sort() });
  }
  return { tables: examined, problems };
}

const isPartitioned = (name: string): name is PartitionedTable =>
  (PARTITIONED_TABLES as readonly string[]).includes(name);

/** The lines for PostgreSQL's `copy`. */
export function* linesOf(source: DatabaseSync, table: Table): Iterable<string> {
  for (const row of rowsOf(source, table)) yield lineOf(valuesOf(source, table, row));
}

export function countRows(source: DatabaseSync, tables: readonly Table[]): number {
  const counts = tables.map(({ name }) => source.prepare(`select count(*) as rows from "${name}"`).get());
  return counts.reduce((sum, count) => sum + Number(count!['rows']), 0);
}

type Row = readonly [rowid: number, ...texts: (string | null)[]];

function rowsOf(source: DatabaseSync, { name, columns }: Table): Iterable<Row> {
  const texts = columns.map(({ asText }) => asText).join(', ');
  const statement = source.prepare(`select rowid, ${texts} from "${name}" order by rowid`);
  statement.setReturnArrays(true);
  return statement.iterate() as unknown as Iterable<Row>;
}

/** Throws `Unstorable` with the table, row and column. */
function valuesOf(source: DatabaseSync, table: Table, [rowid, ...texts]: Row): (string | null)[] {
  return table.columns.map((column, index) => {
    const text = texts[index]!;
    if (text === null) return null;
    try {
      if (text.includes(REPLACEMENT)) requireUnicode(source, table, column, rowid);
      return textFor(column.kind, text);
    } catch (error) {
      if (!(error instanceof Unstorable)) throw error;
      throw new Unstorable(`table ${table.name}, rowid ${rowid}, column ${column.name}: ${error.message}`);
    }
  });
}

/** The character itself is valid, so the bytes decide. */
function requireUnicode(source: DatabaseSync, table: Table, { name }: Column, rowid: number): void {
  const row = source
    .prepare(`select cast("${name}" as blob) as bytes from "${table.name}" where rowid = ?`)
    .get(rowid);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(row!['bytes'] as Uint8Array);
  } catch {
    throw new Unstorable('contains invalid Unicode, such as half of a surrogate pair');
  }
}

const brokenReferences = (source: DatabaseSync): string[] =>
  source
    .prepare('select "table", rowid, parent from pragma_foreign_key_check limit ?')
    .all(MAX_PROBLEMS)
    .map(
      ({ table, rowid, parent }) =>
        `table ${String(table)}, rowid ${String(rowid)}: refers to a row of ${String(parent)} that doesn't exist`,
    );
