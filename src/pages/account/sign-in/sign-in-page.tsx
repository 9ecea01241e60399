import {
  CODE_SIGN_IN_PATH,
  FORGOT_PASSWORD_PATH,
  NEW_LISTING_PATH,
  offerOfClaimPage,
  PASSKEY_PATH,
  PASSWORD_SIGN_IN_PATH,
  SECOND_FACTOR_PATH,
  SIGN_IN_LINK_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
} from '../../../base/paths.ts';
import type { IntendedOffer } from '../../../people/sign-in/email/letters.ts';
import type { readEmailSignIn } from '../../../people/sign-in/email/sign-in.ts';
import type { ProviderChoice } from '../../../people/sign-in/oidc/provider.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { ENDED } from '../../frame/kept-forms.tsx';
import { withNext } from '../../frame/pages.ts';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { ChallengeField } from '../../ui/challenge.tsx';
import { Consent } from '../../ui/consent.tsx';
import { EmailField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import { newForm } from '../../ui/form-state.ts';
import { Live } from '../../ui/live.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { linkTo, Sentence, strong, toOperator } from '../../ui/site.tsx';
import { Time } from '../../ui/time.tsx';
import {
  CodeField,
  FACTOR_HINT,
  MailedCodeField,
  OidcButtons,
  Or,
  PasswordField,
  ShortForm,
  signInWith,
  UsePasskey,
} from '../forms.tsx';
import type { FormPageProps } from './responses.ts';

interface SignInPageProps extends FormPageProps {
  /** One of `ENDED` if the person submitted a form after their session had ended. */
  readonly ended: string | null;
  readonly hasPasskeys: boolean;
  readonly providers: readonly ProviderChoice[];
}

/** `hasExpired`: the code page was opened after the code had expired, or in a different browser. */
export const EmailSignInPage = ({
  form,
  next,
  challenge,
  ended,
  hasExpired,
  hasPasskeys,
  providers,
}: SignInPageProps & { readonly hasExpired: boolean }) => (
  <>
    <PageHeader
      title={t('Sign in')}
      lead={[purposeOf(next, null), t('We’ll email you a code. You don’t need a password.')]
        .filter((sentence) => sentence !== undefined)
        .join(' ')}
    />
    {ended !== null && <SessionEnded isIncomplete={ended === ENDED.incomplete} />}
    {hasExpired && (
      <Notice tone="warn" title={t('This code no longer works here')}>
        {t('A code works for 10 minutes, and only in the browser that requested it. Ask for a new one.')}
      </Notice>
    )}
    <div class="ways">
      <ShortForm
        form={form}
        action={SIGN_IN_PATH}
        next={next}
        button={t('Email me a code')}
        also={
          <a href={withNext(PASSWORD_SIGN_IN_PATH, next)}>
            {hasPasskeys ? t('Use a password or passkey') : t('Use a password')}
          </a>
        }
      >
        <EmailField form={form} autocomplete="email" autofocus />
        <Consent form={form} />
        {challenge !== null && <ChallengeField challenge={challenge} form={form} />}
      </ShortForm>
      <Or />
      <OidcButtons providers={providers} textOf={signInWith} next={next} />
    </div>
  </>
);

export const SessionEnded = ({ isIncomplete }: { isIncomplete: boolean }) => (
  <Notice tone="warn" title={t('Your session has ended')}>
    {isIncomplete
      ? t(
          'Nothing has been changed. Sign in, then send the form again. Files and passwords aren’t kept, so enter them again.',
        )
      : t('Nothing has been changed. Sign in, then try again.')}
  </Notice>
);

/** Explains why the requested page needs a sign-in. `intended`: the offer of the claim page at `next`. */
export function purposeOf(next: string, intended: IntendedOffer | null): string | undefined {
  if (intended !== null) {
    return t('To claim “{offer}” from {listing}, sign in or sign up.', {
      offer: isolated(intended.offer),
      listing: isolated(intended.listing),
    });
  }
  if (offerOfClaimPage(next) !== undefined) return t('Sign in or sign up to claim an offer.');
  if (next.startsWith(NEW_LISTING_PATH)) return t('Sign in or sign up to publish your app.');
  return undefined;
}

interface PasswordSignInPageProps extends Omit<SignInPageProps, 'challenge'> {
  readonly hasNewPassword: boolean;
  readonly hasMail: boolean;
  readonly intended: IntendedOffer | null;
  /** Why the passkey was refused; empty if no passkey was refused. */
  readonly passkeyProblem: string;
}

export const PasswordSignInPage = ({
  form,
  next,
  hasNewPassword,
  ended,
  hasMail,
  hasPasskeys,
  providers,
  intended,
  passkeyProblem,
}: PasswordSignInPageProps) => (
  <>
    <PageHeader title={t('Sign in')} lead={purposeOf(next, intended)} />
    {ended !== null && <SessionEnded isIncomplete={ended === ENDED.incomplete} />}
    {hasNewPassword && <Notice tone="good">{t('Your new password is set. Sign in with it.')}</Notice>}
    <div class="ways">
      <ShortForm
        form={form}
        action={hasMail ? PASSWORD_SIGN_IN_PATH : SIGN_IN_PATH}
        next={next}
        button={t('Sign in')}
        also={<a href={FORGOT_PASSWORD_PATH}>{t('Forgot your password?')}</a>}
      >
        <EmailField form={form} autocomplete="username" autofocus />
        <PasswordField form={form} />
      </ShortForm>
      <Or />
      <OidcButtons providers={providers} textOf={signInWith} next={next} />
      {hasPasskeys && (
        <UsePasskey
          action={PASSKEY_PATH}
          text={t('Sign in with a passkey')}
          next={next}
          problem={passkeyProblem}
        />
      )}
    </div>
    <p class="soft-text">
      {hasMail
        ? t('No password? <a>Sign in with an emailed code</a>', {
            a: linkTo(withNext(SIGN_IN_PATH, next)),
          })
        : t('New here? <a>Sign up</a>', {
            a: linkTo(withNext(SIGN_UP_PATH, next)),
          })}
    </p>
  </>
);

interface CheckMailPageProps extends FormPageProps {
  /** Whether the challenge belongs to the form for the code, not to the button for another mail. */
  readonly isOfCode: boolean;
  readonly pending: PendingSignIn;
  /** The offer that the person wants to claim. */
  readonly intended: IntendedOffer | null;
  readonly isResent: boolean;
}

export const CheckMailPage = ({
  form,
  next,
  challenge,
  isOfCode,
  pending: { email, mail, mailedAt, isMailed },
  intended,
  isResent,
}: CheckMailPageProps) => (
  <>
    <PageHeader
      title={t('Check your email')}
      lead={
        intended === null
          ? t(
              'Enter the code from our email to <strong>{email}</strong>, or open the link in it. The code and the link are valid for 10 minutes or until you use one of them.',
              { email, strong },
            )
          : t(
              'To claim “{offer}” from {listing}, enter the code from our email to <strong>{email}</strong>, or open the link in it. The code and the link are valid for 10 minutes or until you use one of them.',
              { offer: intended.offer, listing: intended.listing, email, strong },
            )
      }
    />
    <MailState mail={mail} next={next} />
    {!isMailed && mail === null && (
      <Notice>
        {t(
          'We didn’t send another email, because this address has already received several. Use the code from the last one, sent {time}.',
          { time: <Time at={mailedAt} hasZone /> },
        )}
      </Notice>
    )}
    {isResent && isMailed && mail === null && (
      <Notice tone="good">
        {t('We’ve sent another email. Codes from earlier emails still work until they expire.')}
      </Notice>
    )}
    <ShortForm form={form} action={CODE_SIGN_IN_PATH} next={next} button={t('Continue')}>
      <MailedCodeField form={form} sendsItself={challenge === null || !isOfCode} />
      {challenge !== null && isOfCode && <ChallengeField challenge={challenge} form={form} />}
    </ShortForm>
    {challenge === null || isOfCode ? (
      <FormActions>
        <PostButton action={`${CODE_SIGN_IN_PATH}/resend`} values={{ next }} tone="quiet">
          {t('Send it again')}
        </PostButton>
      </FormActions>
    ) : (
      <ShortForm
        form={newForm()}
        action={`${CODE_SIGN_IN_PATH}/resend`}
        next={next}
        button={t('Send it again')}
        tone="quiet"
      >
        <ChallengeField challenge={challenge} form={form} />
      </ShortForm>
    )}
    <p class="soft-text">
      {t('No email? Check your spam folder, or <a>use another address</a>.', {
        a: linkTo(withNext(SIGN_IN_PATH, next)),
      })}
    </p>
  </>
);

type PendingSignIn = NonNullable<Awaited<ReturnType<typeof readEmailSignIn>>>;

/** Also polls to detect when the link in the mail is used. */
export const MailState = ({ mail, next }: Pick<PendingSignIn, 'mail'> & { next: string }) => (
  <Live id="mail" path={withNext(`${CODE_SIGN_IN_PATH}?mail=${mail ?? ''}`, next)} everyMs={LOOK_MS}>
    {mail === 'delayed' && (
      <Notice tone="warn" title={t('The email hasn’t gone out yet')}>
        {t('We’re trying again. If this takes too long, <operator>contact the operator</operator>.', {
          operator: toOperator,
        })}
      </Notice>
    )}
    {mail === 'failed' && (
      <Notice tone="bad" title={t('The email hasn’t gone out')}>
        {t(
          'The mail server didn’t accept it. Check the address, send it again, or <operator>contact the operator</operator>.',
          { operator: toOperator },
        )}
      </Notice>
    )}
  </Live>
);

const LOOK_MS = 3_000;

export const FinishedElsewherePage = () => (
  <PageHeader title={t('Finished in another window')} lead={t('You can close this one.')} />
);

export const NoCookiesPage = ({ host, next }: { host: string; next: string }) => (
  <>
    <PageHeader
      title={t('Cookies are blocked')}
      lead={t('You can’t be signed in, because this browser doesn’t keep cookies from {host}.', { host })}
    />
    <p>
      {t(
        'Allow cookies for this site in your browser’s settings, or open the site in another browser: browsers inside apps often block cookies. Then sign in again.',
      )}
    </p>
    <FormActions>
      <ButtonLink href={withNext(SIGN_IN_PATH, next)} tone="primary">
        {t('Sign in again')}
      </ButtonLink>
    </FormActions>
  </>
);

export const SecondFactorPage = ({ form, next }: FormPageProps) => (
  <>
    <PageHeader title={t('Two-factor sign-in')} lead={t('Enter a code to finish signing in.')} />
    <ShortForm
      form={form}
      action={SECOND_FACTOR_PATH}
      next={next}
      button={t('Continue')}
      also={<a href={withNext(SIGN_IN_PATH, next)}>{t('Back')}</a>}
    >
      <CodeField form={form} hint={t(FACTOR_HINT)} autofocus />
    </ShortForm>
  </>
);

/** A script sends the code of the link, so most people see only the page that follows (`LinkChoicePage`). */
export const SignInLinkPage = ({ form, next }: FormPageProps) => {
  const refusal = form.problemOf('code');
  return refusal === null || form.typed('code') === '' ? (
    <>
      <PageHeader
        title={t('Sign in by link')}
        lead={t('The next page shows what this link does. Nothing happens until you choose.')}
      />
      <ShortForm form={form} action={SIGN_IN_LINK_PATH} next={next} button={t('Continue')} sendsCode>
        <CodeField form={form} hint={t('In the link, the code comes after the #.')} autofocus />
      </ShortForm>
    </>
  ) : (
    <>
      <PageHeader title={t('This link no longer works')} lead={<Sentence text={refusal} />} />
      <FormActions>
        <ButtonLink href={withNext(SIGN_IN_PATH, next)} tone="primary">
          {t('Sign in another way')}
        </ButtonLink>
      </FormActions>
    </>
  );
};
