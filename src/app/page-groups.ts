import { invitationPages } from '../account/invitation-pages.tsx';
import { mailPages } from '../account/mail-pages.tsx';
import { membershipPages } from '../account/membership-pages.tsx';
import { accountPages } from '../account/pages.tsx';
import { proofPages } from '../account/proof/pages.tsx';
import { oidcPages } from '../account/sign-in/oidc-pages.tsx';
import { beginEmailSignIn, signInPages } from '../account/sign-in/pages.tsx';
import { signUpPages } from '../account/sign-in/sign-up-pages.tsx';
import { createIdentityProvider } from '../accounts/oidc-provider.ts';
import { campaignPages } from '../dashboard/campaigns/pages.tsx';
import { ownerClaimPages } from '../dashboard/claims/pages.tsx';
import { keyPages } from '../dashboard/keys/pages.tsx';
import { linkCheckPages } from '../dashboard/link-checks/pages.tsx';
import { fixedSlugOf, ListingForm, readListingForm } from '../dashboard/listings/listing-form.tsx';
import { editableValues, ownerListingPages } from '../dashboard/listings/pages.tsx';
import { memberPages } from '../dashboard/members/pages.tsx';
import { OfferForm } from '../dashboard/offers/form.tsx';
import { offerValues, readOfferForm } from '../dashboard/offers/form-values.ts';
import { LinkTester } from '../dashboard/offers/link-tester.tsx';
import { ownerOfferPages } from '../dashboard/offers/pages.tsx';
import {
  ListingPreview,
  ListingPreviewCard,
  OfferPreview,
  OfferPreviewCard,
} from '../dashboard/previews.tsx';
import { publishingPages } from '../dashboard/publishing.tsx';
import { requestPages } from '../dashboard/requests/pages.tsx';
import { homePage, startPages } from '../dashboard/start/pages.tsx';
import { webhookPages } from '../dashboard/webhooks/pages.tsx';
import { accountDeskPages } from '../desk/accounts/pages.tsx';
import { eventDeskPages } from '../desk/audit/pages.tsx';
import { claimDeskPages } from '../desk/claims/pages.tsx';
import { operatorKeyPages } from '../desk/keys/pages.tsx';
import { type EditParts, listingEditPages } from '../desk/listings/edit-pages.tsx';
import { listingIndexPages } from '../desk/listings/pages.tsx';
import { outboxPages } from '../desk/outbox/pages.tsx';
import { overviewPages } from '../desk/overview/pages.tsx';
import { listingDeskPages } from '../desk/review/pages.tsx';
import { searchPages } from '../desk/search/pages.tsx';
import { brandDeskPages } from '../desk/settings/brand-pages.tsx';
import { frontPageDeskPages } from '../desk/settings/front-page-pages.tsx';
import { generalDeskPages } from '../desk/settings/general-pages.tsx';
import { peopleDeskPages } from '../desk/settings/people-pages.tsx';
import { planDeskPages } from '../desk/settings/plan-pages.tsx';
import { retentionDeskPages } from '../desk/settings/retention-pages.tsx';
import { systemDeskPages } from '../desk/system/pages.tsx';
import { docsPages } from '../docs/pages.tsx';
import { DeskApp, type PageGroup, signedIn, type ViewerApp } from '../http/pages/pages.ts';
import { claimantPages } from '../market/claims/pages.tsx';
import { foundPages } from '../market/found/pages.ts';
import { marketPages } from '../market/pages.tsx';
import { reportPages } from '../market/report-pages.tsx';
import { OPERATIONS } from './api.ts';
import { deploymentOf } from './open-context.ts';
import type { ServingParts } from './parts.ts';

