/** Looks up claims by a short ID or a reference, in a few ranges of an existing index. */
import { type RawBuilder, sql } from 'kysely';
import type { DatabaseReader, Engine } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import { rangesOfShortId } from '../short-id.ts';

interface IdDigits {
  readonly digits: string;
}

/** Maximum number of claims of all accounts that are read for one short ID. */
const CLAIMS_WITH_SHORT_ID = 1_000;

/**
 * Searches all accounts. A part for each range, because PostgreSQL reads several ranges only with bitmap scans, which
 * `inIndexOrder` disables. The limit keeps the engine from merging the query and choosing another index.
 */
export function withThisShortId(engine: Engine, shortId: string): RawBuilder<unknown> {
  const { compactId, compactIdDigits } = DIALECTS[engine];
  const { ranges, tail } = rangesOfShortId(shortId);
  const parts = ranges.map(
    ({ from, to }) => sql`select * from claim_rows where id >= ${compactId(from)} and id < ${compactId(to)}
      and substr(${compactIdDigits(sql`id`)}, 31) = ${tail}`,
  );
  return sql`(${sql.join(parts, sql` union all `)} limit ${CLAIMS_WITH_SHORT_ID}) with_short_id`;
}

/** Newest first. `accountId`: `null` searches all accounts. */
export async function listIdsWithShortId(
  { engine, read }: DatabaseReader,
  accountId: string | null,
  shortId: string,
  limit: number,
): Promise<readonly string[]> {
  // Read first: a distributed table is read on all nodes if the number comes from a subquery.
  const ofAccount =
    accountId === null ? sql`true` : sql`account_number = ${await readAccountNumber(read, accountId)}`;
  const { rows } = await sql<IdDigits>`
    select ${DIALECTS[engine].compactIdDigits(sql`id`)} as digits from ${withThisShortId(engine, shortId)}
    where ${ofAccount} order by id desc limit ${limit}`.execute(read);
  return rows.map(uuidOf);
}

/** The accounts and offers are few, so the engine looks up each one's entries. */
const OWNERS = sql`(select account_number from offers)`;

/** Searches all accounts for claims redeemed with the reference, or issued to an external claimant with it. */
export async function listIdsWithReference(
  { engine, read }: DatabaseReader,
  reference: string,
  limit: number,
): Promise<readonly string[]> {
  const digits = sql`${DIALECTS[engine].compactIdDigits(sql`c.id`)} as digits`;
  const lookups = [
    sql<IdDigits>`select ${digits} from claim_references r
      join claim_rows c on c.account_number = r.account_number and c.seq = r.claim_seq
      where r.reference = ${reference} and r.account_number in ${OWNERS} limit ${limit}`,
    // SQLite reads the tables of a cross join in this order, and so looks up each offer's claim in the index.
    sql<IdDigits>`select ${digits} from offers o cross join claim_rows c
      where c.account_number = o.account_number and c.offer_number = o.number and c.mode in ('live', 'test')
        and c.claimant_ref = ${reference} and c.replaced_at is null limit ${limit}`,
    sql<IdDigits>`select ${digits} from claim_rows c
      where c.account_number in ${OWNERS} and c.claimant_ref = ${reference} and c.replaced_at is not null
      limit ${limit}`,
  ];
  const results = await Promise.all(lookups.map((lookup) => lookup.execute(read)));
  return [...new Set(results.flatMap(({ rows }) => rows.map(uuidOf)))];
}

const uuidOf = ({ digits }: IdDigits): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
