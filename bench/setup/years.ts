/** Inserts five years of claims, events and counts with SQL, because `claimcheck` commands would take hours. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { hashToken } from '../../src/claims/token.ts';
import { DATABASE_FILE } from '../../src/platform/store/open.ts';
import { monthStart, PARTITIONED_TABLES } from '../../src/platform/store/partitions.ts';
import type { Installation } from './installation.ts';
import { addListings } from './listings.ts';

const MONTHS = 60;
/** Months with daily counts. Earlier months have only monthly counts. */
const MONTHS_WITH_DAYS = 14;
/** The benchmark's own account has 40% of the claims: half on one listing, half on these. The other owners have the rest. */
const OWN_LISTINGS = 499;
const OTHER_OWNERS = 2_000;
const LABELS = 500;
const LABELS_OF_OTHER_LISTINGS = 8;
export interface Years {
  readonly claims: number;
  /** A redeemed claim usually has two. With more, the event log is larger than in practice. */
  readonly eventsAClaim: number;
  /** Number of events of which one is about a key, even. All others are about claims. */
  readonly eventsAnAuditEvent: number;
  /** Number of the oldest claims on the main listing that have the label `podcast`. */
  readonly ofPodcast: number;
  /** Number of claims on the main listing with the label `rare`, spread over all years. */
  readonly rare: number;
}

/** The number of claims that `addYears` adds: as many in each month. */
export const claimsOfYears = (claims: number): number => Math.floor(claims / MONTHS) * MONTHS;

/** Token of claim number `n`, counted from 0. */
export const tokenOfYears = (n: number): string => `bench-${digest(n)}`;

const digest = (n: number | bigint): string => createHash('md5').update(String(n)).digest('hex');

/** Whether claim number `n` is on the main listing and not redeemed. */
export const isFreeOnMainListing = (n: number): boolean => n % 10 < 2 && n % 7 >= 4;

/** SQL that differs between the engines. */
interface Dialect {
  run(text: string): Promise<Record<string, unknown>[]>;
  /** `n` from 0 to `count - 1`. */
  series(count: number): string;
  time(ms: string): string;
  /** Time of an event of a claim, and of another event. */
  eventTime(ms: string): string;
  auditTime(ms: string): string;
  day(ms: string): string;
  /** ID and token hash of claim number `n`, created at `ms`. */
  id(n: string, ms: string): string;
  tokenHash(n: string): string;
  uuid: string;
  json(text: string): string;
  /** Runs `work` without the indexes of the tables, and creates them afterwards. */
  withoutIndexes(tables: readonly string[], work: () => Promise<void>): Promise<void>;
  finish(): Promise<void>;
}

/** Adds claims and their events, spread over the previous `MONTHS` months. Four in seven claims are redeemed. */
export async function addYears(
  installation: Installation,
  years: Years,
  say: (text: string) => void,
): Promise<void> {
  const db =
    installation.databaseUrl === null
      ? openFile(join(installation.folder, 'data', DATABASE_FILE))
      : await openServer(installation.databaseUrl);
  const numbers = await addOwners(installation);
  const each = Math.floor(years.claims / MONTHS);
  const [last] = await db.run('select coalesce(max(seq), 0) as seq from claim_rows');
  const firstSeq = Number(last!['seq']) + 1;
  await db.withoutIndexes(['claim_rows', 'event_rows'], async () => {
    for (let month = 0; month < MONTHS; month++)
      await addMonth(db, { ...years, ...numbers, firstSeq, each, month }, say);
  });
  await sumCounts(db);
  await db.finish();
}

interface OwnerNumbers {
  readonly account: number;
  readonly offer: number;
  /** Numbers of the first other offer of this account, of the first other account, and of its offer. The rest follow. */
  readonly nextOffer: number;
  readonly otherAccount: number;
  readonly otherOffer: number;
}

async function addOwners({ query, accountId, offerId }: Installation): Promise<OwnerNumbers> {
  const numberOf = async (table: string, id: string): Promise<number> =>
    Number((await query(`select number from ${table} where id = '${id}'`))[0]!['number']);
  const account = await numberOf('accounts', accountId);
  const at = new Date(Date.now() - MONTHS * 31 * 86_400_000).toISOString();
  const idOf = (n: number) => `01a00000-0000-7000-a000-${String(n).padStart(12, '0')}`;
  await query(
    `insert into accounts (id, email, mailbox, name, plan, created_at) values ${Array.from(
      { length: OTHER_OWNERS },
      (_, n) =>
        `('${idOf(n)}', 'owner-${n}@years.example', 'owner-${n}@years.example', 'Owner ${n}', 'studio', '${at}')`,
    ).join()}`,
  );
  const otherAccount = await numberOf('accounts', idOf(0));
  const own = Array.from({ length: OWN_LISTINGS }, () => ({ id: accountId, number: account }));
  const others = Array.from({ length: OTHER_OWNERS }, (_, n) => ({ id: idOf(n), number: otherAccount + n }));
  const offers = await addListings({ query }, 'years', [...own, ...others]);
  return {
    account,
    offer: await numberOf('offers', offerId),
    nextOffer: offers.firstNumber,
    otherAccount,
    otherOffer: offers.firstNumber + OWN_LISTINGS,
  };
}

