/** Lookups by the id in a path. */
import type { Context } from '../../base/context.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { type PageContext, requireFound } from '../frame/pages.ts';
import { type DeskListing, findDeskListing } from './review/queries.ts';

/** Returns the id in the path. Responds with the not-found page if the id isn't a UUID. */
export const requireId = (c: PageContext): string => {
  const id = c.req.param('id') ?? '';
  return requireFound(isUuid(id) ? id.toLowerCase() : null);
};

/** Calls `find` with the id in the path. Responds with the not-found page if nothing is found. */
export async function requireById<T>(
  c: PageContext,
  find: (id: string) => Promise<T | null | undefined>,
): Promise<T> {
  return requireFound(await find(requireId(c)));
}

export const requireListing = ({ db }: Context, c: PageContext): Promise<DeskListing> =>
  requireById(c, (id) => findDeskListing(db.read, id));
