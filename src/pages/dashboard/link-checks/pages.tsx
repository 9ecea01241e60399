import { openInBrowser, startLinkCheck } from '../../../background/link-checks/check-link.ts';
import type { LinkCheck } from '../../../background/link-checks/link-check.ts';
import { findLinkCheck, listCheckableOffers } from '../../../background/link-checks/queries.ts';
import { createVisits } from '../../../background/link-checks/run-visits.ts';
import type { Context } from '../../../base/context.ts';
import { LINK_CHECKS_PATH, linkCheckPath } from '../../../base/paths.ts';
import { findListing } from '../../../marketplace/listings/queries.ts';
import { type CountedOffer, findOwnOffer } from '../../../marketplace/offers/queries.ts';
import { originsOf } from '../../../marketplace/offers/redemption-link.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import { t } from '../../../platform/languages/translate.ts';
import type { Outgoing } from '../../../platform/network/outgoing-request.ts';
import type { Background } from '../../../platform/process/background.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  changeBy,
  fragment,
  type PageContext,
  page,
  readForm,
  redirect,
  redirectToOwner,
  requireFound,
  wantsFragment,
} from '../../frame/pages.ts';
import { newForm } from '../../ui/form-state.ts';
import { fingerprintOf } from '../../ui/live.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { readEvidence } from './evidence.ts';
import { findingsOf } from './findings.ts';
import { LinkCheckPage, type LinkCheckResult, LinkChecksPage, Result } from './link-check-page.tsx';

export function linkCheckPages(
  app: PageRouter,
  context: Context,
  outgoing: Pick<Outgoing, 'request'>,
  background: Background,
): void {
  const visit = createVisits(context, outgoing, background);
  const offerOf = async (c: PageContext, { accountId }: Viewer): Promise<CountedOffer> =>
    requireFound(await findOwnOffer(context.db.read, accountId, c.req.param('id') ?? ''));
  const resultOf = async (check: LinkCheck): Promise<LinkCheckResult> => ({
    check,
    findings: findingsOf(await readEvidence(context, check)),
  });
  const linkCheckPage = async (c: PageContext, viewer: Viewer, offer: CountedOffer, form = newForm()) => {
    const [listing, check] = await Promise.all([
      findListing(context.db.read, offer.listing_id),
      findLinkCheck(context.db.read, viewer.accountId, offer.id),
    ]);
    const result = check === null ? null : await resultOf(check);
    return page(c, <LinkCheckPage listing={listing} offer={offer} result={result} refused={form.refusal} />, {
      title: t('{offer} · Link check', { offer: isolated(offer.offer) }),
      status: form.status,
      formAction: originsOf(check?.link ?? null),
    });
  };

  app.get(LINK_CHECKS_PATH, { for: 'member' }, async (c, { accountId, plan }) => {
    const offers = await listCheckableOffers(context.db.read, accountId);
    const content = <LinkChecksPage offers={offers} hasApiKeys={planHasApiKeys(plan)} />;
    return page(c, content, { title: t('Link check') });
  });

  app.get(linkCheckPath(':id'), { for: 'member' }, async (c, viewer) =>
    linkCheckPage(c, viewer, await offerOf(c, viewer)),
  );

  app.post(`${linkCheckPath(':id')}/start`, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    const offer = await offerOf(c, viewer);
    const kind = form.text('link') === 'test' ? 'test' : 'live';
    const { accountId } = viewer;
    const started = await form.attempt(null, () =>
      visit({ accountId, offerId: offer.id }, () =>
        startLinkCheck(context, { ...changeBy(viewer), offerId: offer.id, kind }),
      ),
    );
    if (started === null) return linkCheckPage(c, viewer, offer, form);
    return redirect(c, linkCheckPath(offer.id));
  });

  app.get(`${linkCheckPath(':id')}/look`, { for: 'member' }, async (c, viewer) => {
    const offer = await offerOf(c, viewer);
    if (!wantsFragment(c)) return redirect(c, linkCheckPath(offer.id));
    const check = await findLinkCheck(context.db.read, viewer.accountId, offer.id);
    const result = await resultOf(requireFound(check));
    if (fingerprintOf(result.findings) === c.req.query('seen')) return c.body(null, 204);
    return fragment(c, <Result {...result} />);
  });

  app.post(`${linkCheckPath(':id')}/open`, { for: 'member' }, async (c, viewer) => {
    const form = await readForm(c);
    const offer = await offerOf(c, viewer);
    const link = await form.attempt(null, () =>
      openInBrowser(context, { ...changeBy(viewer), offerId: offer.id }),
    );
    if (link === null) return linkCheckPage(c, viewer, offer, form);
    return redirectToOwner(c, link);
  });
}
