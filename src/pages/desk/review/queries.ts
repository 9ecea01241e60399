import { sql } from 'kysely';
import { findOwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { hasLiveVersion } from '../../../marketplace/listings/listing.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import {
  listQuestions,
  type Question,
  readNewestQuestions,
} from '../../../marketplace/listings/question-queries.ts';
import {
  type LinkProbes,
  readLinkProbes,
  readWaiting,
  type Waiting,
} from '../../../marketplace/listings/queue-queries.ts';
import { listOpenReports, type OpenReport } from '../../../marketplace/listings/report-queries.ts';
import {
  type Difference,
  differencesSinceRequest,
  listingDifferences,
  type ReviewedLink,
  readChangeRequest,
  reviewLink,
  reviewLinks,
  reviewUrl,
  textDifferences,
  waitingChanges,
} from '../../../marketplace/listings/review.ts';
import { type CountedOffer, listCountedOffers } from '../../../marketplace/offers/queries.ts';
import { findPictures, findProposedPictures } from '../../../marketplace/pictures/queries.ts';
import { countWaitingPeople } from '../../../marketplace/waiting-list/queries.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import type { AccountRequest } from '../../../people/accounts/request-queries.ts';
import { isAccountInUse } from '../../../people/invitations/queries.ts';
import { type Queryable, takePage } from '../../../platform/store/database.ts';
import { parseIdCursor, writeCursor } from '../../../platform/store/scan.ts';

export const QUEUE_PAGE = 25;

export type QueueItem = SubmittedItem | ReportedItem | RequestItem;

interface Item<Kind extends Waiting['kind']> {
  readonly kind: Kind;
  readonly since: string;
}

interface RequestItem extends Item<AccountRequest['wish']> {
  readonly request: AccountRequest;
  readonly account: Pick<Account, 'id' | 'name' | 'email'>;
}

export interface ReportedItem extends Item<'report'> {
  readonly listing: Listing;
  readonly owner: Pick<Account, 'name' | 'email'>;
  readonly reports: readonly OpenReport[];
  /** The operator's newest question to the owner. */
  readonly question: Question | null;
}

export interface SubmittedItem extends Item<'listing' | 'url' | 'texts' | 'link' | 'pictures'> {
  readonly listing: Listing;
  readonly owner: Pick<Account, 'name' | 'email'>;
  /** If `kind` is `link`, the offer whose new link awaits review; otherwise `null`. */
  readonly offer: CountedOffer | null;
  readonly differences: readonly Difference[];
  /** Whether people see texts already that no operator has approved. */
  readonly hasLiveTexts: boolean;
  /** Whether nothing but offers was added. */
  readonly isNewOffer: boolean;
  readonly links: readonly ReviewedLink[];
  /** `null` if the links have not been probed yet. */
  readonly probes: LinkProbes | null;
}

export type Queue = Awaited<ReturnType<typeof listQueue>>;

