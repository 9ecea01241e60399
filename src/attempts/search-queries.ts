/**
 * SQL of the request log as its owner reads it. An index answers every filter except rare combinations, so any page of
 * ten million calls is a short read. For a rare combination a limited number of rows is searched.
 */
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseReader, Engine, Queryable } from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import type { TimePosition } from '../store/time-cursor.ts';
import { isUuid } from '../store/uuid.ts';
import type { AttemptFilter } from './attempt-filter.ts';
import { type Cause, FAILURES, isFailure, isFound } from './cause.ts';
import type { Whose } from './queries.ts';

/** A call in a list, with the key that it used. */
export interface ListedAttempt {
  readonly id: number;
  readonly at: string;
  readonly request_id: string;
  readonly cause: string;
  readonly token_last4: string | null;
  readonly via: string | null;
  readonly latency_us: number;
  readonly ip: string | null;
  readonly api_key_id: string | null;
  readonly key_name: string | null;
  readonly key_mode: 'live' | 'test' | null;
}

/** Limits of a scan: rows read where no index answers the filter, and matching rows returned. */
export interface Bounds {
  readonly scanned: number;
  readonly limit: number;
}

export interface Scan {
  readonly attempts: readonly ListedAttempt[];
  /** End of the rows read; `null` if none are left. */
  readonly end: TimePosition | null;
}

/** An index and the ranges of it that are merged, and what is left to compare in each row. */
interface Plan {
  readonly ranges: readonly RawBuilder<unknown>[];
  readonly rest: readonly RawBuilder<unknown>[];
}

/** `null`: nothing can match. */
function planOf({ causes, keyId, offerId }: AttemptFilter): Plan | null {
  const isId = (id: string | undefined) => id === undefined || isUuid(id);
  if (!isId(keyId) || !isId(offerId) || causes?.length === 0) return null;
  const byCause = causes?.map((cause) => sql`cause = ${cause}`) ?? [];
  const ofCauses = causes === undefined ? [] : [sql`cause in (${sql.join(causes)})`];
  const ofKey = keyId === undefined ? [] : [sql`api_key_id = ${keyId}`];
  if (offerId !== undefined) {
    // Only calls that found a claim have an offer.
    if (causes?.some(isFound) === false) return null;
    return { ranges: [sql`offer_id = ${offerId}`], rest: [...ofKey, ...ofCauses] };
  }
  // Failures are rarer than the calls of a key.
  if (causes?.every(isFailure) === true) return { ranges: byCause, rest: ofKey };
  if (keyId !== undefined) return { ranges: ofKey, rest: ofCauses };
  return { ranges: causes === undefined ? [sql`true`] : byCause, rest: [] };
}

/** The matching calls of an account and mode after a place, the newest first. */
export async function scanAttempts(
  { engine, read }: DatabaseReader,
  whose: Whose,
  filter: AttemptFilter,
  after: TimePosition | null,
  bounds: Bounds,
): Promise<Scan> {
  const plan = planOf(filter);
  if (plan === null) return { attempts: [], end: null };
  return DIALECTS[engine].inIndexOrder(read, (db) =>
    scanPlan({ db, engine }, whose, plan, filter, after, bounds),
  );
}

const LISTED = sql`id, at, request_id, cause, token_last4, via, latency_us, ip, api_key_id`;

async function scanPlan(
  { db, engine }: { readonly db: Queryable; readonly engine: Engine },
  { accountId, mode }: Whose,
  { ranges, rest }: Plan,
  { since, until }: AttemptFilter,
  after: TimePosition | null,
  { scanned, limit }: Bounds,
): Promise<Scan> {
  const conditions = [
    sql`account_id = ${accountId} and mode = ${mode}`,
    ...(since === undefined ? [] : [sql`at >= ${since}`]),
    ...(until === undefined ? [] : [sql`at < ${until}`]),
    ...(after === null ? [] : [sql`(at, id) < (${after.at}, ${after.seq})`]),
  ];
  const merged = (columns: RawBuilder<unknown>, count: number, offset: number): RawBuilder<unknown> => {
    const parts = ranges.map((range) => {
      const part = sql`select ${columns} from attempts where ${sql.join([...conditions, range], sql` and `)}`;
      return ranges.length === 1
        ? part
        : DIALECTS[engine].unionPart(part, sql`order by at desc, id desc limit ${count + offset}`);
    });
    return sql`${sql.join(parts, sql` union all `)} order by at desc, id desc limit ${count} offset ${offset}`;
  };
  const isExact = rest.length === 0;
  const rows = isExact
    ? merged(LISTED, limit, 0)
    : sql`select * from (${merged(LISTED, scanned, 0)}) scanned where ${sql.join(rest, sql` and `)}
        order by at desc, id desc limit ${limit}`;
  const { rows: attempts } = await sql<ListedAttempt>`
    select a.id, a.at, a.request_id, a.cause, a.token_last4, a.via, a.latency_us, a.ip, a.api_key_id,
      k.name as key_name, k.mode as key_mode
    from (${rows}) a left join api_keys k on k.id = a.api_key_id
    order by a.at desc, a.id desc`.execute(db);
  const last = attempts[limit - 1];
  if (last !== undefined) return { attempts, end: positionOf(last) };
  if (isExact) return { attempts, end: null };
  const { rows: ends } = await sql<
    Pick<ListedAttempt, 'at' | 'id'>
  >`${merged(sql`at, id`, 1, scanned - 1)}`.execute(db);
  return { attempts, end: ends[0] === undefined ? null : positionOf(ends[0]) };
}

export const positionOf = ({ at, id }: Pick<ListedAttempt, 'at' | 'id'>): TimePosition => ({ at, seq: id });

/** The failures of one cause. */
export interface FailureGroup {
  readonly cause: Cause;
  /** Up to the number that is counted. */
  readonly calls: number;
  readonly first_at: string;
  readonly last_at: string;
  /** Of the newest. */
  readonly request_id: string;
}

/** The failures of an account and mode since a time by their cause; of each at most `counted`. */
export async function groupFailures(
  db: Queryable,
  { accountId, mode }: Whose,
  since: string,
  counted: number,
): Promise<FailureGroup[]> {
  const group = (cause: Cause) => {
    const calls = sql`from attempts where account_id = ${accountId} and mode = ${sql.lit(mode)} and cause = ${sql.lit(cause)} and at >= ${since}`;
    return sql`select ${sql.lit(cause)} as cause,
      (select count(*) from (select 1 ${calls} limit ${counted}) counted) as calls,
      (select at ${calls} order by at, id limit 1) as first_at,
      (select at ${calls} order by at desc, id desc limit 1) as last_at,
      (select request_id ${calls} order by at desc, id desc limit 1) as request_id`;
  };
  const { rows } =
    await sql<FailureGroup>`select * from (${sql.join(FAILURES.map(group), sql` union all `)}) groups
    where last_at is not null`.execute(db);
  return rows.map((row) => ({ ...row, calls: Number(row.calls) }));
}