const OWNERS_FORMS: EditParts = {
  listing: {
    Form: ListingForm,
    PreviewCard: ListingPreviewCard,
    Preview: ListingPreview,
    read: readListingForm,
    values: editableValues,
    fixedSlug: fixedSlugOf,
  },
  offer: {
    Form: OfferForm,
    Tester: LinkTester,
    PreviewCard: OfferPreviewCard,
    Preview: OfferPreview,
    read: readOfferForm,
    values: offerValues,
  },
};

export function pageGroups(parts: ServingParts): readonly PageGroup[] {
  const { context, baseUrl, mailer } = parts;
  const { config } = context;
  const provider = config.oidc === null ? null : createIdentityProvider(config.oidc, baseUrl);
  return [
    (app) => signInPages(app, parts, provider?.name ?? null),
    (app) => signUpPages(app, parts),
    (app) => {
      if (provider !== null) oidcPages(app, parts, provider);
    },
    (app) => accountPages(signedIn(app), parts, provider?.name ?? null),
    (app) => mailPages(app, context),
    (app) => membershipPages(signedIn(app), context),
    (app) => invitationPages(app, parts),
    (app) => proofPages(signedIn(app), parts, provider?.name ?? null),
    (app) =>
      marketPages(app, parts, {
        baseUrl,
        byMail: mailer.isReal
          ? (c, form, next) => beginEmailSignIn(c, parts, form, { next, isIntended: true })
          : null,
      }),
    (app) => reportPages(app, context),
    (app) => foundPages(app, parts),
    (app) => claimantPages(app, context),
    (app) => homePage(app, context),
    ...dashboardPages(parts).map(
      (addTo): PageGroup =>
        (app) =>
          addTo(signedIn(app)),
    ),
    ...deskPages(parts).map(
      (addTo): PageGroup =>
        (app) =>
          addTo(new DeskApp(app)),
    ),
    (app) => docsPages(app, context, OPERATIONS, config.requestLog),
  ];
}

function dashboardPages(parts: ServingParts): readonly ((owners: ViewerApp) => void)[] {
  const { context, background, exporter, verifier, outgoing } = parts;
  return [
    (owners) => keyPages(owners, context),
    (owners) => memberPages(owners, context, parts),
    (owners) => ownerClaimPages(owners, context, exporter),
    (owners) => campaignPages(owners, context, parts),
    (owners) => requestPages(owners, context, verifier, context.config.requestLog),
    (owners) => webhookPages(owners, context, outgoing),
    (owners) => linkCheckPages(owners, context, outgoing, background),
    (owners) => startPages(owners, context),
    (owners) => publishingPages(owners, context),
    (owners) => ownerListingPages(owners, context, parts),
    (owners) => ownerOfferPages(owners, context, parts),
  ];
}

function deskPages(parts: ServingParts): readonly ((desk: DeskApp) => void)[] {
  const { context, baseUrl, hasProvider, mailer } = parts;
  const { config } = context;
  return [
    (desk) =>
      overviewPages(desk, context, deploymentOf(context), {
        hasMail: mailer.isReal,
        hasBackups: config.backups !== null,
      }),
    (desk) => listingDeskPages(desk, context),
    (desk) => listingIndexPages(desk, context),
    (desk) => listingEditPages(desk, context, OWNERS_FORMS, mailer.isReal),
    (desk) => claimDeskPages(desk, context),
    (desk) => searchPages(desk, context),
    (desk) => accountDeskPages(desk, context, { mailer, baseUrl }),
    (desk) => eventDeskPages(desk, context),
    (desk) => systemDeskPages(desk, deploymentOf(context), context),
    (desk) => brandDeskPages(desk, context, parts),
    (desk) => generalDeskPages(desk, context),
    (desk) => frontPageDeskPages(desk, context),
    (desk) => peopleDeskPages(desk, context, { hasMail: mailer.isReal, hasProvider }),
    (desk) => planDeskPages(desk, context),
    (desk) => retentionDeskPages(desk, context, config),
    (desk) => operatorKeyPages(desk, context),
    (desk) => outboxPages(desk, context, mailer, baseUrl),
  ];
}
