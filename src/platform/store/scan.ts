/** Cursor pagination of lists sorted by time. The cost of a page does not depend on the length of the table. */
import { type RawBuilder, sql } from 'kysely';
import { FIRST_MS, parseIso, toIso } from '../text/time-text.ts';
import type { DatabaseReader, Engine, Queryable } from './database.ts';
import { DIALECTS } from './dialects.ts';
import { isUuid } from './uuid.ts';

type Fragment = RawBuilder<unknown>;

/** Ranges that one statement merges. SQLite limits a compound `select` to 500 parts. */
const MAX_RANGES = 200;
/** Rows scanned per page if no index covers the filter. The next page continues after the last one. */
export const SCANNED_ROWS = 10_000;

const ORDERS = {
  newest: { way: sql`desc`, further: sql`<`, upTo: sql`>=` },
  oldest: { way: sql`asc`, further: sql`>`, upTo: sql`<=` },
};

/** A range that an index returns in order, such as `calls where key = 7`, and the position of its first row. */
export interface FirstOfRange {
  readonly range: Fragment;
  readonly first: TimePosition;
}

export interface RangesToFind {
  /** For the rows of the ranges. Ranges without such a row are omitted. */
  readonly conditions: readonly Fragment[];
  /** The direction of the list: the range whose first row comes first in it is the first one. */
  readonly way: Fragment;
  readonly limit: number;
}

export interface TimeList<Row> {
  /** A page merges the rows of all ranges, or of those that a function finds, if there may be thousands. */
  readonly ranges:
    | readonly Fragment[]
    | ((db: Queryable, which: RangesToFind) => Promise<readonly FirstOfRange[]>);
  readonly indexed: readonly Fragment[];
  readonly scanned: readonly Fragment[];
  /** Columns used by `scanned`, `describe` and `position`. */
  readonly columns: Fragment;
  readonly position: { readonly time: string; readonly number: string };
  readonly storedTime: (at: string) => unknown;
  readonly order: keyof typeof ORDERS;
  /** Selects the columns to show for `rows`, sorted by `order`. */
  readonly describe: (rows: Fragment, order: (alias: string) => Fragment) => RawBuilder<Row>;
  readonly positionOf: (row: Row) => TimePosition;
}

export interface Bounds {
  readonly scanned: number;
  readonly limit: number;
}

export interface Scan<Row> {
  readonly rows: readonly Row[];
  /** Position of the last row read; `null` at the end of the list. */
  readonly end: TimePosition | null;
}

export interface SearchPage<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page; `null` on the last page. */
  readonly next: string | null;
  /** Time of the last scanned row if the search stopped at the scan limit; otherwise `null`. */
  readonly searchedUntil: string | null;
}

export interface PageInput {
  /** Cursor of the page. A malformed cursor is ignored: the list starts at the beginning. */
  readonly after?: string | undefined;
  readonly limit: number;
  readonly scanned?: number | undefined;
}

export async function readPage<Row>(
  db: DatabaseReader,
  list: TimeList<Row>,
  { after, limit, scanned = SCANNED_ROWS }: PageInput,
): Promise<SearchPage<Row>> {
  const { rows: rowsPlusOne, end } = await scan(db, list, parseCursor(after), { scanned, limit: limit + 1 });
  const rows = rowsPlusOne.slice(0, limit);
  if (rowsPlusOne.length > limit) {
    return { rows, next: writeCursor(list.positionOf(rows.at(-1)!)), searchedUntil: null };
  }
  return { rows, next: end && writeCursor(end), searchedUntil: end?.at ?? null };
}

export function scan<Row>(
  { engine, read }: DatabaseReader,
  list: TimeList<Row>,
  after: TimePosition | null,
  bounds: Bounds,
): Promise<Scan<Row>> {
  return DIALECTS[engine].inIndexOrder(read, async (db) => {
    const part = await nextPart(db, list, after, bounds);
    return part.ranges.length === 0
      ? { rows: [], end: null }
      : await scanPart(db, engine, list, part, bounds);
  });
}

/** A part of a list. No other range has a row between its start and `until`; `null`: the part ends with the list. */
interface ListPart {
  readonly ranges: readonly Fragment[];
  readonly conditions: readonly Fragment[];
  readonly until: TimePosition | null;
}

