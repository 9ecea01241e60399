/** The owner's campaigns: the numbers of each label, and share links. */

import { planHasApiKeys } from '../../accounts/account.ts';
import { buildShareLink, proposedLabel } from '../../campaigns/label.ts';
import { type ListedListing, listListingsOf } from '../../campaigns/queries.ts';
import type { Context } from '../../context.ts';
import { type PageApp, type PageContext, page, requireFound, requireViewer } from '../../http/pages/pages.ts';
import { beginDownload, saveAs } from '../../http/server/downloads.ts';
import { FormInput } from '../../ui/form-state.ts';
import { CAMPAIGNS_EXPORT_PATH, CAMPAIGNS_PATH } from '../paths.ts';
import { campaignsCsv, findCampaigns } from './campaigns.ts';
import { CampaignsPage, NoListingPage, type Share } from './campaigns-page.tsx';

const TITLE = 'Campaigns';

export function campaignPages(app: PageApp, context: Pick<Context, 'db' | 'now' | 'marketplace'>): void {
  app.get(CAMPAIGNS_PATH, async (c) => {
    const { accountId, plan } = requireViewer(c);
    const listings = await listListingsOf(context.db.read, accountId);
    const chosen = c.req.query('listing') || firstOf(listings)?.id;
    if (chosen === undefined) return page(c, <NoListingPage />, { title: TITLE });
    const campaigns = requireFound(await findCampaigns(context, { accountId, listing: chosen }));
    const { listing } = campaigns;
    const isListed = listings.some(({ id }) => id === listing.id);
    const content = (
      <CampaignsPage
        listings={isListed ? listings : [listing, ...listings]}
        campaigns={campaigns}
        shownLabel={c.req.query('label')}
        pageNumber={Number(/^[1-9]\d{0,4}$/.exec(c.req.query('page') ?? '')?.[0] ?? 1)}
        share={shareOf(c, listing)}
        hasApiKeys={planHasApiKeys(plan)}
      />
    );
    return page(c, content, { title: TITLE });
  });

  app.get(CAMPAIGNS_EXPORT_PATH, async (c) => {
    const { accountId } = requireViewer(c);
    beginDownload(c, accountId);
    const listing = c.req.query('listing') ?? '';
    const campaigns = requireFound(await findCampaigns(context, { accountId, listing }));
    saveAs(c, `campaigns-${campaigns.listing.slug}`, 'csv');
    return c.body(campaignsCsv(campaigns.labels));
  });
}

const firstOf = (listings: readonly ListedListing[]): ListedListing | undefined =>
  listings.find(({ state }) => state === 'approved') ?? listings[0];

function shareOf(c: PageContext, { slug }: ListedListing): Share {
  const { baseUrl } = c.get('site');
  const label = (c.req.query('share') ?? '').trim();
  const form = new FormInput(new URLSearchParams({ share: label }));
  const built = form.read({ share: (via) => buildShareLink({ baseUrl, listing: slug, via }) });
  if (built === null) return { form, link: null, proposal: proposedLabel(label) };
  return { form, link: built.share, proposal: null };
}
