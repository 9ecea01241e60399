import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { foldCase } from '../../platform/text/fold-case.ts';
import { quote } from '../../platform/text/text.ts';
import { findCardsNamed, listFeatured, setFeatured } from './featured-queries.ts';
import { appendListingEvent, findListing, type Listing } from './queries.ts';

/** Maximum number of featured listings. On a wide screen, six cards fill two lines. */
export const MAX_FEATURED = 6;

/** The key of a lock that serializes changes to the featured row. No listing has this id. */
const FEATURED_LOCK = '00000000-0000-0000-0000-000000000001';

/** `typed`: a listing's name, slug, id or link. Returns the listing's id. */
export async function findToFeature(db: Queryable, typed: string): Promise<string> {
  const text = typed.trim();
  const [, slug = text] = /\/l\/([a-z0-9-]+)/.exec(text) ?? [];
  const ids = await findCardsNamed(db, foldCase(text));
  if (ids.length > 1) {
    throw invalid(
      message('Several apps are named {name}. Enter a link to the right one.', { name: quote(text) }),
    );
  }
  if (ids[0] !== undefined) return ids[0];
  return (await findListing(db, slug)).id;
}

/**
 * Moves the listing to `rank` (from 1; omitted: the end; `null`: out of the row) and shifts the others. A featured
 * listing that is no longer approved keeps its rank but is hidden.
 */
export async function featureListing(
  context: Context,
  { listing, rank, actor }: { listing: string; rank?: number | null | undefined; actor: Actor },
): Promise<Listing> {
  const { db } = context;
  const at = context.at();
  return await db.transaction(async (tx) => {
    await DIALECTS[db.engine].takeLock(tx, FEATURED_LOCK);
    const chosen = await findListing(tx, listing);
    const row = await listFeatured(tx);
    const others = row.filter(({ id }) => id !== chosen.id);
    if (rank !== null && chosen.featured === null) {
      if (chosen.state !== 'approved') throw invalid(message('Only an approved listing can be featured.'));
      if (others.length >= MAX_FEATURED) {
        throw invalid(
          message('At most {count} listings can be featured. Remove one first.', { count: MAX_FEATURED }),
        );
      }
    }
    const index = rank == null ? others.length : Math.min(rank, others.length + 1) - 1;
    const ids = others.map(({ id }) => id);
    const order = rank === null ? ids : ids.toSpliced(index, 0, chosen.id);
    const ranks = new Map(order.map((id, before) => [id, before + 1]));
    const featured = ranks.get(chosen.id) ?? null;
    for (const { id, featured: before } of [...row, chosen]) {
      const now = ranks.get(id) ?? null;
      if (now !== before) await setFeatured(tx, id, now);
    }
    if (featured !== chosen.featured) {
      const by = { at, actor };
      if (featured === null) {
        await appendListingEvent(tx, chosen, by, 'listing.changed', { change: 'unfeatured' });
      } else {
        const data = { change: 'featured', place: featured } as const;
        await appendListingEvent(tx, chosen, by, 'listing.changed', data);
      }
    }
    return { ...chosen, featured };
  });
}
