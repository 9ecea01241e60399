import { API } from '../api/operations.ts';
import { displayPages } from '../pages/account/display-pages.ts';
import { invitationPages } from '../pages/account/invitation-pages.tsx';
import { mailPages } from '../pages/account/mail-pages.tsx';
import { membershipPages } from '../pages/account/membership-pages.tsx';
import { accountPages } from '../pages/account/pages.tsx';
import { proofPages } from '../pages/account/proof/pages.tsx';
import { newAddressPages } from '../pages/account/sign-in/new-address-pages.tsx';
import { oidcPages } from '../pages/account/sign-in/oidc-pages.tsx';
import { beginEmailSignIn, signInPages } from '../pages/account/sign-in/pages.tsx';
import { passwordPages } from '../pages/account/sign-in/password-pages.tsx';
import { challengeOf, mailThroughGate } from '../pages/account/sign-in/responses.ts';
import { signUpPages } from '../pages/account/sign-in/sign-up-pages.tsx';
import { campaignPages } from '../pages/dashboard/campaigns/pages.tsx';
import { ownerClaimPages } from '../pages/dashboard/claims/pages.tsx';
import { keyPages } from '../pages/dashboard/keys/pages.tsx';
import { linkCheckPages } from '../pages/dashboard/link-checks/pages.tsx';
import { listingLinkPages } from '../pages/dashboard/listings/link-pages.tsx';
import { ownerListingPages } from '../pages/dashboard/listings/pages.tsx';
import { questionPages } from '../pages/dashboard/listings/question-page.tsx';
import { memberPages } from '../pages/dashboard/members/pages.tsx';
import { ownerOfferPages } from '../pages/dashboard/offers/pages.tsx';
import { publishingPages } from '../pages/dashboard/publishing.tsx';
import { requestPages } from '../pages/dashboard/requests/pages.tsx';
import { homePage, startPages } from '../pages/dashboard/start/pages.tsx';
import { accountDeskPages } from '../pages/desk/accounts/pages.tsx';
import { eventDeskPages } from '../pages/desk/audit/pages.tsx';
import { claimDeskPages } from '../pages/desk/claims/pages.tsx';
import { invitationDeskPages } from '../pages/desk/invitations/pages.tsx';
import { operatorKeyPages } from '../pages/desk/keys/pages.tsx';
import { ownersLinkPages } from '../pages/desk/listings/access-link-pages.tsx';
import { listingEditPages } from '../pages/desk/listings/edit-pages.tsx';
import { newListingOwnerPages } from '../pages/desk/listings/owner-pages.tsx';
import { listingIndexPages } from '../pages/desk/listings/pages.tsx';
import { demoMailPages } from '../pages/desk/outbox/demo-mail-pages.tsx';
import { outboxPages } from '../pages/desk/outbox/pages.tsx';
import { overviewPages } from '../pages/desk/overview/pages.tsx';
import { listingDeskPages } from '../pages/desk/review/pages.tsx';
import { searchPages } from '../pages/desk/search/pages.tsx';
import { announcementDeskPages } from '../pages/desk/settings/announcement-pages.tsx';
import { brandDeskPages } from '../pages/desk/settings/brand-pages.tsx';
import { frontPageDeskPages } from '../pages/desk/settings/front-page-pages.tsx';
import { generalDeskPages } from '../pages/desk/settings/general-pages.tsx';
import { marketLinkPages, peopleDeskPages } from '../pages/desk/settings/people-pages.tsx';
import { planDeskPages } from '../pages/desk/settings/plan-pages.tsx';
import { retentionDeskPages } from '../pages/desk/settings/retention-pages.tsx';
import { systemDeskPages } from '../pages/desk/system/pages.tsx';
import { docsPages } from '../pages/docs/pages.tsx';
import { webhookPages } from '../pages/editor/webhooks/pages.tsx';
import type { PageGroup } from '../pages/frame/page-router.ts';
import { claimantPages } from '../pages/market/claims/pages.tsx';
import { createLinkPreviews } from '../pages/market/discovery/link-preview.ts';
import { discoveryPages } from '../pages/market/discovery/pages.ts';
import { createMarketGate } from '../pages/market/members-only.tsx';
import { marketPages } from '../pages/market/pages.tsx';
import { reportPages } from '../pages/market/report-pages.tsx';
import { waitingListPages } from '../pages/market/waiting-list/pages.tsx';
import { createIdentityProvider } from '../people/sign-in/oidc/provider.ts';
import { deploymentOf } from './open-context.ts';
import type { ServingParts } from './parts.ts';