interface Month extends Years, OwnerNumbers {
  /** Number of the first claim of the first month in the table. */
  readonly firstSeq: number;
  readonly each: number;
  readonly month: number;
}

async function addMonth(db: Dialect, of: Month, say: (text: string) => void): Promise<void> {
  const { each, month } = of;
  const from = monthStart(Date.now(), month + 1 - MONTHS);
  const claims = claimsOf(of, Date.parse(from));
  const firstSeq = of.firstSeq + month * each;
  await db.run(`insert into claim_rows (account_number, offer_number, claimed_at, redeemed_at, is_imported, id, mode,
      token_hash, via, claimant_ref)
    select account_number, offer_number, ${db.time('claimed_ms')}, ${db.time('redeemed_ms')}, 1,
      ${db.id('g', 'claimed_ms')}, 'live', ${db.tokenHash('g')}, via, case g % 4 when 0 then 'user-' || g end
    from (${claims(db.series(each))}) claims`);
  const isAudit = `e % ${of.eventsAnAuditEvent} = 7`;
  await db.run(`insert into event_rows (account_number, type, at, claim_seq, actor, subject_id, data)
    select account_number,
      case when ${isAudit} then 'key.created' when e % 2 = 0 then 'claim.created' else 'claim.redeemed' end,
      case when ${isAudit} then ${db.auditTime('claimed_ms')} when e % 2 = 0 then ${db.eventTime('claimed_ms')}
        else ${db.eventTime('redeemed_ms')} end,
      case when not ${isAudit} then ${firstSeq} + n end, case when ${isAudit} then 'operator' end,
      case when ${isAudit} then ${db.uuid} end,
      case when ${isAudit} then ${db.json('{"name": "web server", "mode": "live", "start": "cck_live_0000"}')} end
    from (${claims(`select n / ${of.eventsAClaim} as n, n as e from (${db.series(each * of.eventsAClaim)}) events`, ', e')}) claims
    where ${isAudit} or e % 2 = 0 or redeemed_ms is not null`);
  const counts = (table: string, unit: string, value: string) =>
    db.run(`insert into ${table} (account_number, listing_id, ${unit}, via, claims, redeemed)
      select c.account_number, o.listing_id, ${value}, coalesce(c.via, ''), count(*), count(c.redeemed_ms)
      from (${claims(db.series(each))}) c join offers o on o.number = c.offer_number group by 1, 2, 3, 4`);
  await counts('label_months', 'month', `'${from.slice(0, 7)}'`);
  if (MONTHS - month <= MONTHS_WITH_DAYS) await counts('label_days', 'day', db.day('c.claimed_ms'));
  await db.run(`insert into market_days (day, claims, redeemed)
    select ${db.day('claimed_ms')}, count(*), count(redeemed_ms) from (${claims(db.series(each))}) claims group by 1`);
  say(`  ${from.slice(0, 7)}`);
}

/** SQL for the claims of a month: `series` has their numbers `n` within the month. `g` is the number among all claims. */
function claimsOf(of: Month, fromMs: number): (series: string, more?: string) => string {
  const { month, each } = of;
  const isLast = month === MONTHS - 1;
  const untilMs = isLast
    ? Date.now() - 2 * 3_600_000
    : Date.parse(monthStart(Date.now(), month + 2 - MONTHS));
  const spanMs = Math.max(untilMs - fromMs, 1);
  // Of every ten claims, two are on the main listing, two on the account's other listings, and six of another owner.
  const main = '(g / 10 * 2 + g % 10)';
  const skewed = (number: string, count: number) =>
    `(${number} * 7919 % ${count} * (${number} * 7919 % ${count}) / ${count})`;
  const rareStep = Math.floor((of.claims / 5 - of.ofPodcast) / of.rare);
  const owner = skewed('(g / 10)', OTHER_OWNERS);
  return (series, more = '') => `
    select n, g${more}, claimed_ms,
      case when g % 7 < 4 and ${isLast ? 'false' : 'true'} then claimed_ms + g % 5000 * 1000 end as redeemed_ms,
      case when g % 10 < 4 then ${of.account} else ${of.otherAccount} + ${owner} end as account_number,
      case when g % 10 < 2 then ${of.offer} when g % 10 < 4 then ${of.nextOffer} + g / 10 % ${OWN_LISTINGS}
        else ${of.otherOffer} + ${owner} end as offer_number,
      case when g % 10 >= 4 then case g / 10 % 2 when 0 then 'newsletter' end
        when g % 10 >= 2 then 'label-' || g / 10 / ${OWN_LISTINGS} % ${LABELS_OF_OTHER_LISTINGS}
        when ${main} < ${of.ofPodcast} then 'podcast'
        when ${main} % ${rareStep} = ${rareStep - 1} then 'rare'
        else 'label-' || ${skewed(main, LABELS)} end as via
    from (select n${more}, ${month * each} + n as g, ${fromMs} + ${spanMs} * n / ${each} as claimed_ms
      from (${series}) series) numbered`;
}

