/** Notices on an owner's listing: the operator's decisions, and pending changes next to the live version. */

import type { Child } from 'hono/jsx';
import { type Message, message, t } from '../../languages/translate.ts';
import type { OwnListing } from '../../listings/counted-queries.ts';
import { hasLiveVersion, type ListingState } from '../../listings/listing.ts';
import { listingDifferences, waitingChanges } from '../../listings/review.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button, ButtonLink, PostButton } from '../../ui/button.tsx';
import { DifferenceTable } from '../../ui/difference.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice, type NoticeTone } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { ownListingPath, ownOfferPath } from '../paths.ts';

interface Props {
  readonly listing: OwnListing;
  readonly offers: readonly CountedOffer[];
}

interface ListingNoticesProps extends Props {
  readonly isOperator: boolean;
  readonly replyForm: FormState;
}

export function ListingNotices(props: ListingNoticesProps) {
  const { listing, offers } = props;
  return (
    <>
      <StateNotice {...props} />
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

interface DeclinedNoticeProps {
  readonly title: string;
  readonly reason: string;
  readonly live: string | null;
  /** Path of the POST that withdraws the declined URL; `null` if nothing else is live. */
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
  <blockquote class="quoted plain-text" dir="auto">
    {text}
  </blockquote>
);

type StateWords = readonly [tone: NoticeTone, title: Message, sentence: Message];

const STATES: Readonly<Record<Exclude<ListingState, 'approved'>, StateWords>> = {
  draft: ['plain', message('This draft isn’t public yet'), message('Submit it for review when it is ready.')],
  pending: [
    'plain',
    message('Waiting for review'),
    message('The operator will review it. Until then, you can edit it and <a>try your link</a>.'),
  ],
  changes_requested: [
    'warn',
    message('The operator asked for changes'),
    message('Make the changes below, then submit the listing again.'),
  ],
  rejected: [
    'bad',
    message('The operator rejected this listing'),
    message('It cannot be changed or submitted again.'),
  ],
  withdrawn: [
    'plain',
    message('You withdrew this listing'),
    message('It takes no new claims. Submit it again to bring it back; existing claims stay redeemable.'),
  ],
  suspended: [
    'bad',
    message('The operator suspended this listing'),
    message('It takes no new claims. Existing claims stay redeemable.'),
  ],
};

function StateNotice({ listing, offers, isOperator, replyForm }: ListingNoticesProps) {
  if (listing.state === 'approved') return null;
  const hasOffers = offers.length > 0;
  const [tone, title, sentence] = STATES[listing.state];
  const since = listing.state === 'pending' ? listing.submitted_at : null;
  return (
    <Notice
      tone={tone}
      title={t(title)}
      actions={
        isOperator &&
        listing.state === 'pending' && (
          <ButtonLink href={`/desk/listings/${listing.id}`} small>
            {t('Review it at the desk')}
          </ButtonLink>
        )
      }
    >
      {listing.reason !== null && <Quoted text={listing.reason} />}
      <p>
        {listing.state === 'draft' && !hasOffers
          ? t('Add an offer, then submit it for review.')
          : t(sentence, { a: (words: Child) => <a href="/dashboard">{words}</a> })}
        {since !== null && <> {t('Submitted {time}.', { time: <Time at={since} /> })}</>}
      </p>
      {listing.state === 'changes_requested' && hasOffers && (
        <div class="top-space">
          <SubmitAgain listing={listing} form={replyForm} />
        </div>
      )}
    </Notice>
  );
}

const SubmitAgain = ({ listing, form }: { listing: OwnListing; form: FormState }) => (
  <Form form={form} action={`${ownListingPath(listing.id)}/submit`} idPrefix="reply">
    <TextAreaField
      form={form}
      idPrefix="reply"
      name="reply"
      label={t('Reply to the operator')}
      hint={t('Save your changes first.')}
      optional
      rows={3}
    />
    <FormActions>
      <Button tone="primary">{t('Submit again')}</Button>
    </FormActions>
  </Form>
);

/**
 * Compares what is live with what is in review. If the listing is no longer live, compares what was live with the
 * values that it has now.
 */
export function PendingChanges({ listing, offers }: Props) {
  const isLive = hasLiveVersion(listing.state);
  if (!isLive && listing.last_live === null) return null;
  const differences = isLive
    ? waitingChanges(listing, offers).map(({ difference }) => difference)
    : listingDifferences(listing, offers);
  if (differences.length === 0) return null;
  return (
    <section class="section" aria-labelledby="waits">
      <h2 id="waits">{isLive ? t('Live now and in review') : t('Changed since it was live')}</h2>
      <DifferenceTable
        differences={differences}
        headers={isLive ? [t('Live now'), t('In review')] : [t('Was live'), t('After approval')]}
      />
    </section>
  );
}
