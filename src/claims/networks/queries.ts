/** Claims on limited offers, counted by network and mail domain, and by period. A job deletes the counts after a day. */
import { sql } from 'kysely';
import {
  type DatabaseReader,
  type Engine,
  isFound,
  type Queryable,
  type Transaction,
} from '../../platform/store/database.ts';
import { type ColumnKind, DIALECTS } from '../../platform/store/dialects.ts';
import { insertionOf, type RowColumns } from '../../platform/store/insert-rows.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import type { Iso } from '../../platform/text/time-text.ts';

/** Begins the key of a mail domain, which is stored like a network's. Hashes of networks never begin with it. */
export const DOMAIN_MARK = '@';

export interface NetworkClaims {
  readonly account_number: number;
  readonly offer_id: string;
  /** The result of `networkKey` or `domainKey`. */
  readonly network: string;
  /** The start of the period (`periodOf`). */
  readonly since: Iso;
  readonly claims: number;
  /** The claims that count towards the share (`share.ts`). */
  readonly counted: number;
}

export type NetworkOfOffer = Pick<NetworkClaims, 'account_number' | 'offer_id' | 'network'>;

/** Claims on an offer from one network, or with one mail domain, within the last hour. */
export interface HourOfSource {
  readonly claims: number;
  /** The claims that count towards the share. */
  readonly counted: number;
  /** The start of the first period with a claim that counts; `null` if there is none. */
  readonly since: Iso | null;
}

export const networkPair = ({ offer_id, network }: Pick<NetworkOfOffer, 'offer_id' | 'network'>): string =>
  `${offer_id} ${network}`;

/** Keyed by `networkPair`. The caller must hold the locks on the offers. */
export async function readHourOfSources(
  db: Queryable,
  engine: Engine,
  of: readonly NetworkOfOffer[],
  { after, upTo }: { readonly after: Iso; readonly upTo: Iso },
): Promise<Map<string, HourOfSource>> {
  if (of.length === 0) return new Map();
  const isOneOf = (column: keyof NetworkOfOffer, kind: ColumnKind) =>
    DIALECTS[engine].isOneOf(sql.ref(column), kind, [...new Set(of.map((one) => one[column]))]);
  const rows = await db
    .selectFrom('claim_networks')
    .select(['offer_id', 'network', 'since', 'claims', 'counted'])
    .where(isOneOf('account_number', 'integer'))
    .where(isOneOf('offer_id', 'uuid'))
    .where('since', '>', after)
    .where('since', '<=', upTo)
    .where(isOneOf('network', 'text'))
    .orderBy('since')
    .execute();
  const hours = new Map<string, HourOfSource>();
  for (const row of rows) addToHour(hours, row);
  return hours;
}

/** `counts`: of the same period as those in `hours`, or of a later one. */
export function addToHour(
  hours: Map<string, HourOfSource>,
  counts: Omit<NetworkClaims, 'account_number'>,
): void {
  const { claims, counted, since } = hours.get(networkPair(counts)) ?? NO_CLAIMS;
  hours.set(networkPair(counts), {
    claims: claims + Number(counts.claims),
    counted: counted + Number(counts.counted),
    since: since ?? (Number(counts.counted) > 0 ? counts.since : null),
  });
}

export const NO_CLAIMS: HourOfSource = { claims: 0, counted: 0, since: null };

const COLUMNS: RowColumns<NetworkClaims> = {
  account_number: 'integer',
  offer_id: 'uuid',
  network: 'text',
  since: 'time',
  claims: 'integer',
  counted: 'integer',
};

/** `rows`: at most one for each offer and network. */
export async function addNetworkClaims(
  tx: Transaction,
  engine: Engine,
  rows: readonly NetworkClaims[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`${insertionOf(engine, 'claim_networks', COLUMNS, rows)}
    on conflict (account_number, offer_id, since, network) do update set
      claims = claim_networks.claims + excluded.claims,
      counted = claim_networks.counted + excluded.counted`.execute(tx);
}

/** The number of claims from each network, largest first. */
export async function countClaimsByNetwork(
  db: Queryable,
  offer: { readonly account_id: string; readonly id: string },
  since: Iso,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('claim_networks')
    .select(({ fn }) => ['network', fn.sum<number>('claims').as('claims')])
    .where('account_number', '=', await readAccountNumber(db, offer.account_id))
    .where('offer_id', '=', offer.id)
    .where('since', '>=', since)
    .where('network', 'not like', `${DOMAIN_MARK}%`)
    .groupBy('network')
    .execute();
  return rows.map(({ claims }) => Number(claims)).sort((a, b) => b - a);
}

/**
 * Email addresses of the people with one of the newest `limit` live claims on the offer since `since`. Omits deleted
 * accounts. The limit includes claims without a person, because there may be millions of them.
 */
export async function listClaimantEmails(
  { engine, read }: DatabaseReader,
  offer: { readonly account_id: string; readonly id: string },
  since: Iso,
  limit: number,
): Promise<string[]> {
  const newest = read
    .selectFrom('claim_rows')
    .select('claim_rows.claimant_number')
    .where('claim_rows.account_number', '=', await readAccountNumber(read, offer.account_id))
    .where('claim_rows.offer_number', '=', (eb) =>
      eb.selectFrom('offers').select('offers.number').where('offers.id', '=', offer.id),
    )
    .where('claim_rows.mode', '=', 'live')
    .where('claim_rows.claimed_at', '>=', DIALECTS[engine].compactTime(since))
    .orderBy('claim_rows.claimed_at', 'desc')
    .limit(limit);
  const rows = await read
    .selectFrom(newest.as('newest'))
    .innerJoin('accounts', 'accounts.number', 'newest.claimant_number')
    .select('accounts.email')
    .where('accounts.deleted_at', 'is', null)
    .execute();
  return rows.map(({ email }) => email);
}

const isOld = (before: Iso) => sql<boolean>`since < ${before}`;

export const hasNetworkClaims = (db: Queryable, before: Iso): Promise<boolean> =>
  isFound(db.selectFrom('claim_networks').select('offer_id').where(isOld(before)).limit(1));

/** Deletes at most `limit` rows. Returns how many. */
export async function deleteNetworkClaims(tx: Transaction, before: Iso, limit: number): Promise<number> {
  const old = await tx
    .selectFrom('claim_networks')
    .select(['account_number', 'offer_id', 'since', 'network'])
    .where(isOld(before))
    .orderBy('since')
    .limit(limit)
    .execute();
  const groups = Map.groupBy(old, ({ offer_id, since }) => `${offer_id} ${since}`);
  for (const rows of groups.values()) {
    const { account_number, offer_id, since } = rows[0]!;
    const networks = rows.map(({ network }) => network);
    await tx
      .deleteFrom('claim_networks')
      .where('account_number', '=', account_number)
      .where('offer_id', '=', offer_id)
      .where('since', '=', since)
      .where('network', 'in', networks)
      .execute();
  }
  return old.length;
}
