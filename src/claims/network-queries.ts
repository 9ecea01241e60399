/** Claims on limited offers, counted by network and mail domain, and by hour. A job deletes the counts after a day. */
import { sql } from 'kysely';
import {
  type DatabaseReader,
  type Engine,
  isFound,
  type Queryable,
  type Transaction,
} from '../store/database.ts';
import { DIALECTS } from '../store/dialects.ts';
import { insertionOf, type RowColumns } from '../store/insert-rows.ts';
import { readAccountNumber } from '../store/numbers.ts';
import type { Iso } from '../text/time-text.ts';

/** Begins the key of a mail domain, which is stored like a network's. Hashes of networks never begin with it. */
export const DOMAIN_MARK = '@';

export interface NetworkClaims {
  readonly account_number: number;
  readonly offer_id: string;
  /** The result of `networkKey` or `domainKey`. */
  readonly network: string;
  readonly hour: Iso;
  readonly claims: number;
  /** The claims by new accounts. */
  readonly new_claims: number;
}

export type NetworkOfOffer = Pick<NetworkClaims, 'account_number' | 'offer_id' | 'network'>;

/** Claims on an offer in one network within the hour. */
export interface HourOfNetwork {
  readonly claims: number;
  /** The claims by new accounts. */
  readonly newClaims: number;
}

export const networkPair = ({ offer_id, network }: Pick<NetworkOfOffer, 'offer_id' | 'network'>): string =>
  `${offer_id} ${network}`;

/** Keyed by `networkPair`. The caller must hold the locks on the offers. */
export async function readHourOfNetworks(
  db: Queryable,
  of: readonly NetworkOfOffer[],
  hour: Iso,
): Promise<Map<string, HourOfNetwork>> {
  if (of.length === 0) return new Map();
  const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
  const rows = await db
    .selectFrom('claim_networks')
    .select(['offer_id', 'network', 'claims', 'new_claims'])
    .where('account_number', 'in', unique(of.map(({ account_number }) => account_number)))
    .where('offer_id', 'in', unique(of.map(({ offer_id }) => offer_id)))
    .where('hour', '=', hour)
    .where('network', 'in', unique(of.map(({ network }) => network)))
    .execute();
  return new Map(
    rows.map((row) => [networkPair(row), { claims: Number(row.claims), newClaims: Number(row.new_claims) }]),
  );
}

const COLUMNS: RowColumns<NetworkClaims> = {
  account_number: 'integer',
  offer_id: 'uuid',
  network: 'text',
  hour: 'time',
  claims: 'integer',
  new_claims: 'integer',
};

/** `rows`: at most one for each offer and network. */
export async function addNetworkClaims(
  tx: Transaction,
  engine: Engine,
  rows: readonly NetworkClaims[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`${insertionOf(engine, 'claim_networks', COLUMNS, rows)}
    on conflict (account_number, offer_id, hour, network) do update set
      claims = claim_networks.claims + excluded.claims,
      new_claims = claim_networks.new_claims + excluded.new_claims`.execute(tx);
}

/** Claims of each network since `since`, largest first. */
export async function sumNetworkClaims(
  db: Queryable,
  offer: { readonly account_id: string; readonly id: string },
  since: Iso,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('claim_networks')
    .select(({ fn }) => ['network', fn.sum<number>('claims').as('claims')])
    .where('account_number', '=', await readAccountNumber(db, offer.account_id))
    .where('offer_id', '=', offer.id)
    .where('hour', '>=', since)
    .where('network', 'not like', `${DOMAIN_MARK}%`)
    .groupBy('network')
    .execute();
  return rows.map(({ claims }) => Number(claims)).sort((a, b) => b - a);
}

/** Email addresses of the people with a live claim on the offer since `since`. Omits deleted accounts. */
export async function listClaimantEmails(
  { engine, read }: DatabaseReader,
  offer: { readonly account_id: string; readonly id: string },
  since: Iso,
  limit: number,
): Promise<string[]> {
  const rows = await read
    .selectFrom('claim_rows')
    .innerJoin('accounts', 'accounts.number', 'claim_rows.claimant_number')
    .select('accounts.email')
    .where('claim_rows.account_number', '=', await readAccountNumber(read, offer.account_id))
    .where('claim_rows.offer_number', '=', (eb) =>
      eb.selectFrom('offers').select('offers.number').where('offers.id', '=', offer.id),
    )
    .where('claim_rows.mode', '=', 'live')
    .where('claim_rows.claimed_at', '>=', DIALECTS[engine].compactTime(since))
    .where('accounts.deleted_at', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}

const isOld = (before: Iso) => sql<boolean>`hour < ${before}`;

export const hasNetworkClaims = (db: Queryable, before: Iso): Promise<boolean> =>
  isFound(db.selectFrom('claim_networks').select('offer_id').where(isOld(before)).limit(1));

export const deleteNetworkClaims = (tx: Transaction, before: Iso): Promise<unknown> =>
  tx.deleteFrom('claim_networks').where(isOld(before)).execute();