async function nextPart<Row>(
  db: Queryable,
  list: TimeList<Row>,
  after: TimePosition | null,
  { limit }: Bounds,
): Promise<ListPart> {
  const { way, further, upTo } = ORDERS[list.order];
  const position = sql`(${sql.ref(list.position.time)}, ${sql.ref(list.position.number)})`;
  const at = ({ at, seq }: TimePosition) => sql`(${list.storedTime(at)}, ${seq})`;
  const conditions = [...list.indexed, ...(after === null ? [] : [sql`${position} ${further} ${at(after)}`])];
  if (typeof list.ranges !== 'function') return { ranges: list.ranges, conditions, until: null };
  // Each range has a row, so the first `limit` ranges have the first `limit` rows.
  const most = list.scanned.length === 0 ? Math.min(limit, MAX_RANGES) : MAX_RANGES;
  const next = await list.ranges(db, { conditions, way, limit: most + 1 });
  const ranges = next.slice(0, most).map(({ range }) => range);
  if (next.length <= most) return { ranges, conditions, until: null };
  const until = next[most - 1]!.first;
  return { ranges, conditions: [...conditions, sql`${position} ${upTo} ${at(until)}`], until };
}

async function scanPart<Row>(
  db: Queryable,
  engine: Engine,
  list: TimeList<Row>,
  part: ListPart,
  { scanned, limit }: Bounds,
): Promise<Scan<Row>> {
  const isExact = list.scanned.length === 0;
  const order = orderOf(list);
  const merge = (window: { readonly limit: number; readonly offset: number }) =>
    merged(engine, list, part, window);
  const candidates = isExact
    ? merge({ limit, offset: 0 })
    : sql`select * from (${merge({ limit: scanned, offset: 0 })}) scanned
        where ${sql.join(list.scanned, sql` and `)} order by ${order('scanned')} limit ${limit}`;
  const { rows } = await list.describe(candidates, order).execute(db);
  const last = rows[limit - 1];
  if (last !== undefined) return { rows, end: list.positionOf(last) };
  if (isExact) return { rows, end: part.until };
  const border = merge({ limit: 1, offset: scanned - 1 });
  const { rows: ends } = await list.describe(border, order).execute(db);
  return { rows, end: ends[0] === undefined ? part.until : list.positionOf(ends[0]) };
}

const orderOf =
  <Row>({ order, position: { time, number } }: TimeList<Row>) =>
  (alias: string): Fragment => {
    const { way } = ORDERS[order];
    return sql`${sql.ref(`${alias}.${time}`)} ${way}, ${sql.ref(`${alias}.${number}`)} ${way}`;
  };

/** On PostgreSQL, each range has its own order and limit. Otherwise PostgreSQL would read and sort all rows. */
function merged<Row>(
  engine: Engine,
  { columns, position, order }: TimeList<Row>,
  { ranges, conditions }: ListPart,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Fragment {
  const [time, number] = [sql.ref(position.time), sql.ref(position.number)];
  const { way } = ORDERS[order];
  const parts = ranges.map((range) => {
    const part = sql`select ${columns} from ${sql.join([range, ...conditions], sql` and `)}`;
    return ranges.length === 1
      ? part
      : DIALECTS[engine].unionPart(
          part,
          sql`order by ${time} ${way}, ${number} ${way} limit ${limit + offset}`,
        );
  });
  return sql`${sql.join(parts, sql` union all `)}
    order by ${time} ${way}, ${number} ${way} limit ${limit} offset ${offset}`;
}

/** Position of a row in a list: its time (ISO 8601 UTC with milliseconds) and, as a tie-breaker, its number. */
export interface TimePosition {
  readonly at: string;
  readonly seq: number;
}

interface IdPosition {
  readonly at: string;
  readonly id: string;
}

export const writeCursor = (position: TimePosition | IdPosition): string =>
  `${position.at}~${'id' in position ? position.id : position.seq}`;

export function parseCursor(text: string | undefined): TimePosition | null {
  const [at, seq] = partsOf(text);
  return at === null || !/^\d{1,15}$/.test(seq) ? null : { at, seq: Number(seq) };
}

export function parseIdCursor(text: string | undefined): IdPosition | null {
  const [at, id] = partsOf(text);
  return at === null || !isUuid(id) ? null : { at, id: id.toLowerCase() };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function partsOf(text = ''): readonly [at: string | null, key: string] {
  const [at = '', key = '', ...more] = text.split('~');
  return [TIME.test(at) && parseIso(at) !== null && more.length === 0 ? at : null, key];
}

export const earlier = (at: string, ms: number): string => toIso(Math.max(FIRST_MS, Date.parse(at) - ms));