/** Oldest first. `after`: the `next` cursor of the previous page. */
export async function listQueue(
  db: Queryable,
  page: { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
) {
  const limit = page.limit ?? QUEUE_PAGE;
  const cursor = parseIdCursor(page.after);
  const after = cursor !== null && { where: sql<boolean>`(since, id) > (${cursor.at}, ${cursor.id})` };
  const { rows, nextAfter } = await takePage(limit, (most) => readWaiting(db, { ...after, limit: most }));
  return {
    items: await readItems(db, rows),
    next: nextAfter && writeCursor({ at: nextAfter.since, id: nextAfter.id }),
  };
}

export type Neighbours = Awaited<ReturnType<typeof findNeighbours>>;

/**
 * The previous and the next listing in the queue, skipping reports and requests. If the given listing isn't in the
 * queue, `next` is the first listing in the queue.
 */
export async function findNeighbours(db: Queryable, listingId: string) {
  const id = sql.ref('listingId');
  const isSubmitted = true;
  const [own] = await readWaiting(db, { where: sql`${id} = ${listingId}`, limit: 1, isSubmitted });
  const find = async (side: '<' | '>', way: 'asc' | 'desc') => {
    const isThere =
      own === undefined ? sql`true` : sql`(since, id) ${sql.raw(side)} (${own.since}, ${own.id})`;
    const where = sql<boolean>`${id} <> ${listingId} and ${isThere}`;
    return (await readWaiting(db, { where, way, limit: 1, isSubmitted }))[0]?.listingId ?? null;
  };
  const [previous, next] = await Promise.all([
    own === undefined ? null : find('<', 'desc'),
    find('>', 'asc'),
  ]);
  return { previous, next };
}

async function readItems(db: Queryable, waiting: readonly Waiting[]): Promise<readonly QueueItem[]> {
  if (waiting.length === 0) return [];
  const requests = await readRequests(db, waiting);
  const listingIds = [...new Set(waiting.flatMap(({ listingId }) => listingId ?? []))];
  if (listingIds.length === 0) return requests;
  const rows = await db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .selectAll('listings')
    .select(['accounts.name as owner_name', 'accounts.email as owner_email'])
    .where('listings.id', 'in', listingIds)
    .execute();
  const offers = Map.groupBy(await listCountedOffers(db, rows), (offer) => offer.listing_id);
  const probes = await readLinkProbes(db, listingIds);
  const reports = await readReports(db, waiting);
  const questions = await readNewestQuestions(db, [...reports.keys()]);
  return waiting.flatMap(({ kind, since, id, listingId }): readonly QueueItem[] => {
    if (kind === 'plan' || kind === 'publish' || kind === 'name') {
      return requests.filter(({ request }) => request.id === id);
    }
    const row = rows.find((candidate) => candidate.id === listingId);
    if (row === undefined || listingId === null) return [];
    const { owner_name, owner_email, ...listing } = row;
    const owner = { name: owner_name, email: owner_email };
    if (kind === 'report') {
      const question = questions.get(listingId) ?? null;
      return [{ kind, since, listing, owner, reports: reports.get(listingId) ?? [], question }];
    }
    const ofItem = { kind, since, listing, owner, probes: probes.get(listingId) ?? null };
    const item = { ...ofItem, offer: null, hasLiveTexts: false, isNewOffer: false };
    const ofListing = offers.get(listingId) ?? [];
    if (kind === 'listing') {
      const changeRequest = readChangeRequest(listing);
      const differences =
        changeRequest === null
          ? listingDifferences(listing, ofListing)
          : differencesSinceRequest(changeRequest, listing, ofListing);
      return [{ ...item, differences, links: reviewLinks(listing, ofListing) }];
    }
    if (kind === 'texts') {
      const differences = textDifferences(listing, ofListing);
      const hasLiveTexts = differences.some(({ isLive }) => isLive);
      // One entry for each new offer, not one for each of its texts.
      const named = differences.filter(({ isOfNewOffer, column }) => !isOfNewOffer || column === 'offer');
      const isNewOffer = differences.every(({ isOfNewOffer }) => isOfNewOffer);
      return [{ ...item, differences: named, hasLiveTexts, isNewOffer, links: [] }];
    }
    if (kind === 'pictures') return [{ ...item, differences: [], links: [] }];
    const change = waitingChanges(listing, ofListing).find((one) => (one.offer?.id ?? listing.id) === id);
    // The change was decided after the queue was read.
    if (change === undefined) return [];
    const link = change.difference.proposed!;
    const { offer } = change;
    const reviewed =
      offer === null ? reviewUrl(link, listing.origin) : reviewLink(offer.id, link, listing.origin);
    return [{ ...item, offer, differences: [change.difference], links: [reviewed] }];
  });
}

async function readRequests(db: Queryable, waiting: readonly Waiting[]): Promise<readonly RequestItem[]> {
  const ids = waiting.flatMap(({ id, accountId }) => (accountId === null ? [] : [id]));
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('account_requests')
    .innerJoin('accounts', 'accounts.id', 'account_requests.account_id')
    .selectAll('account_requests')
    .select(['accounts.name as account_name', 'accounts.email as account_email'])
    .where('account_requests.id', 'in', ids)
    .orderBy('account_requests.created_at')
    .orderBy('account_requests.id')
    .execute();
  return rows.map(({ account_name: name, account_email: email, ...request }) => ({
    kind: request.wish,
    since: request.created_at,
    request,
    account: { id: request.account_id, name, email },
  }));
}

async function readReports(
  db: Queryable,
  waiting: readonly Waiting[],
): Promise<ReadonlyMap<string, readonly OpenReport[]>> {
  const ids = waiting.flatMap(({ kind, id }) => (kind === 'report' ? [id] : []));
  return new Map(await Promise.all(ids.map(async (id) => [id, await listOpenReports(db, id)] as const)));
}

export type DeskListing = NonNullable<Awaited<ReturnType<typeof findDeskListing>>>;

/** `null` if no listing has this id. */
export async function findDeskListing(db: Queryable, id: string) {
  const owner = await db
    .selectFrom('listings')
    .innerJoin('accounts', 'accounts.id', 'listings.account_id')
    .selectAll('accounts')
    .where('listings.id', '=', id)
    .executeTakeFirst();
  const listing = owner === undefined ? null : await findOwnListing(db, owner.id, id);
  if (owner === undefined || listing === null) return null;
  const offers = await listCountedOffers(db, [listing]);
  return {
    listing,
    owner,
    isOwnerInUse: await isAccountInUse(db, owner.id),
    offers,
    /** How many people are on the waiting list, by offer ID. */
    waitingPeople: await countWaitingPeople(
      db,
      offers.map(({ id }) => id),
    ),
    /** The changes that an approval would make. */
    differences:
      listing.state === 'pending'
        ? listingDifferences(listing, offers)
        : waitingChanges(listing, offers).map(({ difference }) => difference),
    /** Changed texts, if the listing has a live version. */
    texts:
      listing.texts_changed_at !== null && hasLiveVersion(listing.state)
        ? textDifferences(listing, offers)
        : [],
    links: reviewLinks(listing, offers),
    probes: (await readLinkProbes(db, [listing.id])).get(listing.id) ?? null,
    reports: await listOpenReports(db, listing.id),
    questions: await listQuestions(db, listing.id),
    pictures: {
      shown: await findPictures(db, [listing.id, ...offers.map(({ id }) => id)]),
      waiting: (await findProposedPictures(db, [listing.id])).filter(
        ({ declinedReason }) => declinedReason === null,
      ),
    },
  };
}
