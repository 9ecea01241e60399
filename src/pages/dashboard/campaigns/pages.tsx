import { renderSVG } from 'uqr';
import type { Context } from '../../../base/context.ts';
import {
  CAMPAIGNS_EXPORT_PATH,
  CAMPAIGNS_PATH,
  pathWithQuery,
  qrCodePath,
  SHARE_CARD,
} from '../../../base/paths.ts';
import { NO_LABEL_FILTER } from '../../../claims/search/claim-filter.ts';
import { buildShareLink, LABEL, proposedLabel } from '../../../marketplace/campaigns/label.ts';
import { findListingOf, type ListedListing, listListingsOf } from '../../../marketplace/campaigns/queries.ts';
import { readRange, type ShownRange } from '../../../marketplace/campaigns/range.ts';
import { registerLabel } from '../../../marketplace/campaigns/register-label.ts';
import type { PictureEncoder } from '../../../marketplace/pictures/encoder.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import { readIsForMembers } from '../../../people/visibility/read-rights.ts';
import { nothingThere } from '../../../platform/errors.ts';
import { t } from '../../../platform/languages/translate.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { dayIn } from '../../../platform/text/time-zone.ts';
import { beginDownload, csvStyleOf, saveAs } from '../../frame/downloads.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { type PageContext, page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { QR_CODE } from '../../ui/code.tsx';
import { FormInput } from '../../ui/form-state.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { campaignsCsv, findCampaigns, listOffersToShare } from './campaigns.ts';
import { CampaignsPage, NoListingPage } from './campaigns-page.tsx';
import type { Share } from './share-link-card.tsx';

/** Width of a QR code module (one square). Large enough for a PNG that prints sharply. */
const MODULE_PIXELS = 20;

export function campaignPages(
  app: PageRouter,
  context: Pick<Context, 'db' | 'now' | 'at' | 'marketplace'>,
  { pictureEncoder }: { readonly pictureEncoder: Pick<PictureEncoder, 'draw'> },
): void {
  app.get(CAMPAIGNS_PATH, { for: 'member' }, async (c, { accountId, plan }) => {
    const listings = await listListingsOf(context.db.read, accountId);
    const chosen = c.req.query('listing') || firstOf(listings)?.id;
    if (chosen === undefined) return page(c, <NoListingPage />, { title: t('Campaigns') });
    const range = rangeOf(c, context);
    const { span } = range;
    const query = c.req.query('label');
    const label = query === NO_LABEL_FILTER ? null : query;
    const campaigns = requireFound(await findCampaigns(context, { accountId, listing: chosen, span, label }));
    const { listing } = campaigns;
    const isListed = listings.some(({ id }) => id === listing.id);
    const content = (
      <CampaignsPage
        listings={isListed ? listings : [listing, ...listings]}
        campaigns={campaigns}
        range={range}
        pageNumber={Number(/^[1-9]\d{0,4}$/.exec(c.req.query('page') ?? '')?.[0] ?? 1)}
        share={await readShare(c, context, listing)}
        hasApiKeys={planHasApiKeys(plan)}
      />
    );
    return page(c, content, { title: t('Campaigns'), scripts: ['chart'] });
  });

  // Shows the same page as a GET with these parameters, which also says what is wrong with an invalid label.
  app.post(CAMPAIGNS_PATH, { for: 'member' }, async (c, { accountId }) => {
    const form = await readForm(c);
    const [share, offer] = [form.text('share').trim(), form.text('offer')];
    const listing = requireFound(await findListingOf(context.db.read, accountId, form.text('listing')));
    if (LABEL.test(share)) await registerLabel(context, { accountId, listing: listing.slug, label: share });
    const query = { listing: listing.slug, share, offer };
    return redirect(c, `${pathWithQuery(CAMPAIGNS_PATH, query)}#${SHARE_CARD}`);
  });

  app.get(CAMPAIGNS_EXPORT_PATH, { for: 'member' }, async (c, { accountId }) => {
    beginDownload(c, accountId);
    const listing = c.req.query('listing') ?? '';
    const { span } = rangeOf(c, context);
    const campaigns = requireFound(await findCampaigns(context, { accountId, listing, span }));
    const { from, to } = campaigns.span;
    saveAs(c, `campaigns-${campaigns.listing.slug}-${from}-to-${to}`, 'csv');
    return c.body(campaignsCsv(campaigns.labels, csvStyleOf(c)));
  });

  const sendQrCode = async (c: PageContext, { accountId }: Viewer, format: 'svg' | 'png') => {
    const listing = requireFound(
      await findListingOf(context.db.read, accountId, c.req.query('listing') ?? ''),
    );
    const { form, links } = await readShare(c, context, listing);
    // A printed code must not lead elsewhere than the person chose.
    if (form.typed('offer') !== (c.req.query('offer') ?? '')) throw nothingThere();
    const name = [listing.slug, form.typed('share')].filter((part) => part !== '').join('-');
    const svg = renderSVG(requireFound(links).chosen, { ...QR_CODE, pixelSize: MODULE_PIXELS });
    if (format === 'svg') {
      saveAs(c, name, format);
      return c.body(svg);
    }
    beginDownload(c, accountId);
    const png = await pictureEncoder.draw(svg);
    saveAs(c, name, format);
    return c.body(new Uint8Array(png));
  };
  app.get(qrCodePath('svg'), { for: 'member' }, (c, viewer) => sendQrCode(c, viewer, 'svg'));
  app.get(qrCodePath('png'), { for: 'member' }, (c, viewer) => sendQrCode(c, viewer, 'png'));
}

const rangeOf = (
  c: PageContext,
  { now, marketplace: { timeZone } }: Pick<Context, 'now' | 'marketplace'>,
): ShownRange => {
  const [range, from, to] = [c.req.query('range'), c.req.query('from'), c.req.query('to')];
  return readRange({ range, from, to }, dayIn(timeZone, toIso(now())));
};

const firstOf = (listings: readonly ListedListing[]): ListedListing | undefined =>
  listings.find(({ state }) => state === 'approved') ?? listings[0];

/** If the chosen offer can't be claimed any more, the link leads to the listing. */
async function readShare(
  c: PageContext,
  context: Pick<Context, 'db' | 'now'>,
  listing: ListedListing,
): Promise<Share> {
  const { baseUrl } = c.get('site');
  const [offers, isForMembers] = await Promise.all([
    listOffersToShare(context, listing),
    readIsForMembers(context.db.read, listing),
  ]);
  const offer = offers.find(({ id }) => id === c.req.query('offer'))?.id ?? null;
  const label = (c.req.query('share') ?? '').trim();
  const form = new FormInput(new URLSearchParams({ share: label, offer: offer ?? '' }));
  const target = { baseUrl, listing: listing.slug };
  const built = form.read({ share: (via) => buildShareLink({ ...target, offer, via }) });
  if (built === null) return { form, offers, links: null, isForMembers, proposal: proposedLabel(label) };
  const links = { chosen: built.share, listing: buildShareLink({ ...target, offer: null, via: label }) };
  return { form, offers, links, isForMembers, proposal: null };
}
