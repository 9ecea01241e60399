import { leaveListPath, offerPath, STOP_WAITING_PATH, waitingListPath } from '../../../base/paths.ts';
import type { WaitingPerson } from '../../../marketplace/waiting-list/queries.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Button, ButtonLink, PostButton } from '../../ui/button.tsx';
import { ChallengeField } from '../../ui/challenge.tsx';
import { Dialog, DialogCancel } from '../../ui/dialog.tsx';
import { EmailField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Closed } from '../offer-limits.tsx';
import type { PublicListing, PublicOffer } from '../queries.ts';

interface ClosedOffer {
  readonly listing: Pick<PublicListing, 'slug' | 'name'>;
  readonly offer: PublicOffer;
}

const ONE_EMAIL = message(
  'You’ll get one email when the offer can be claimed. Then your address is deleted. Nothing else is sent to it.',
);

const namesOf = ({ offer, listing }: Readonly<Record<'offer' | 'listing', string>>): string =>
  t('{offer}, at {name}', { offer: isolated(offer), name: isolated(listing) });

interface TellMeProps extends ClosedOffer {
  readonly isSignedIn: boolean;
  readonly isWaiting: boolean;
}

/**
 * Joins the waiting list, or leaves it: one click for people who are signed in, otherwise a form in a dialog or, in
 * browsers without popovers, on a separate page.
 */
export function TellMe({ listing, offer, isSignedIn, isWaiting }: TellMeProps) {
  const path = waitingListPath(listing.slug, offer.id);
  const label = t('Tell me when it opens: {offer}', { offer: isolated(offer.offer) });
  if (isWaiting) {
    return (
      <>
        <p>{t('You’re on the waiting list: you’ll get an email when it opens.')}</p>
        <PostButton
          action={leaveListPath(listing.slug, offer.id)}
          label={t('Leave the waiting list: {offer}', { offer: isolated(offer.offer) })}
        >
          {t('Leave the waiting list')}
        </PostButton>
      </>
    );
  }
  if (isSignedIn) {
    return (
      <PostButton action={path} label={label}>
        {t('Tell me when it opens')}
      </PostButton>
    );
  }
  const id = `wait-${offer.id}`;
  return (
    <>
      <div class="with-popovers">
        <Dialog
          id={id}
          opener={t('Tell me when it opens')}
          openerLabel={label}
          title={t('Tell me when it opens')}
        >
          <div class="stack">
            <p class="soft-text">{namesOf({ offer: offer.offer, listing: listing.name })}</p>
            <JoinForm path={path} form={newForm()} idPrefix={id} challenge={null} isSignedIn={false} />
          </div>
        </Dialog>
      </div>
      <div class="without-popovers">
        <ButtonLink href={path} label={label}>
          {t('Tell me when it opens')}
        </ButtonLink>
      </div>
    </>
  );
}

interface JoinFormProps {
  readonly path: string;
  readonly form: FormState;
  readonly challenge: string | null;
  /** The account's address is used, so the form doesn't ask for one. */
  readonly isSignedIn: boolean;
  /** Set in a dialog, which also gets a button that closes it. */
  readonly idPrefix?: string;
}

const JoinForm = ({ path, form, challenge, isSignedIn, idPrefix }: JoinFormProps) => (
  <Form form={form} action={path} idPrefix={idPrefix}>
    {isSignedIn ? (
      <p>{t(ONE_EMAIL)}</p>
    ) : (
      <EmailField form={form} idPrefix={idPrefix} hint={ONE_EMAIL} autocomplete="email" autofocus />
    )}
    {challenge !== null && <ChallengeField challenge={challenge} form={form} />}
    <FormActions>
      {idPrefix !== undefined && <DialogCancel id={idPrefix} />}
      <Button tone="primary">{t('Tell me')}</Button>
    </FormActions>
  </Form>
);

interface JoinPageProps extends ClosedOffer {
  readonly form: FormState;
  readonly challenge: string | null;
  readonly isSent: boolean;
  readonly isSignedIn: boolean;
  readonly isWaiting: boolean;
}

export function JoinPage(props: JoinPageProps) {
  const { listing, offer, form, challenge, isSent, isSignedIn, isWaiting } = props;
  const names = namesOf({ offer: offer.offer, listing: listing.name });
  const path = waitingListPath(listing.slug, offer.id);
  const back = <a href={offerPath(listing.slug, offer.id)}>{t('Back to the app’s page')}</a>;
  if (isSent) {
    return (
      <>
        <PageHeader title={t('Check your email')} lead={names} />
        <Notice tone="good" title={t('One more step')}>
          {t(
            'Open the link in the email that we’ve just sent you. If it doesn’t arrive, look in the spam folder. If your address is already on the list, we don’t send another email.',
          )}
        </Notice>
        <p class="top-space">{back}</p>
      </>
    );
  }
  return (
    <>
      <PageHeader title={t('Tell me when it opens')} lead={names} />
      <div class="stack">
        <p class="soft-text">
          <Closed offer={offer} />
        </p>
        {isWaiting ? (
          <TellMe {...{ listing, offer, isSignedIn, isWaiting }} />
        ) : (
          <JoinForm {...{ path, form, challenge, isSignedIn }} />
        )}
      </div>
      <p class="top-space">{back}</p>
    </>
  );
}

interface ConfirmPageProps {
  readonly person: Pick<WaitingPerson, 'offer' | 'listing' | 'slug' | 'offer_id' | 'confirmed_at'>;
  readonly confirmPath: string;
  readonly stopPath: string;
  readonly form: FormState;
}

/** Doesn't show the address, because the email may have been forwarded. */
export function ConfirmPage({ person, confirmPath, stopPath, form }: ConfirmPageProps) {
  const isConfirmed = person.confirmed_at !== null;
  return (
    <>
      <PageHeader
        title={isConfirmed ? t('You’re on the waiting list') : t('Tell me when it opens')}
        lead={namesOf(person)}
      />
      <div class="stack">
        <p>{t(ONE_EMAIL)}</p>
        {isConfirmed ? (
          <PostButton action={stopPath}>{t('Leave the waiting list')}</PostButton>
        ) : (
          <Form form={form} action={confirmPath}>
            <FormActions>
              <Button tone="primary">{t('Yes, email me')}</Button>
            </FormActions>
          </Form>
        )}
      </div>
      <p class="top-space">
        <a href={offerPath(person.slug, person.offer_id)}>{t('Back to the app’s page')}</a>
      </p>
    </>
  );
}

export const LinkIsDeadPage = () => (
  <>
    <PageHeader
      title={t('This link no longer works')}
      lead={t(
        'It has expired, a newer email has replaced it, or you have left the waiting list. You can join the list again on the app’s page.',
      )}
    />
    <FormActions>
      <ButtonLink href="/">{t('See other offers')}</ButtonLink>
    </FormActions>
  </>
);

export const StopPage = ({ code }: { code: string }) => (
  <>
    <PageHeader
      title={t('Leave the waiting list?')}
      lead={t('Your address is deleted from it, and you get no email when the offer opens.')}
    />
    <FormActions>
      <PostButton action={`${STOP_WAITING_PATH}/${code}`} tone="primary">
        {t('Leave the waiting list')}
      </PostButton>
    </FormActions>
  </>
);

/** Also for people who have got their email, and whose address is therefore no longer stored. */
export const StoppedPage = () => (
  <PageHeader
    title={t('You’re not on the waiting list')}
    lead={t(
      'Your address has been deleted from the waiting list of this offer. You won’t get any more email about it.',
    )}
  />
);
