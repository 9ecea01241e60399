import type { Child } from 'hono/jsx';
import { claimAction, claimPagePath, entryPath } from '../../base/paths.ts';
import { labelOrNone } from '../../marketplace/campaigns/label.ts';
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { Button, ButtonLink, PostButton } from '../ui/button.tsx';
import { ChallengeField } from '../ui/challenge.tsx';
import { Consent } from '../ui/consent.tsx';
import { Dialog, DialogCancel } from '../ui/dialog.tsx';
import { EmailField, HiddenField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { PageHeader } from '../ui/page-header.tsx';
import type { PublicListing, PublicOffer } from './queries.ts';

/** The form field that carries `via`. Its name is `via` for a valid label and `unread_via` for any other text. */
export const viaField = (via: string | null): Readonly<Record<string, string>> =>
  via === null ? {} : { [labelOrNone(via) === null ? 'unread_via' : 'via']: via };

export interface ClaimSignInProps {
  readonly listing: PublicListing;
  readonly offer: PublicOffer;
  readonly via: string | null;
}

/**
 * A separate page with the form. It is shown after a rejected address, in browsers without popovers, and for direct
 * links.
 */
export const ClaimSignInPage = (
  props: ClaimSignInProps & { readonly form: FormState; readonly challenge: string | null },
) => (
  <>
    <PageHeader title={t('Claim offer')} lead={whatIsClaimed(props)} />
    <ClaimSignInForm {...props} />
    <p class="top-space">
      <a href={entryPath({ slug: props.listing.slug, via: props.via })}>{t('Back to the app’s page')}</a>
    </p>
  </>
);

/** A button that opens the form in a dialog; in browsers without popovers, a link to the separate page. */
export const ClaimSignInDialog = (props: ClaimSignInProps) => {
  const { listing, offer, via } = props;
  const id = `claim-${offer.id}`;
  const label = t('Claim offer: {offer}', { offer: isolated(offer.offer) });
  return (
    <>
      <div class="with-popovers">
        <Dialog
          id={id}
          opener={t('Claim offer')}
          openerTone="primary"
          openerLabel={label}
          title={t('Claim offer')}
        >
          <div class="stack">
            <p class="soft-text">{whatIsClaimed(props)}</p>
            <ClaimSignInForm {...props} form={newForm()} idPrefix={id} cancel={<DialogCancel id={id} />} />
          </div>
        </Dialog>
      </div>
      <div class="without-popovers">
        <ButtonLink href={claimPagePath({ slug: listing.slug, via }, offer.id)} tone="primary" label={label}>
          {t('Claim offer')}
        </ButtonLink>
      </div>
    </>
  );
};

const whatIsClaimed = ({ listing, offer }: ClaimSignInProps): string =>
  t('{offer}, at {name}', { offer: isolated(offer.offer), name: isolated(listing.name) });

interface ClaimSignInFormProps extends ClaimSignInProps {
  readonly challenge?: string | null;
  readonly form: FormState;
  readonly idPrefix?: string;
  readonly cancel?: Child;
}

const ClaimSignInForm = (props: ClaimSignInFormProps) => {
  const { listing, offer, via, challenge = null, form, idPrefix, cancel } = props;
  const action = claimAction(listing.slug, offer.id);
  return (
    <>
      <Form form={form} action={action} idPrefix={idPrefix}>
        {Object.entries(viaField(via)).map(([name, value]) => (
          <HiddenField name={name} value={value} />
        ))}
        <EmailField
          form={form}
          idPrefix={idPrefix}
          hint={t('We’ll send you a code. As soon as you enter it, the offer is yours.')}
          autocomplete="email"
          autofocus
        />
        <Consent form={form} idPrefix={idPrefix} />
        {challenge !== null && <ChallengeField challenge={challenge} form={form} />}
        <FormActions>
          {cancel}
          <Button tone="primary">{t('Email me a code')}</Button>
        </FormActions>
      </Form>
      <div class={cancel ? undefined : 'form-actions'}>
        <PostButton action={action} values={{ ...viaField(via), another_way: '1' }} tone="quiet">
          {t('Sign in another way')}
        </PostButton>
      </div>
    </>
  );
};
