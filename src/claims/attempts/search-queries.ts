/**
 * Each filter has an index. A combination of filters without a common index scans a limited number of rows per page.
 * Reading a page is fast even with ten million calls in the log.
 */
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseReader, Queryable } from '../../platform/store/database.ts';
import { type PageInput, readPage, type SearchPage, type TimeList } from '../../platform/store/scan.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { type AttemptFilter, causesIn } from './attempt-filter.ts';
import { type Cause, FAILURES, isFailure, isFound } from './cause.ts';
import type { CallScope, CallWithKey } from './queries.ts';

type ListedColumn = 'id' | 'at' | 'request_id' | 'cause' | 'token_last4' | 'via' | 'latency_us' | 'ip';
type ListedKey = 'api_key_id' | 'key_name' | 'key_start' | 'key_mode';

export type ListedAttempt = Pick<CallWithKey, ListedColumn | ListedKey>;

const LISTED = sql`id, at, request_id, cause, token_last4, via, latency_us, ip, api_key_id`;

const LIST: Pick<TimeList<ListedAttempt>, 'position' | 'storedTime' | 'describe' | 'positionOf'> = {
  position: { time: 'at', number: 'id' },
  storedTime: (at) => at,
  describe: (rows, inOrder) => sql<ListedAttempt>`
    select a.id, a.at, a.request_id, a.cause, a.token_last4, a.via, a.latency_us, a.ip, a.api_key_id,
      k.name as key_name, k.start as key_start, k.mode as key_mode
    from (${rows}) a left join api_keys k on k.id = a.api_key_id
    order by ${inOrder('a')}`,
  positionOf: ({ at, id }) => ({ at, seq: id }),
};

const ATTEMPTS_PAGE_SIZE = 50;

export const searchAttempts = (
  db: DatabaseReader,
  scope: CallScope,
  filter: AttemptFilter,
  { limit = ATTEMPTS_PAGE_SIZE, ...page }: Partial<PageInput> = {},
): Promise<SearchPage<ListedAttempt>> => {
  const list: TimeList<ListedAttempt> = {
    ...LIST,
    ...rangesOf(scope, filter),
    indexed: [
      ...(filter.since === undefined ? [] : [sql`at >= ${filter.since}`]),
      ...(filter.until === undefined ? [] : [sql`at < ${filter.until}`]),
    ],
    columns: LISTED,
    order: 'newest',
  };
  return readPage(db, list, { ...page, limit });
};

/** Maximum number of attempts in a claim's timeline. The oldest attempts are shown. */
const ATTEMPTS_ON_CLAIM = 100;

/**
 * The calls that sent a token, oldest first. Scans at most `scanned` calls of the account, beginning at the time
 * `since`. There is no index on tokens, because an index would make writes of attempts much more expensive.
 */
export const searchToken = (
  db: DatabaseReader,
  accountId: string,
  token: { readonly hash: Uint8Array; readonly since: string; readonly scanned: number },
): Promise<SearchPage<ListedAttempt>> => {
  const list: TimeList<ListedAttempt> = {
    ...LIST,
    ranges: (['live', 'test'] as const).map((mode) => callsOf({ accountId, mode })),
    indexed: [sql`at >= ${token.since}`],
    scanned: [sql`token_hash = ${token.hash}`],
    columns: sql`${LISTED}, token_hash`,
    order: 'oldest',
  };
  return readPage(db, list, { limit: ATTEMPTS_ON_CLAIM, scanned: token.scanned });
};

const callsOf = ({ accountId, mode }: CallScope) =>
  sql`attempts where account_id = ${accountId} and mode = ${mode}`;

/** The index that reads the fewest rows; other conditions are checked per row. No `ranges`: no call can match. */
function rangesOf(scope: CallScope, filter: AttemptFilter): Pick<TimeList<unknown>, 'ranges' | 'scanned'> {
  const { key, offer } = filter;
  const causes = causesIn(filter);
  const range = (condition: RawBuilder<unknown>) => sql`${callsOf(scope)} and ${condition}`;
  const nothing = { ranges: [], scanned: [] };
  if ([key, offer].some((id) => id !== undefined && !isUuid(id))) return nothing;
  const byCause = causes?.map((cause) => range(sql`cause = ${cause}`)) ?? [callsOf(scope)];
  const ofCauses = causes === undefined ? [] : [sql`cause in (${sql.join(causes)})`];
  const ofKey = key === undefined ? [] : [sql`api_key_id = ${key}`];
  if (offer !== undefined) {
    // Only calls that found a claim have an offer.
    if (causes?.some(isFound) === false) return nothing;
    return { ranges: [range(sql`offer_id = ${offer}`)], scanned: [...ofKey, ...ofCauses] };
  }
  // Failures are rarer than the calls of a key.
  if (causes?.every(isFailure) === true) return { ranges: byCause, scanned: ofKey };
  if (key !== undefined) return { ranges: [range(ofKey[0]!)], scanned: ofCauses };
  return { ranges: byCause, scanned: [] };
}

export interface FailureGroup {
  readonly cause: Cause;
  /** At most `COUNTED_FAILURES + 1`; that value means “more than `COUNTED_FAILURES`”. */
  readonly calls: number;
  readonly first_at: string;
  readonly last_at: string;
  /** The ID and the key of the latest call. */
  readonly request_id: string;
  readonly api_key_id: string | null;
}

export const COUNTED_FAILURES = 10_000;

export async function groupFailures(
  db: Queryable,
  { accountId, mode }: CallScope,
  since: string,
  counted = COUNTED_FAILURES + 1,
): Promise<FailureGroup[]> {
  const group = (cause: Cause) => {
    const calls = sql`from attempts where account_id = ${accountId} and mode = ${sql.lit(mode)} and cause = ${sql.lit(cause)} and at >= ${since}`;
    return sql`select ${sql.lit(cause)} as cause,
      (select count(*) from (select 1 ${calls} limit ${counted}) counted) as calls,
      (select at ${calls} order by at, id limit 1) as first_at,
      (select at ${calls} order by at desc, id desc limit 1) as last_at,
      (select request_id ${calls} order by at desc, id desc limit 1) as request_id,
      (select api_key_id ${calls} order by at desc, id desc limit 1) as api_key_id`;
  };
  const { rows } =
    await sql<FailureGroup>`select * from (${sql.join(FAILURES.map(group), sql` union all `)}) groups
    where last_at is not null order by last_at desc`.execute(db);
  return rows;
}
