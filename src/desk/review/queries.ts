/** SQL of the operator's reviews: the queue, oldest first, and everything about a listing. */

import { type RawBuilder, sql } from 'kysely';
import type { Plan } from '../../accounts/account.ts';
import { findOwnListing, type OwnListing } from '../../listings/counted-queries.ts';
import { listingKey } from '../../listings/listing.ts';
import type { Listing } from '../../listings/queries.ts';
import {
  type LinkProbes,
  readLinkProbes,
  type Waiting,
  waitingSources,
} from '../../listings/queue-queries.ts';
import {
  type Difference,
  differencesSinceAsked,
  listingDifferences,
  type ReviewedLink,
  readAsked,
  reviewLink,
  reviewLinks,
  reviewUrl,
  waitingChanges,
} from '../../listings/review.ts';
import { type CountedOffer, listCountedOffers } from '../../offers/queries.ts';
import type { Queryable } from '../../store/database.ts';
import { parseIdCursor, writeCursor } from '../../store/scan.ts';

const QUEUE_PAGE = 25;
/** Events of a listing and its offers; older ones are not shown. */
const MAX_HISTORY = 200;

interface ListingOwner {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** One item to decide, with `listing.version`, so that nobody decides on something they have not seen. */
export interface QueueItem {
  readonly kind: Waiting['kind'];
  readonly since: string;
  readonly listing: Listing;
  readonly owner: ListingOwner;
  /** The offer with the waiting link; `null` for the other kinds. */
  readonly offer: CountedOffer | null;
  readonly differences: readonly Difference[];
  readonly links: readonly ReviewedLink[];
  /** What requests to the links found; `null`: not requested yet. */
  readonly probes: LinkProbes | null;
}

export interface Queue {
  readonly items: readonly QueueItem[];
  readonly next: string | null;
}

/** The queue by age. `after`: `next` of the previous page. */
export async function listQueue(
  db: Queryable,
  page: { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
): Promise<Queue> {
  const limit = page.limit ?? QUEUE_PAGE;
  const cursor = parseIdCursor(page.after);
  const sources = await Promise.all(
    waitingSources(db).map((source) => {
      const all = db.selectFrom(source.as('waiting')).selectAll();
      const rest =
        cursor === null ? all : all.where(sql<boolean>`(since, id) > (${cursor.at}, ${cursor.id})`);
      return rest
        .orderBy('since')
        .orderBy('id')
        .limit(limit + 1)
        .execute();
    }),
  );
  const waiting = sources.flat().sort(byAge);
  const shown = waiting.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: await readItems(db, shown),
    next: waiting.length > limit && last !== undefined ? writeCursor({ at: last.since, id: last.id }) : null,
  };
}

export const hasNoListing = async (db: Queryable): Promise<boolean> =>
  (await db.selectFrom('listings').select('id').limit(1).executeTakeFirst()) === undefined;

export interface Neighbours {
  readonly previous: string | null;
  readonly next: string | null;
}

/** The listings before and after one in the queue. If it is not in the queue, `next` is the first one. */
export async function findNeighbours(db: Queryable, listingId: string): Promise<Neighbours> {
  const own = await nearest(db, sql<boolean>`${sql.ref('listingId')} = ${listingId}`, 'asc');
  const isOther = sql`${sql.ref('listingId')} <> ${listingId}`;
  const from = (side: '<' | '>') =>
    own === null
      ? sql<boolean>`${isOther}`
      : sql<boolean>`${isOther} and (since, id) ${sql.raw(side)} (${own.since}, ${own.id})`;
  const [previous, next] = await Promise.all([
    own === null ? null : nearest(db, from('<'), 'desc'),
    nearest(db, from('>'), 'asc'),
  ]);
  return { previous: previous?.listingId ?? null, next: next?.listingId ?? null };
}

/** The oldest (`asc`) or newest matching item. */
async function nearest(
  db: Queryable,
  condition: RawBuilder<boolean>,
  way: 'asc' | 'desc',
): Promise<Waiting | null> {
  const found = await Promise.all(
    waitingSources(db).map((source) =>
      db
        .selectFrom(source.as('waiting'))
        .selectAll()
        .where(condition)
        .orderBy('since', way)
        .orderBy('id', way)
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  const byWay = found.filter((waiting) => waiting !== undefined).sort(byAge);
  return (way === 'asc' ? byWay[0] : byWay.at(-1)) ?? null;
}

const byAge = (a: Waiting, b: Waiting): number =>
  a.since === b.since ? order(a.id, b.id) : order(a.since, b.since);

const order = (a: string, b: string): number => (a < b ? -1 : 1);

async function readItems(db: Queryable, waiting: readonly Waiting[]): Promise<readonly QueueItem[]> {
  if (waiting.length === 0) return [];
  const listingIds = [...new Set(waiting.map(({ listingId }) => listingId))];
  const rows = await db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .selectAll('listings')
    .select(['accounts.name as owner_name', 'accounts.email as owner_email'])
    .where('listings.id', 'in', listingIds)
    .execute();
  const offers = Map.groupBy(await listCountedOffers(db, rows), (offer) => offer.listing_id);
  const probes = await readLinkProbes(db, listingIds);
  return waiting.flatMap(({ kind, since, id, listingId }): readonly QueueItem[] => {
    const row = rows.find((candidate) => candidate.id === listingId);
    if (row === undefined) return [];
    const { owner_name, owner_email, ...listing } = row;
    const owner = { id: listing.account_id, name: owner_name, email: owner_email };
    const item = { kind, since, listing, owner, offer: null, probes: probes.get(listingId) ?? null };
    const ofListing = offers.get(listingId) ?? [];
    if (kind === 'listing') {
      const asked = readAsked(listing);
      const differences =
        asked === null
          ? listingDifferences(listing, ofListing)
          : differencesSinceAsked(asked, listing, ofListing);
      return [{ ...item, differences, links: reviewLinks(listing, ofListing, listing.state) }];
    }
    const change = waitingChanges(listing, ofListing).find((one) => (one.offer?.id ?? listing.id) === id);
    // Decided between the two reads.
    if (change === undefined) return [];
    const link = change.difference.proposed!;
    const { offer } = change;
    const reviewed =
      offer === null ? reviewUrl(link, listing.origin) : reviewLink(offer.id, link, listing.origin);
    return [{ ...item, offer, differences: [change.difference], links: [reviewed] }];
  });
}

export interface ListingEvent {
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  /** The listing, or one of its offers. */
  readonly subjectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface DeskListing {
  readonly listing: OwnListing;
  readonly owner: ListingOwner & { readonly plan: Plan; readonly isSuspended: boolean };
  readonly offers: readonly CountedOffer[];
  /** The changes that an approval would make. */
  readonly differences: readonly Difference[];
  readonly links: readonly ReviewedLink[];
  readonly probes: LinkProbes | null;
  readonly history: readonly ListingEvent[];
}

/** Everything about a listing, for the operator; `null` if no listing has this id or slug. */
export async function findDeskListing(db: Queryable, reference: string): Promise<DeskListing | null> {
  const [key, value] = listingKey(reference);
  const found = await db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .select([
      'listings.id',
      'accounts.id as account_id',
      'accounts.name',
      'accounts.email',
      'accounts.plan',
      'accounts.suspended_at',
    ])
    .where(`listings.${key}`, '=', value)
    .executeTakeFirst();
  if (found === undefined) return null;
  const owner = {
    id: found.account_id,
    name: found.name,
    email: found.email,
    plan: found.plan,
    isSuspended: found.suspended_at !== null,
  };
  const listing = await findOwnListing(db, owner.id, found.id);
  if (listing === null) return null;
  const offers = await listCountedOffers(db, [listing]);
  return {
    listing,
    owner,
    offers,
    differences:
      listing.state === 'pending'
        ? listingDifferences(listing, offers)
        : waitingChanges(listing, offers).map(({ difference }) => difference),
    links: reviewLinks(listing, offers, listing.state),
    probes: (await readLinkProbes(db, [listing.id])).get(listing.id) ?? null,
    history: await listHistory(db, owner.id, [listing.id, ...offers.map(({ id }) => id)]),
  };
}

async function listHistory(
  db: Queryable,
  accountId: string,
  subjectIds: readonly string[],
): Promise<readonly ListingEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['seq', 'type', 'at', 'actor', 'subject_id', 'data'])
    .where('account_id', '=', accountId)
    .where('subject_id', 'in', subjectIds)
    // The same condition as in the index of the audit log.
    .where(sql<boolean>`type <> 'claim.created' and type <> 'claim.redeemed'`)
    .orderBy('seq', 'desc')
    .limit(MAX_HISTORY)
    .execute();
  return rows.map(({ subject_id, data, ...event }) => ({
    ...event,
    subjectId: subject_id,
    data: JSON.parse(data),
  }));
}