async function sumCounts(db: Dialect): Promise<void> {
  await db.run(`insert into label_counts (account_number, listing_id, via, claims, redeemed)
    select account_number, listing_id, via, sum(claims), sum(redeemed) from label_months group by 1, 2, 3`);
  await db.run('delete from offer_claims');
  await db.run(`insert into offer_claims (account_number, offer_id, claims)
    select o.account_number, o.id, coalesce(sum(c.claims), 0) from offers o
      left join label_counts c on c.account_number = o.account_number and c.listing_id = o.listing_id group by 1, 2`);
}

function openFile(file: string): Dialect {
  const db = new DatabaseSync(file);
  const run = async (text: string) => db.prepare(text).all() as Record<string, unknown>[];
  // Without a journal, because a transaction of this size would write everything twice.
  for (const setting of [
    'journal_mode = delete',
    'journal_mode = off',
    'synchronous = off',
    'cache_size = -500000',
  ])
    db.exec(`pragma ${setting}`);
  db.function('claim_id', { useBigIntArguments: true }, (n, ms) =>
    Buffer.from(claimId(n as bigint, ms as bigint), 'hex'),
  );
  db.function('claim_hash', (n) => hashToken(tokenOfYears(Number(n))));
  db.function('random_uuid', () => crypto.randomUUID());
  return {
    run,
    series: (count) =>
      `with recursive series (n) as (select 0 union all select n + 1 from series where n < ${count - 1}) select n from series`,
    time: (ms) => ms,
    eventTime: () => 'null',
    auditTime: (ms) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`,
    day: (ms) => `strftime('%Y-%m-%d', ${ms} / 1000, 'unixepoch')`,
    id: (n, ms) => `claim_id(${n}, ${ms})`,
    tokenHash: (n) => `claim_hash(${n})`,
    uuid: 'random_uuid()',
    json: (text) => `'${text}'`,
    withoutIndexes: async (tables, work) => {
      const names = tables.map((name) => `'${name}'`).join();
      const indexes = await run(
        `select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in (${names})`,
      );
      for (const { name } of indexes) db.exec(`drop index ${name}`);
      db.exec('begin');
      await work();
      db.exec('commit');
      for (const { sql } of indexes) db.exec(String(sql));
    },
    finish: async () => {
      db.exec('analyze');
      db.exec('pragma journal_mode = wal');
      db.close();
    },
  };
}

function claimId(n: bigint, ms: bigint): string {
  const random = digest(n);
  return `${ms.toString(16).padStart(12, '0')}7${random.slice(0, 3)}8${random.slice(3, 18)}`;
}

async function openServer(url: string): Promise<Dialect> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
  for (const setting of ["maintenance_work_mem = '2GB'", "work_mem = '256MB'", 'synchronous_commit = off'])
    await run(`set ${setting}`);
  const time = (ms: string) => `to_timestamp(${ms} / 1000.0)`;
  return {
    run,
    series: (count) => `select n from generate_series(0::bigint, ${count - 1}) n`,
    time,
    eventTime: time,
    auditTime: time,
    day: (ms) => `to_char(${time(ms)} at time zone 'UTC', 'YYYY-MM-DD')`,
    id: (n, ms) =>
      `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(${n}::text), 1, 3) || '8' || substr(md5(${n}::text), 4, 15))::uuid`,
    tokenHash: (n) => `substr(sha256(convert_to('bench-' || md5(${n}::text), 'UTF8')), 1, 16)`,
    uuid: 'gen_random_uuid()',
    json: (text) => `'${text}'::jsonb`,
    withoutIndexes: async (tables, work) => {
      // With wal_level = minimal, tables that this transaction creates or truncates are not logged.
      await run('begin');
      await run('truncate claim_rows, label_counts, label_days, label_months');
      await createPartitions(run);
      const names = tables.map((name) => `'${name}'::regclass`).join();
      const constraints = await run(`select conname as name, conrelid::regclass::text as "table",
        pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'p' and conrelid in (${names})`);
      for (const { name, table } of constraints) await run(`alter table ${table} drop constraint ${name}`);
      const indexes =
        await run(`select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
        from pg_index where indrelid in (${names})`);
      for (const { name } of indexes) await run(`drop index ${name}`);
      await work();
      for (const { name, table, definition } of constraints)
        await run(`alter table ${table} add constraint ${name} ${definition}`);
      // Without ONLY, the index of a partitioned table is created on every partition.
      for (const { definition } of indexes) await run(String(definition).replace(' ON ONLY ', ' ON '));
      await run('commit');
    },
    finish: async () => {
      await run('vacuum (analyze)');
      await run('checkpoint');
      await client.end();
    },
  };
}

async function createPartitions(run: Dialect['run']): Promise<void> {
  for (let before = MONTHS - 1; before >= 0; before--) {
    const [from, until] = [monthStart(Date.now(), -before), monthStart(Date.now(), 1 - before)];
    for (const table of PARTITIONED_TABLES) {
      const name = `${table}_${from.slice(0, 7).replace('-', '_')}`;
      await run(
        `create table if not exists ${name} partition of ${table} for values from ('${from}') to ('${until}')`,
      );
    }
  }
}
