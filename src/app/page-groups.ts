import { invitationPages } from '../account/invitation-pages.tsx';
import { mailPages } from '../account/mail-pages.tsx';
import { membershipPages } from '../account/membership-pages.tsx';
import { accountPages } from '../account/pages.tsx';
import { proofPages } from '../account/proof/pages.tsx';
import { challengeOf } from '../account/sign-in/answers.ts';
import { newAddressPages } from '../account/sign-in/new-address-pages.tsx';
import { oidcPages } from '../account/sign-in/oidc-pages.tsx';
import { beginEmailSignIn, signInPages } from '../account/sign-in/pages.tsx';
import { passwordPages } from '../account/sign-in/password-pages.tsx';
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
import type { PageGroup } from '../http/pages/page-router.ts';
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
    (app) => newAddressPages(app, parts),
    (app) => passwordPages(app, parts),
    (app) => {
      if (provider !== null) oidcPages(app, parts, provider);
    },
    (app) => accountPages(app, parts, provider?.name ?? null),
    (app) => mailPages(app, context),
    (app) => membershipPages(app, context),
    (app) => invitationPages(app, parts),
    (app) => proofPages(app, parts, provider?.name ?? null),
    (app) =>
      marketPages(app, parts, {
        baseUrl,
        hasProvider: provider !== null,
        byMail: mailer.isReal
          ? (c, form, next) => beginEmailSignIn(c, parts, form, { next, isIntended: true })
          : null,
        challenge: (c, form) => challengeOf(c, parts, form, 'mail'),
      }),
    (app) => reportPages(app, context),
    (app) => foundPages(app, parts),
    (app) => claimantPages(app, context),
    (app) => homePage(app, context),
    ...dashboardPages(parts),
    ...deskPages(parts),
    (app) => docsPages(app, context, OPERATIONS, config.requestLog),
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
    (app) => webhookPages(app, context, outgoing),
    (app) => linkCheckPages(app, context, outgoing, background),
    (app) => startPages(app, context),
    (app) => publishingPages(app, context),
    (app) => ownerListingPages(app, context, parts),
    (app) => ownerOfferPages(app, context, parts),
  ];
}

function deskPages(parts: ServingParts): readonly PageGroup[] {
  const { context, baseUrl, hasProvider, mailer } = parts;
  const { config } = context;
  return [
    (app) =>
      overviewPages(app, context, deploymentOf(context), {
        hasMail: mailer.isReal,
        hasBackups: config.backups !== null,
      }),
    (app) => listingDeskPages(app, context),
    (app) => listingIndexPages(app, context),
    (app) => listingEditPages(app, context, OWNERS_FORMS, mailer.isReal),
    (app) => claimDeskPages(app, context),
    (app) => searchPages(app, context),
    (app) => accountDeskPages(app, context, { mailer, baseUrl }),
    (app) => eventDeskPages(app, context),
    (app) => systemDeskPages(app, deploymentOf(context), context),
    (app) => brandDeskPages(app, context, parts),
    (app) => generalDeskPages(app, context),
    (app) => frontPageDeskPages(app, context),
    (app) => peopleDeskPages(app, context, { hasMail: mailer.isReal, hasProvider }),
    (app) => planDeskPages(app, context),
    (app) => retentionDeskPages(app, context, config),
    (app) => operatorKeyPages(app, context),
    (app) => outboxPages(app, context, mailer, baseUrl),
  ];
}
