import { parseAccountName, parseEmail } from '../../accounts/account.ts';
import { confirmEmailChange } from '../../accounts/change-email.ts';
import { signUp } from '../../accounts/create.ts';
import { hasOperator } from '../../accounts/credential-queries.ts';
import { throughMailGate } from '../../accounts/mail-challenge.ts';
import { parseCode } from '../../accounts/one-time-code.ts';
import { parsePassword } from '../../accounts/password.ts';
import type { SignInServices } from '../../accounts/services.ts';
import { personOfLink, requestPasswordLink, setPasswordByCode } from '../../accounts/set-password.ts';
import { completeSetUp } from '../../accounts/set-up.ts';
import { requireConsent } from '../../accounts/terms.ts';
import type { PageRouter } from '../../http/pages/page-router.ts';
import { type PageContext, page, redirect, requireViewer, withNext } from '../../http/pages/pages.ts';
import { message, t } from '../../languages/translate.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ChallengeField } from '../../ui/challenge.tsx';
import { ACCEPTS_TERMS, CONSENT, Consent } from '../../ui/consent.tsx';
import { EmailField, TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { linkTo, PRIVACY_GUIDE_PATH, toOperator } from '../../ui/site.tsx';
import { CodeField, NewPasswordField, ShortForm } from '../forms.tsx';
import { invitedAddress } from '../invitation-pages.tsx';
import { ACCOUNT_PATH, FORGOT_PASSWORD_PATH, NEW_EMAIL_PATH } from '../paths.ts';
import {
  addFormPage,
  callerOf,
  type FormPageProps,
  fieldOrChallenge,
  goOn,
  isStrong,
  setCookies,
  solverOf,
  unlessSignedIn,
} from './answers.ts';

const personIn = ({ name, email }: Record<'name' | 'email', string>) => ({ person: [name, email] });

export function signUpPages(app: PageRouter, services: SignInServices): void {
  // With a mail server, signing in by mail creates the account.
  if (!services.mailer.isReal) addSignUp(app, services);
  addNewAddress(app, services);
  addForgottenPassword(app, services);
  addNewPassword(app, services);
  addSetUp(app, services);
}

function addSignUp(app: PageRouter, services: SignInServices): void {
  addFormPage(app, services, {
    path: '/sign-up',
    rules: { for: 'anyone' },
    title: message('Sign up'),
    first: invitedAddress(services),
    instead: unlessSignedIn,
    content: SignUpPage,
    submit: async (c, form, next) => {
      const values = form.read({
        email: parseEmail,
        password: parsePassword,
        [CONSENT]: () => requireConsent(services.context.marketplace.brand, form.has(ACCEPTS_TERMS)),
      });
      if (values === null || !(await isStrong(services, form, { person: [values.email] }))) return null;
      const result = await form.attempt('email', () => signUp(services, { ...values, caller: callerOf(c) }));
      return result && goOn(c, result, next);
    },
  });
}

function addNewAddress(app: PageRouter, services: SignInServices): void {
  addFormPage(app, services, {
    path: NEW_EMAIL_PATH,
    rules: { for: 'signed-in' },
    title: message('Confirm your new address'),
    content: ConfirmNewAddressPage,
    submit: async (c, form) => {
      const { accountId, sessionId } = requireViewer(c);
      form.hasOnly('code');
      await form.attempt('code', async () =>
        confirmEmailChange(services, {
          accountId,
          sessionId,
          code: parseCode(form.text('code')),
          caller: callerOf(c),
        }),
      );
      return form.isFine ? redirect(c, `${ACCOUNT_PATH}?done=email`) : null;
    },
  });
}

function addForgottenPassword(app: PageRouter, services: SignInServices): void {
  const title = message('Forgot your password?');
  addFormPage(app, services, {
    path: FORGOT_PASSWORD_PATH,
    rules: { for: 'anyone' },
    title,
    challengeFor: 'mail',
    content: ({ form, challenge }) => (
      <ForgotPasswordPage form={form} challenge={challenge} isMailed={services.mailer.isReal} />
    ),
    submit: async (c, form) => {
      form.hasOnly('email');
      const caller = solverOf(c, form);
      const email = await form.attempt(fieldOrChallenge(form, 'email'), async () => {
        const typed = parseEmail(form.text('email'));
        const request = { email: typed, caller };
        if (services.mailer.isReal && c.get('viewer') === null) {
          await throughMailGate(services, request, () => requestPasswordLink(services, request));
        } else {
          await requestPasswordLink(services, request);
        }
        return typed;
      });
      if (!form.isFine) return null;
      const isOwn = c.get('viewer')?.email === email;
      return page(c, <LinkSentPage isMailed={services.mailer.isReal} isOwn={isOwn} />, {
        title: t(title),
        audience: 'bare',
      });
    },
  });
}

function addNewPassword(app: PageRouter, services: SignInServices): void {
  addFormPage(app, services, {
    path: '/reset-password',
    rules: { for: 'anyone' },
    title: message('Set a new password'),
    content: NewPasswordPage,
    submit: async (c, form) => {
      const values = form.read({ code: parseCode, password: parsePassword });
      if (values === null) return null;
      const input = { ...values, caller: callerOf(c) };
      const person = await form.attempt('code', () => personOfLink(services, input));
      if (person === null || !(await isStrong(services, form, personIn(person)))) return null;
      const result = await form.attempt('code', () => setPasswordByCode(services, input));
      if (result === null) return null;
      setCookies(c, result);
      return redirect(c, '/sign-in?done=password');
    },
  });
}

function addSetUp(app: PageRouter, services: SignInServices): void {
  const ifSetUp = async (c: PageContext) =>
    (await hasOperator(services.context.db.read))
      ? page(c, <SetUpDonePage />, { title: t('Set up'), audience: 'bare', status: 410 })
      : null;
  addFormPage(app, services, {
    path: '/setup',
    rules: { for: 'anyone' },
    title: message('Set up'),
    instead: ifSetUp,
    content: SetUpPage,
    submit: async (c, form) => {
      const done = await ifSetUp(c);
      if (done !== null) return done;
      const values = form.read({
        code: parseCode,
        name: parseAccountName,
        email: parseEmail,
        password: parsePassword,
      });
      if (values === null || !(await isStrong(services, form, personIn(values)))) return null;
      const result = await form.attempt(null, () =>
        completeSetUp(services, { ...values, caller: callerOf(c) }),
      );
      return result && goOn(c, result, '/desk');
    },
  });
}

const SignUpPage = ({ form, next }: FormPageProps) => (
  <>
    <PageHeader title={t('Sign up')} lead={t('One account to claim offers and to publish your own.')} />
    <ShortForm form={form} action="/sign-up" next={next} button={t('Sign up')}>
      <EmailField form={form} autocomplete="username" autofocus />
      <NewPasswordField form={form} />
      <Consent form={form} />
    </ShortForm>
    <p class="soft-text">
      {t('Have an account? <a>Sign in</a>', {
        a: linkTo(withNext('/sign-in', next)),
      })}
    </p>
    <p class="hint">
      <a href={PRIVACY_GUIDE_PATH}>{t('What is stored and why')}</a>
    </p>
  </>
);

const ForgotPasswordPage = ({
  form,
  challenge,
  isMailed,
}: {
  form: FormState;
  challenge: string | null;
  isMailed: boolean;
}) => (
  <>
    <PageHeader
      title={t('Forgot your password?')}
      lead={
        isMailed
          ? t('Enter the address you sign in with, and we’ll send a link to it.')
          : t(
              'Enter the address you sign in with. Then write to <operator>the operator</operator>, who will send you a link.',
              { operator: toOperator },
            )
      }
    />
    <ShortForm
      form={form}
      action={FORGOT_PASSWORD_PATH}
      button={isMailed ? t('Send link') : t('Request a new password')}
      also={<a href="/sign-in">{t('Back to sign-in')}</a>}
    >
      <EmailField form={form} autocomplete="username" autofocus />
      {challenge !== null && <ChallengeField challenge={challenge} form={form} />}
    </ShortForm>
  </>
);

const LINK_WAITS = message(
  '<operator>The operator of this marketplace</operator> now has a link for you, which works for an hour. Write to them, and they’ll send it to you.',
);
const LINK_MAY_WAIT = message(
  'If an account has this address, <operator>the operator of this marketplace</operator> now has a link that works for an hour. Write to them, and they’ll send it to you.',
);

/** `isOwn`: the link is for the signed-in account. */
const LinkSentPage = ({ isMailed, isOwn }: { isMailed: boolean; isOwn: boolean }) => (
  <>
    <PageHeader title={isMailed ? t('Forgot your password?') : t('Now write to the operator')} />
    <p>
      {isMailed
        ? t(
            'If an account has this address, we’re sending a link and a code to it. They expire in an hour, and you can use only one of them.',
          )
        : t(isOwn ? LINK_WAITS : LINK_MAY_WAIT, { operator: toOperator })}
    </p>
    <FormActions>
      {isMailed && (
        <ButtonLink href="/reset-password" tone="primary">
          {t('Enter the code')}
        </ButtonLink>
      )}
      {isOwn ? (
        <ButtonLink href={ACCOUNT_PATH}>{t('Back to your account')}</ButtonLink>
      ) : (
        <ButtonLink href="/sign-in">{t('Back to sign-in')}</ButtonLink>
      )}
    </FormActions>
  </>
);

const NewPasswordPage = ({ form }: { form: FormState }) => (
  <>
    <PageHeader title={t('Set a new password')} lead={t('This signs you out everywhere.')} />
    <ShortForm form={form} action="/reset-password" button={t('Set password')}>
      <CodeField
        form={form}
        hint={t('From the mail or link that you got, for example K7QX3-M9TRB. The link fills in the code.')}
        autofocus
      />
      <NewPasswordField form={form} />
    </ShortForm>
  </>
);

const SetUpPage = ({ form }: FormPageProps, c: PageContext) => (
  <>
    <PageHeader
      title={t('Set up {name}', { name: c.get('site').brand.name })}
      lead={t('This makes you the operator. Operators approve listings, set plans and run the service.')}
    />
    <ShortForm form={form} action="/setup" button={t('Become the operator')}>
      <CodeField
        form={form}
        hint={t(
          'The setup link in the terminal fills in the code. The link is also in the file setup-link in the data folder. It works for 30 minutes; a restart creates a new link.',
        )}
        autofocus
      />
      <TextField form={form} name="name" label={t('Your name')} autocomplete="name" />
      <EmailField form={form} autocomplete="username" />
      <NewPasswordField form={form} />
    </ShortForm>
  </>
);

const SetUpDonePage = () => (
  <>
    <PageHeader title={t('Already set up')} lead={t('This service already has an operator.')} />
    <FormActions>
      <ButtonLink href="/sign-in" tone="primary">
        {t('Sign in')}
      </ButtonLink>
      <ButtonLink href="/">{t('Marketplace')}</ButtonLink>
    </FormActions>
  </>
);

const ConfirmNewAddressPage = ({ form }: { form: FormState }) => (
  <>
    <PageHeader
      title={t('Confirm your new address')}
      lead={t('Your account’s address changes when you enter the code.')}
    />
    <ShortForm
      form={form}
      action={NEW_EMAIL_PATH}
      button={t('Confirm')}
      also={<a href="/account">{t('Back')}</a>}
    >
      <CodeField
        form={form}
        hint={t(
          'From the mail to the new address, for example K7QX3-M9TRB. The link in the mail fills in the code.',
        )}
        autofocus
      />
    </ShortForm>
  </>
);