export function pageGroups(parts: ServingParts): readonly PageGroup[] {
  const { context, baseUrl, hasProvider, isOidcOnly, mailer } = parts;
  const { config } = context;
  const providers = config.oidc.providers.map((settings) => createIdentityProvider(settings, baseUrl));
  const gate = createMarketGate(context, providers);
  const marketParts = { ...parts, gate };
  return [
    (app) => signInPages(app, parts, providers),
    (app) => signUpPages(app, parts),
    (app) => newAddressPages(app, parts),
    (app) => {
      if (!isOidcOnly) passwordPages(app, parts);
    },
    (app) => {
      if (hasProvider) oidcPages(app, parts, providers);
    },
    (app) => accountPages(app, parts, providers),
    (app) => mailPages(app, context),
    (app) => membershipPages(app, context),
    (app) => invitationPages(app, parts),
    (app) => proofPages(app, parts, providers),
    (app) =>
      marketPages(app, marketParts, {
        baseUrl,
        hasProvider,
        hasMail: mailer.isReal,
        byMail:
          mailer.isReal && !isOidcOnly
            ? (c, form, next) => beginEmailSignIn(c, parts, form, { next, isIntended: true })
            : null,
        challenge: (c, form) => challengeOf(c, parts, form, 'mail'),
      }),
    (app) =>
      waitingListPages(app, marketParts, {
        send: (c, form, address, work) => mailThroughGate(c, parts, { form, address }, work),
        challenge: (c, form) => challengeOf(c, parts, form, 'mail'),
      }),
    (app) => reportPages(app, context, gate, mailer.isReal),
    (app) => discoveryPages(app, parts),
    (app) => claimantPages(app, marketParts),
    (app) => homePage(app, context),
    displayPages,
    ...dashboardPages(parts),
    ...deskPages(parts),
    (app) => docsPages(app, context, API, config.requestLog),
  ];
}

function dashboardPages(parts: ServingParts): readonly PageGroup[] {
  const { context, background, exporter, verifier, outgoing } = parts;
  return [
    (app) => keyPages(app, context),
    (app) => memberPages(app, context, parts),
    (app) => ownerClaimPages(app, context, exporter),
    (app) => campaignPages(app, context, parts),
    (app) => requestPages(app, context, verifier, context.config.requestLog),
    (app) => webhookPages(app, context, outgoing, 'owner'),
    (app) => linkCheckPages(app, context, outgoing, background),
    (app) => startPages(app, context, { findLinkPreview: createLinkPreviews(context) }),
    (app) => publishingPages(app, context),
    (app) => ownerListingPages(app, context, parts),
    (app) => listingLinkPages(app, parts),
    (app) => questionPages(app, context),
    (app) => ownerOfferPages(app, context, parts),
  ];
}

function deskPages(parts: ServingParts): readonly PageGroup[] {
  const { context, baseUrl, hasProvider, isOidcOnly, mailer, outgoing } = parts;
  const { config } = context;
  return [
    (app) =>
      overviewPages(app, context, deploymentOf(context), {
        hasMail: mailer.isReal,
        hasBackups: config.backups !== null,
      }),
    // Before the listings, because `/desk/listings/new` and `/access` would match the path of a listing.
    (app) => newListingOwnerPages(app, context),
    (app) => ownersLinkPages(app, context),
    (app) => listingDeskPages(app, context),
    (app) => listingIndexPages(app, context),
    (app) => listingEditPages(app, context, mailer.isReal),
    (app) => claimDeskPages(app, context),
    (app) => searchPages(app, context),
    // Before the accounts, because `/desk/accounts/invitations` would match the path of an account.
    (app) => invitationDeskPages(app, context, { mailer, baseUrl }),
    (app) => accountDeskPages(app, context, { mailer, baseUrl }),
    (app) => eventDeskPages(app, context),
    (app) => systemDeskPages(app, deploymentOf(context), context),
    (app) => brandDeskPages(app, context, parts),
    (app) => generalDeskPages(app, context),
    (app) => frontPageDeskPages(app, context),
    (app) => announcementDeskPages(app, context),
    (app) => peopleDeskPages(app, context, { hasMail: mailer.isReal, hasProvider, isOidcOnly }),
    (app) => marketLinkPages(app, parts),
    (app) => planDeskPages(app, context),
    (app) => retentionDeskPages(app, context, config),
    (app) => operatorKeyPages(app, context),
    (app) => webhookPages(app, context, outgoing, 'marketplace'),
    (app) => outboxPages(app, context, mailer, baseUrl),
    (app) => {
      if (parts.isDemo) demoMailPages(app, context);
    },
  ];
}
