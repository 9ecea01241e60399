/** SQL of link probes: what the last requests to the addresses of a listing found. */
import { sql } from 'kysely';
import type { Queryable, Transaction } from '../store/database.ts';
import type { Listing } from './queries.ts';

export interface LinkAnswer {
  readonly link: string;
  /** `null`: there was no answer. */
  readonly status: number | null;
  readonly failure: string | null;
}

export interface LinkProbes {
  readonly listingId: string;
  /** The version of the listing whose links were requested. */
  readonly version: number;
  readonly at: string;
  readonly answers: readonly LinkAnswer[];
}

export async function readLinkProbes(
  db: Queryable,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, LinkProbes>> {
  if (listingIds.length === 0) return new Map();
  const rows = await db.selectFrom('link_probes').selectAll().where('listing_id', 'in', listingIds).execute();
  return new Map(
    rows.map(({ listing_id, version, at, answers }) => [
      listing_id,
      { listingId: listing_id, version, at, answers: JSON.parse(answers) as readonly LinkAnswer[] },
    ]),
  );
}

export async function putLinkProbes(
  tx: Transaction,
  { listingId, version, at, answers }: LinkProbes,
): Promise<void> {
  const values = { version, at, answers: JSON.stringify(answers) };
  await tx
    .insertInto('link_probes')
    .values({ listing_id: listingId, ...values })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet(values))
    .execute();
}

/**
 * Listings with an address that waits for the operator, changed since their last probe. Listings probed after `before`
 * have to wait. The conditions are literals, since SQLite uses a partial index only for those.
 */
export async function findUnprobedListings(
  db: Queryable,
  before: string,
  limit: number,
): Promise<readonly Listing[]> {
  const unprobed = () =>
    db
      .selectFrom('listings')
      .leftJoin('link_probes', 'link_probes.listing_id', 'listings.id')
      .selectAll('listings')
      .where(
        sql<boolean>`(link_probes.at is null or (link_probes.version <> listings.version and link_probes.at < ${before}))`,
      )
      .limit(limit);
  const isLive = sql<boolean>`listings.state in ('approved', 'suspended')`;
  const found = await Promise.all([
    unprobed().where(sql<boolean>`listings.state = 'pending'`).orderBy('listings.submitted_at').execute(),
    unprobed()
      .where(sql<boolean>`listings.proposed_url is not null and listings.declined_reason is null`)
      .where(isLive)
      .orderBy('listings.proposed_at')
      .execute(),
    unprobed()
      .innerJoin('offers', 'offers.listing_id', 'listings.id')
      .where(sql<boolean>`offers.proposed_link is not null and offers.declined_reason is null`)
      .where(isLive)
      .orderBy('offers.proposed_at')
      .execute(),
  ]);
  return [...new Map(found.flat().map((listing) => [listing.id, listing])).values()].slice(0, limit);
}
