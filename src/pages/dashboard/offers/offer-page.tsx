import type { TooMany } from '../../../base/brand/plans.ts';
import {
  linkCheckPath,
  newOfferPath,
  OWN_KEYS_PATH,
  offerCodesPath,
  offerPath,
  openTestPath,
  ownerClaimsPath,
  ownOfferPath,
} from '../../../base/paths.ts';
import type { OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { waitingLink } from '../../../marketplace/listings/review.ts';
import { isOfferDeletable, NO_LINKS, testClaimLink } from '../../../marketplace/offers/offer.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { OfferForm } from '../../editor/offer-form.tsx';
import { type OwnPictures, Pictures } from '../../editor/pictures.tsx';
import { OfferPreviewCard } from '../../editor/previews.tsx';
import { Button, ButtonLink, PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { BreakableMono, Mono } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { LoadedVersion } from '../../ui/stale-form.tsx';
import { ClaimsMade } from '../../ui/ticket.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';
import { OfferBadges } from '../listings/offers.tsx';
import { TooManyNotice } from '../publishing.tsx';
import { ClaimSourcesCard } from './claim-sources.tsx';
import { trailTo } from './codes-page.tsx';
import { OfferNotices, type OfferNoticesProps } from './offer-notices.tsx';

interface NewOfferProps {
  readonly listing: OwnListing;
  readonly form: FormState;
  readonly hasApiKeys: boolean;
}

export const NewOffer = (props: NewOfferProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={trailTo(props.listing)} />}
      title={t('New offer')}
      lead={t('What people get, and how they get it.')}
    />
    <div class="columns">
      <OfferPreviewCard form={props.form} path={newOfferPath(props.listing.id)} pictures={null} />
      <OfferForm
        {...props}
        path={newOfferPath(props.listing.id)}
        current={NO_LINKS}
        save={<Button tone="primary">{t('Add offer')}</Button>}
      />
    </div>
  </>
);

interface NoMoreOffersProps {
  readonly listing: OwnListing;
  readonly tooMany: TooMany;
  readonly isOwner: boolean;
}

export const NoMoreOffers = ({ listing, ...props }: NoMoreOffersProps) => (
  <>
    <PageHeader above={<Breadcrumb trail={trailTo(listing)} />} title={t('New offer')} />
    <TooManyNotice {...props} />
  </>
);

export const OFFER_PICTURES = ['offer'] as const;

interface OwnerOfferProps extends OfferNoticesProps {
  readonly hasApiKeys: boolean;
  readonly pictures: OwnPictures;
}

export function OwnerOffer(props: OwnerOfferProps) {
  const { listing, offer, view, hasApiKeys } = props;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={trailTo(listing)} />}
        title={offer.offer}
        badge={<OfferBadges listing={listing} offer={offer} now={props.now} />}
        actions={listing.state !== 'rejected' && <Actions listing={listing} offer={offer} />}
      />
      <div class="stack-loose">
        <OfferNotices {...props} />
        <div class="columns">
          <OfferPreviewCard form={view.form} path={ownOfferPath(offer.id)} pictures={props.pictures} />
          <OfferForm
            {...{ listing, hasApiKeys }}
            form={view.form}
            path={ownOfferPath(offer.id)}
            current={offer}
            save={<Button tone="primary">{t('Save offer')}</Button>}
          >
            <LoadedVersion version={listing.version} form={view.form} />
          </OfferForm>
          <aside class="stack">
            {listing.state !== 'rejected' && (
              <Pictures
                pictures={props.pictures}
                kinds={OFFER_PICTURES}
                path={ownOfferPath(offer.id)}
                name={offer.offer}
                listing={listing}
                sent={view.picture}
              />
            )}
            <ClaimSourcesCard {...props} />
            <Try {...props} />
            <Details {...props} />
          </aside>
        </div>
      </div>
    </>
  );
}

function Actions({ listing, offer }: Pick<OwnerOfferProps, 'listing' | 'offer'>) {
  const path = ownOfferPath(offer.id);
  return (
    <>
      <ButtonLink href={`${newOfferPath(listing.id)}?from=${offer.id}`}>{t('Duplicate')}</ButtonLink>
      <PostButton action={`${path}/${offer.paused_at === null ? 'pause' : 'resume'}`}>
        {offer.paused_at === null ? t('Pause') : t('Resume')}
      </PostButton>
    </>
  );
}

const Try = ({ offer, hasApiKeys }: OwnerOfferProps) => (
  <Card title={t('Try it')} id="try" isStack>
    {testClaimLink(offer) === null ? (
      <p class="soft-text">
        {offer.proposed_link === null
          ? t('To open a link here with a test claim, add a redemption link or a test link.')
          : t(
              'Once the link is live, you can open it here with a test claim. If you add a test link, you can open the test link now.',
            )}
      </p>
    ) : (
      <>
        <p class="soft-text">
          {t(
            'Opens your {link, select, test {test} other {live}} link with the token of a test claim, as a claimant’s browser would. The claim is not counted; you’ll find it under Claims in test mode.',
            { link: offer.test_link === null ? 'live' : 'test' },
          )}
        </p>
        <PostButton action={openTestPath(offer.id)} leaves>
          {t('Open with a test claim')}
        </PostButton>
        {hasApiKeys && (
          <p class="small-text soft-text">
            {t(
              'Your page verifies the claim with a <a>test key</a>. Once the claim is redeemed, the button opens the link with a new claim. The <a2>link check</a2> also shows what your page does with the token.',
              { a: linkTo(OWN_KEYS_PATH), a2: linkTo(linkCheckPath(offer.id)) },
            )}
          </p>
        )}
      </>
    )}
  </Card>
);

const Details = ({ offer, listing }: OwnerOfferProps) => (
  <Card title={t('Details')} id="details" isStack>
    <DefinitionList
      facts={[
        [t('Claims'), <ClaimsMade claims={offer.claims} limit={offer.claim_limit} />],
        (offer.code_list !== null || offer.codes_given > 0) && [
          t('Codes'),
          <a href={offerCodesPath(offer.id)}>
            {t('{left, number} left, {given, number} given', {
              left: offer.codes_left,
              given: offer.codes_given,
            })}
          </a>,
        ],
        offer.test_link !== null && [t('Test link'), <BreakableMono text={offer.test_link} />],
        // The notice about a link in review already shows the live link.
        waitingLink(offer) === null && [
          t('Live link'),
          offer.redemption_link === null ? t('no link') : <BreakableMono text={offer.redemption_link} />,
        ],
        offer.starts_at !== null && [t('Opens on'), <TimeWithZone at={offer.starts_at} />],
        offer.ends_at !== null && [t('Ends'), <TimeWithZone at={offer.ends_at} />],
        [t('Created'), <Time at={offer.created_at} />],
        [t('Offer ID'), <Mono>{offer.id}</Mono>],
      ]}
    />
    <div class="row">
      <ButtonLink href={ownerClaimsPath({ offer: offer.id })} small>
        {t('Show claims')}
      </ButtonLink>
      {listing.state === 'approved' && (
        <ButtonLink href={offerPath(listing.slug, offer.id)} small>
          {t('Public page')}
        </ButtonLink>
      )}
      {listing.state !== 'rejected' && isOfferDeletable(offer, listing) && offer.claims === 0 && (
        <Confirm
          action={`${ownOfferPath(offer.id)}/delete`}
          title={t('Delete “{offer}”?', { offer: isolated(offer.offer) })}
          confirm={t('Delete offer')}
          small
        >
          <p>{t('It was never live, so nobody has claimed it. This can’t be undone.')}</p>
        </Confirm>
      )}
    </div>
  </Card>
);
