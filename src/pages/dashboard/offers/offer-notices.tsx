/** What an owner should know or do about an offer, above its form. */

import { newOfferPath, offerCodesPath, ownListingPath, ownOfferPath } from '../../../base/paths.ts';
import type { ClaimSources } from '../../../claims/networks/sources.ts';
import type { OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import type { ListingState } from '../../../marketplace/listings/listing.ts';
import { waitingLink } from '../../../marketplace/listings/review.ts';
import { readTextChanges, valuesOf } from '../../../marketplace/listings/text-changes.ts';
import { OFFER_FIELDS } from '../../../marketplace/offers/fields.ts';
import { isOpenWithCodes, offerState } from '../../../marketplace/offers/offer.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { labelsOf } from '../../../platform/text/fields.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { EditView } from '../../editor/edit-page.ts';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { BreakableMono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { linkTo } from '../../ui/site.tsx';
import { EditNotices } from '../../ui/stale-form.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';
import { DeclinedNotice } from '../listings/notices.tsx';
import { DominantSource } from './claim-sources.tsx';
import { Stock } from './codes-page.tsx';

export interface OfferNoticesProps {
  readonly listing: OwnListing;
  readonly offer: CountedOffer;
  readonly view: EditView;
  readonly sources: ClaimSources;
  /** How many people are on the waiting list. */
  readonly waitingPeople: number;
  readonly now: number;
}

export const OfferNotices = (props: OfferNoticesProps) => {
  const { listing, offer, view } = props;
  const isSubmittable = listing.state === 'draft' || listing.state === 'changes_requested';
  return (
    <div class="stack">
      <EditNotices {...view} saved={isSubmittable ? null : view.saved} labels={labelsOf(OFFER_FIELDS)}>
        {/* Claims don't store the link. They always open the offer's live link. */}
        {offer.redemption_link !== null &&
          offer.claims > 0 &&
          t('If you changed the live link, existing claims now use the new link too.')}
      </EditNotices>
      {view.saved !== null && isSubmittable && <SubmitNext listing={listing} />}
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
      {(view.saved === null || !isSubmittable) && <NotApproved listing={listing} />}
      <Closed {...props} />
      <WaitingPeople people={props.waitingPeople} />
      <DominantSource {...props} />
      <Stock
        offer={offer}
        actions={<ButtonLink href={offerCodesPath(offer.id)}>{t('Add codes')}</ButtonLink>}
      />
    </div>
  );
};

function TextsWait({ listing, offer }: OfferNoticesProps) {
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

function Closed({ offer, now }: OfferNoticesProps) {
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

const WaitingPeople = ({ people }: { people: number }) =>
  people === 0 ? null : (
    <Notice
      title={t(
        '{people, plural, one {# person is waiting for this offer} other {# people are waiting for this offer}}',
        { people },
      )}
    >
      {t(
        'Each of them gets one email as soon as the offer can be claimed, because it starts, or because you resume it, choose a later end, raise the limit or add codes. Their addresses are not shown to you.',
      )}
    </Notice>
  );

const Waits = ({ offer }: OfferNoticesProps) => (
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
