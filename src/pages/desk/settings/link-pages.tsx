import type { Context } from '../../../base/context.ts';
import { MARKET_LINKS_PATH, PEOPLE_PATH } from '../../../base/paths.ts';
import { t } from '../../../platform/languages/translate.ts';
import { addLinkPages } from '../../editor/access-links.tsx';
import type { PageRouter } from '../../frame/page-router.ts';

export function marketLinkPages(
  app: PageRouter,
  services: { readonly context: Context; readonly baseUrl: string },
): void {
  addLinkPages(app, services, {
    actor: 'operator',
    route: MARKET_LINKS_PATH,
    subject: async (_, { accountId }) => ({
      listingId: null,
      accountId,
      path: MARKET_LINKS_PATH,
      lead: t(
        'People who sign in and use such a link become members: they see the whole marketplace and every listing that is for members only. The link doesn’t change who may sign up.',
      ),
      trail: [[t('People and claims'), PEOPLE_PATH]],
    }),
  });
}
