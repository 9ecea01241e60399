import { DASHBOARD_PATH, deskListingPath, ownListingPath, ownOfferPath } from '../../../base/paths.ts';
import type { OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { hasLiveVersion, type ListingState } from '../../../marketplace/listings/listing.ts';
import { listingDifferences, textDifferences, waitingChanges } from '../../../marketplace/listings/review.ts';
import { hasProposals, readTextChanges } from '../../../marketplace/listings/text-changes.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Paragraph } from '../../ui/breakable.tsx';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { DifferenceTable } from '../../ui/difference.tsx';
import { fieldId } from '../../ui/form.tsx';
import { Notice, type NoticeTone } from '../../ui/notice.tsx';
import { linkTo, toOperator } from '../../ui/site.tsx';
import { Time } from '../../ui/time.tsx';

interface Props {
  readonly listing: OwnListing;
  readonly offers: readonly CountedOffer[];
}

interface ListingNoticesProps extends Props {
  readonly isOperator: boolean;
}

export function ListingNotices(props: ListingNoticesProps) {
  const { listing, offers } = props;
  return (
    <>
      <StateNotice {...props} />
      <DeclinedTexts {...props} />
      {listing.declined_reason !== null && (
        <DeclinedNotice
          title={t('The operator declined {proposedUrl}', { proposedUrl: listing.proposed_url ?? '' })}
          reason={listing.declined_reason}
          live={listing.url}
          action={`${ownListingPath(listing.id)}/take-back`}
        />
      )}
      {offers.map(
        (offer) =>
          offer.declined_reason !== null && (
            <DeclinedNotice
              title={t('The operator declined the new redemption link of “{offer}”', {
                offer: isolated(offer.offer),
              })}
              reason={offer.declined_reason}
              live={offer.redemption_link}
              action={offer.redemption_link === null ? null : `${ownOfferPath(offer.id)}/take-back`}
            />
          ),
      )}
    </>
  );
}

function DeclinedTexts({ listing }: Props) {
  const { declined } = readTextChanges(listing);
  if (declined === null) return null;
  return (
    <Notice
      tone="warn"
      title={t('The operator declined your changed texts')}
      actions={<DiscardTexts listing={listing} label={t('Keep the live version')} />}
    >
      <Quoted text={declined} />
      <p>
        {t(
          'The forms still contain your texts. People see the approved ones; a new offer stays hidden until it is approved.',
        )}
      </p>
    </Notice>
  );
}

const DiscardTexts = ({ listing, label }: { listing: OwnListing; label: string }) => (
  <PostButton action={`${ownListingPath(listing.id)}/discard-texts`} small>
    {label}
  </PostButton>
);

interface DeclinedNoticeProps {
  readonly title: string;
  readonly reason: string;
  readonly live: string | null;
  /** POST path for withdrawing the declined URL. `null` if there is no live URL to keep. */
  readonly action: string | null;
}

export const DeclinedNotice = ({ title, reason, live, action }: DeclinedNoticeProps) => (
  <Notice
    tone="warn"
    title={title}
    actions={
      action !== null && (
        <PostButton action={action} small>
          {t('Keep the live version')}
        </PostButton>
      )
    }
  >
    <Quoted text={reason} />
    {live !== null && <p>{t('Still live: {code}', { code: <code>{live}</code> })}</p>}
  </Notice>
);

const Quoted = ({ text }: { text: string }) => (
  <blockquote class="quoted">
    <Paragraph>{text}</Paragraph>
  </blockquote>
);

type StateWords = readonly [tone: NoticeTone, title: Message, sentence: Message];

const STATES: Readonly<Record<Exclude<ListingState, 'approved'>, StateWords>> = {
  draft: ['plain', message('This draft isn’t public yet'), message('Submit it for review when it is ready.')],
  pending: [
    'plain',
    message('Waiting for review'),
    message('The operator will review the listing. Until then, you can edit it and <a>try your link</a>.'),
  ],
  changes_requested: [
    'warn',
    message('The operator asked for changes'),
    message('Make the changes below, then <a>submit the listing again</a>.'),
  ],
  rejected: [
    'bad',
    message('The operator rejected this listing'),
    message(
      'It cannot be changed or submitted again. If you disagree, <operator>contact the operator</operator>.',
    ),
  ],
  withdrawn: [
    'plain',
    message('You withdrew this listing'),
    message(
      'It takes no new claims. Existing claims stay redeemable. To bring the listing back, submit it again.',
    ),
  ],
  suspended: [
    'bad',
    message('The operator suspended this listing'),
    message(
      'It takes no new claims. Existing claims stay redeemable. If you disagree, <operator>contact the operator</operator>.',
    ),
  ],
};

/** Whether the listing's form has a field for a reply to the operator and a button to submit again. */
export const isAnswerable = ({ state }: OwnListing, offers: readonly CountedOffer[]): boolean =>
  state === 'changes_requested' && offers.length > 0;

function StateNotice({ listing, offers, isOperator }: ListingNoticesProps) {
  if (listing.state === 'approved') return null;
  const isOpen = listing.state === 'draft' || listing.state === 'changes_requested';
  const [tone, title, sentence] = STATES[listing.state];
  const since = listing.state === 'pending' ? listing.submitted_at : null;
  return (
    <Notice
      tone={tone}
      title={t(title)}
      actions={
        isOperator &&
        listing.state === 'pending' && (
          <ButtonLink href={deskListingPath(listing.id)} small>
            {t('Review it at the desk')}
          </ButtonLink>
        )
      }
    >
      {listing.reason !== null && <Quoted text={listing.reason} />}
      <p>
        {isOpen && offers.length === 0
          ? t('Add an offer, then submit the listing for review.')
          : t(sentence, {
              a: linkTo(isAnswerable(listing, offers) ? `#${fieldId('reply')}` : DASHBOARD_PATH),
              operator: toOperator,
            })}
        {since !== null && <> {t('Submitted {time}.', { time: <Time at={since} /> })}</>}
      </p>
    </Notice>
  );
}

export function PendingChanges({ listing, offers }: Props) {
  const isLive = hasLiveVersion(listing.state);
  if (!isLive && listing.last_live === null) return null;
  const texts = isLive ? textDifferences(listing, offers).filter((one) => !one.isLive) : [];
  const differences = isLive
    ? [...texts, ...waitingChanges(listing, offers).map(({ difference }) => difference)]
    : listingDifferences(listing, offers);
  if (differences.length === 0) return null;
  return (
    <Section title={isLive ? t('Live now and in review') : t('Changed since it was live')} id="waits" isStack>
      {texts.length > 0 && (
        <p class="soft-text">{t('People see the live version until the operator has decided.')}</p>
      )}
      <DifferenceTable
        differences={differences}
        headers={isLive ? [t('Live now'), t('In review')] : [t('Was live'), t('After approval')]}
      />
      {texts.length > 0 && hasProposals(readTextChanges(listing)) && (
        <div class="row">
          <DiscardTexts listing={listing} label={t('Discard changed texts')} />
        </div>
      )}
    </Section>
  );
}
