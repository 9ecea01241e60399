import type { Context } from '../../../base/context.ts';
import { listingLinksPath, OWN_LISTINGS_PATH, ownListingPath } from '../../../base/paths.ts';
import { findOwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { addLinkPages } from '../../editor/access-links.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { requireFound } from '../../frame/pages.ts';

export function listingLinkPages(
  app: PageRouter,
  services: { readonly context: Context; readonly baseUrl: string },
): void {
  const { db } = services.context;
  addLinkPages(app, services, {
    actor: 'member',
    route: listingLinksPath(':id'),
    subject: async (c, { accountId }) => {
      const listing = requireFound(await findOwnListing(db.read, accountId, c.req.param('id') ?? ''));
      const { id, name } = listing;
      return {
        listingId: id,
        accountId,
        path: listingLinksPath(id),
        lead: t(
          'People who sign in through one of these links can see {name} and claim its offers, even if they aren’t members of the marketplace.',
          { name: isolated(name) },
        ),
        trail: [
          [t('Listings'), OWN_LISTINGS_PATH],
          [name, ownListingPath(id)],
        ],
      };
    },
  });
}
