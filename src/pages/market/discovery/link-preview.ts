import type { Context } from '../../../base/context.ts';
import { readStrangerRights } from '../../../people/visibility/read-rights.ts';
import type { FindLinkPreview } from '../../ui/head.tsx';
import { findPublicListing } from '../queries.ts';
import { appHead } from './heads.ts';

/** For the pages of owners, who see how chats show the links that they share. */
export const createLinkPreviews =
  ({ db, now, marketplace }: Pick<Context, 'db' | 'now' | 'marketplace'>): FindLinkPreview =>
  async (slug, baseUrl) => {
    // Chats fetch links without a session.
    const listing = await findPublicListing(db.read, await readStrangerRights(db.read), slug, now());
    if (listing?.state !== 'approved') return null;
    const { title, description, picture } = appHead(marketplace.look, listing, baseUrl);
    const openOffer = listing.offers.find(({ state }) => state === 'open')?.offer ?? null;
    return { title, description, picture, openOffer };
  };
