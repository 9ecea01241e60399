import type { TooMany } from '../../brand/plans.ts';
import type { ClaimSources } from '../../claims/network-sources.ts';
import { type Message, message, t } from '../../languages/translate.ts';
import type { OwnListing } from '../../listings/counted-queries.ts';
import type { ListingState } from '../../listings/listing.ts';
import { waitingLink } from '../../listings/review.ts';
import { readTextChanges, valuesOf } from '../../listings/text-changes.ts';
import { OFFER_FIELDS } from '../../offers/fields.ts';
import {
  isOfferDeletable,
  isOpenWithCodes,
  NO_LINKS,
  offerState,
  testClaimLink,
} from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { labelsOf } from '../../text/fields.ts';
import { isolated } from '../../text/text.ts';
import { Button, ButtonLink, PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { BreakableMono, Mono } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { HiddenField } from '../../ui/field.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { EditNotices, SeenValues } from '../../ui/stale-form.tsx';
import { ClaimsMade } from '../../ui/ticket.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';
import type { Shown } from '../edit-page.ts';
import { DeclinedNotice } from '../listings/notices.tsx';
import { OfferBadges } from '../listings/offers.tsx';
import {
  linkCheckPath,
  newOfferPath,
  offerCodesPath,
  openTestPath,
  ownListingPath,
  ownOfferPath,
} from '../paths.ts';
import { type OwnPictures, Pictures } from '../pictures.tsx';
import { OfferPreviewCard } from '../previews.tsx';
import { TooManyNotice } from '../publishing.tsx';
import { ClaimSourcesCard, DominantSource } from './claim-sources.tsx';
import { Stock, trailTo } from './codes-page.tsx';
import { OfferForm } from './form.tsx';

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

interface OwnerOfferProps {
  readonly listing: OwnListing;
  readonly offer: CountedOffer;
  readonly hasApiKeys: boolean;
  readonly shown: Shown;
  readonly pictures: OwnPictures;
  readonly sources: ClaimSources;
  readonly now: number;
}

export function OwnerOffer(props: OwnerOfferProps) {
  const { listing, offer, shown, hasApiKeys } = props;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={trailTo(listing)} />}
        title={offer.offer}
        badge={<OfferBadges listing={listing} offer={offer} now={props.now} />}
        actions={listing.state !== 'rejected' && <Actions listing={listing} offer={offer} />}
      />
      <div class="stack-loose">
        <Notices {...props} />
        <div class="columns">
          <OfferPreviewCard form={shown.form} path={ownOfferPath(offer.id)} pictures={props.pictures} />
          <OfferForm
            {...{ listing, hasApiKeys }}
            form={shown.form}
            path={ownOfferPath(offer.id)}
            current={offer}
            save={<Button tone="primary">{t('Save offer')}</Button>}
          >
            <HiddenField name="version" value={String(listing.version)} />
            <SeenValues form={shown.form} />
          </OfferForm>
          <aside class="stack">
            {listing.state !== 'rejected' && (
              <Pictures
                pictures={props.pictures}
                kinds={OFFER_PICTURES}
                path={ownOfferPath(offer.id)}
                name={offer.offer}
                listing={listing}
                sent={shown.picture}
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

const Notices = (props: OwnerOfferProps) => {
  const { listing, offer, shown } = props;
  const isSubmittable = listing.state === 'draft' || listing.state === 'changes_requested';
  return (
    <div class="stack">
      <EditNotices {...shown} saved={isSubmittable ? null : shown.saved} labels={labelsOf(OFFER_FIELDS)}>
        {/* Claims don't store the link. They always open the offer's live link. */}
        {offer.redemption_link !== null &&
          offer.claims > 0 &&
          t('If you changed the live link, existing claims now use the new link too.')}
      </EditNotices>
      {shown.saved !== null && isSubmittable && <SubmitNext listing={listing} />}
      {offer.declined_reason !== null && (
        <DeclinedNotice
          title={t('The operator declined {proposedLink}', { proposedLink: offer.proposed_link ?? '' })}
          reason={offer.declined_reason}
          live={offer.redemption_link}
          action={offer.redemption_link === null ? null : `${ownOfferPath(offer.id)}/take-back`}
        />
      )}
      <TextsWait {...props} />
      {waitingLink(offer) !== null && <Waits {...props} />}
      {(shown.saved === null || !isSubmittable) && <NotApproved listing={listing} />}
      <Closed {...props} />
      <DominantSource {...props} />
      <Stock
        offer={offer}
        actions={<ButtonLink href={offerCodesPath(offer.id)}>{t('Add codes')}</ButtonLink>}
      />
    </div>
  );
};

function TextsWait({ listing, offer }: OwnerOfferProps) {
  const changes = readTextChanges(listing);
  const isWaiting =
    offer.hidden_since !== null || Object.keys(valuesOf(changes.waiting, offer.id)).length > 0;
  if (!isWaiting || listing.origin === null) return null;
  const isDeclined = changes.declined !== null;
  const link = (
    <ButtonLink href={ownListingPath(listing.id)} small>
      {t('See the changes')}
    </ButtonLink>
  );
  if (offer.hidden_since !== null) {
    return (
      <Notice
        tone="warn"
        title={isDeclined ? t('The operator declined this offer') : t('This offer is waiting for review')}
        actions={link}
      >
        {t('People see it, and can claim it, once the operator has approved it.')}
      </Notice>
    );
  }
  return (
    <Notice
      tone="warn"
      title={
        isDeclined ? t('The operator declined your changed texts') : t('Your changes are waiting for review')
      }
      actions={link}
    >
      {t('The form contains your changes. People see the live version until the operator has approved them.')}
    </Notice>
  );
}

const SubmitNext = ({ listing }: { listing: OwnListing }) => (
  <Notice
    tone="good"
    title={t('Saved')}
    actions={
      <>
        <PostButton action={`${ownListingPath(listing.id)}/submit`} tone="primary">
          {t('Submit {name} for review', { name: isolated(listing.name) })}
        </PostButton>
        <ButtonLink href={`${ownListingPath(listing.id)}#pictures`}>
          {t('Choose an icon and a cover picture')}
        </ButtonLink>
        <ButtonLink href={newOfferPath(listing.id)}>{t('Add another offer')}</ButtonLink>
      </>
    }
  >
    {t('People see the offer once the operator has approved the listing.')}
  </Notice>
);

const NOT_APPROVED: Readonly<Record<Exclude<ListingState, 'approved'>, readonly [Message, Message]>> = {
  draft: [
    message('Not open yet'),
    message('<a>{name}</a> is a draft. The offer opens when the operator approves the listing.'),
  ],
  pending: [
    message('Not open yet'),
    message('<a>{name}</a> is waiting for review. The offer opens when the operator approves the listing.'),
  ],
  changes_requested: [
    message('Not open yet'),
    message('<a>{name}</a> needs changes. The offer opens when the operator approves the listing.'),
  ],
  withdrawn: [
    message('Not open now'),
    message(
      '<a>{name}</a> is withdrawn. The offer opens again when the operator approves the listing again.',
    ),
  ],
  suspended: [
    message('Not open now'),
    message('<a>{name}</a> is suspended. The offer takes no new claims until the suspension ends.'),
  ],
  rejected: [message('Closed'), message('<a>{name}</a> was rejected. The offer takes no claims.')],
};

function NotApproved({ listing }: { listing: OwnListing }) {
  if (listing.state === 'approved') return null;
  const [title, sentence] = NOT_APPROVED[listing.state];
  return (
    <Notice title={t(title)}>
      <p>{t(sentence, { name: isolated(listing.name), a: linkTo(ownListingPath(listing.id)) })}</p>
    </Notice>
  );
}

function Closed({ offer, now }: OwnerOfferProps) {
  switch (offerState(offer, now)) {
    case 'paused':
      return (
        <Notice tone="warn" title={t('Paused')}>
          {t('The offer takes no new claims until you resume it. Existing claims stay redeemable.')}
        </Notice>
      );
    case 'scheduled':
      return (
        <Notice title={t('Scheduled')}>
          {t(
            'The offer opens on {time}. Until then, people see the offer and this date, but not the code or the link, and can’t claim the offer.',
            { time: <TimeWithZone at={offer.starts_at ?? ''} /> },
          )}
        </Notice>
      );
    case 'over':
      // The offer would be open if it had codes left. `Stock` reports that no codes are left.
      if (isOpenWithCodes(offer, now)) return null;
      return (
        <Notice title={t('Ended')}>
          {offer.ends_at !== null && Date.parse(offer.ends_at) <= now
            ? t('The offer ended on {time}. Choose a later end to take claims again.', {
                time: <TimeWithZone at={offer.ends_at} />,
              })
            : t('The offer has reached its claim limit. Raise the limit to take more claims.')}
        </Notice>
      );
    default:
      return null;
  }
}

const Waits = ({ offer }: OwnerOfferProps) => (
  <Notice
    tone="warn"
    title={t('A new redemption link is waiting for review')}
    actions={
      offer.redemption_link !== null && (
        <PostButton action={`${ownOfferPath(offer.id)}/take-back`} small>
          {t('Withdraw the new link')}
        </PostButton>
      )
    }
  >
    <div class="stack">
      <DefinitionList
        facts={[
          [
            t('Live now'),
            offer.redemption_link === null ? t('no link') : <BreakableMono text={offer.redemption_link} />,
          ],
          [t('In review'), <BreakableMono text={offer.proposed_link ?? ''} />],
          offer.proposed_at !== null && [t('Since'), <Time at={offer.proposed_at} />],
        ]}
      />
    </div>
  </Notice>
);

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
              { a: linkTo('/dashboard/settings/keys'), a2: linkTo(linkCheckPath(offer.id)) },
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
      <ButtonLink href={`/dashboard/claims?offer=${offer.id}`} small>
        {t('Show claims')}
      </ButtonLink>
      {listing.state === 'approved' && (
        <ButtonLink href={`/l/${listing.slug}#offer-${offer.id}`} small>
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
