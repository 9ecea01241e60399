import { parseAccountName, parseEmail } from '../../accounts/account.ts';
import { confirmEmailChange } from '../../accounts/change-email.ts';
import { dropCookie } from '../../accounts/cookies.ts';
import { signUp } from '../../accounts/create.ts';
import { hasOperator } from '../../accounts/credential-queries.ts';
import { throughMailGate } from '../../accounts/mail-challenge.ts';
import { parseCode } from '../../accounts/one-time-code.ts';
import { parsePassword } from '../../accounts/password.ts';
import { newAddressCode, newAddressCookie } from '../../accounts/sealed-cookies.ts';
import type { SignInServices } from '../../accounts/services.ts';
import {
  type LinkedPerson,
  personOfLink,
  requestPasswordLink,
  setPasswordByCode,
} from '../../accounts/set-password.ts';
import { completeSetUp } from '../../accounts/set-up.ts';
import { requireConsent } from '../../accounts/terms.ts';
import type { PageRouter } from '../../http/pages/page-router.ts';
import { type PageContext, page, redirect, SIGN_IN_PATH, withNext } from '../../http/pages/pages.ts';
import { message, t } from '../../languages/translate.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ChallengeField } from '../../ui/challenge.tsx';
import { ACCEPTS_TERMS, CONSENT, Consent } from '../../ui/consent.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { EmailField, HiddenField, TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { linkTo, PRIVACY_GUIDE_PATH, toOperator } from '../../ui/site.tsx';
import { Time } from '../../ui/time.tsx';
import { CodeField, NewPasswordField, ShortForm } from '../forms.tsx';
import { invitedAddress } from '../invitation-pages.tsx';
import { ACCOUNT_PATH, FORGOT_PASSWORD_PATH, NEW_EMAIL_PATH } from '../paths.ts';
import {
  addFormPage,
  afterConfirmation,
  callerOf,
  type FormPageProps,
  fieldOrChallenge,
  goOn,
  isStrong,
  redirectWithCookies,
  setCookies,
  solverOf,
  unlessSignedIn,
} from './answers.ts';
import { PASSWORD_SIGN_IN_PATH } from './sign-in-page.tsx';

const RESET_PATH = '/reset-password';

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
    // Without a session, only keeps the code of the link while the person signs in.
    rules: { for: 'anyone' },
    title: message('Confirm your new address'),
    first: async (c) => {
      const code = newAddressCode(services, callerOf(c));
      return code === null ? {} : { code };
    },
    content: ({ form }, c) => <ConfirmNewAddressPage form={form} email={c.get('viewer')?.email ?? null} />,
    submit: async (c, form) => {
      form.hasOnly('code');
      const values = form.read({ code: parseCode });
      if (values === null) return null;
      const session = c.get('viewer');
      if (session === null) {
        setCookies(c, { cookies: [newAddressCookie(services, values.code)] });
        return redirectWithCookies(c, withNext(SIGN_IN_PATH, NEW_EMAIL_PATH));
      }
      const { accountId, sessionId } = session;
      const change = { accountId, sessionId, ...values, caller: callerOf(c) };
      const ended = await form.attempt('code', () => confirmEmailChange(services, change));
      if (ended === null) return null;
      setCookies(c, { cookies: [dropCookie(services.baseUrl, 'new_address')] });
      return redirect(c, afterConfirmation(c, services, ended, `${ACCOUNT_PATH}?done=email`));
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

/** The code opens a page that names the account. That page asks for the password. */
function addNewPassword(app: PageRouter, services: SignInServices): void {
  const title = message('Set a new password');
  addFormPage(app, services, {
    path: RESET_PATH,
    rules: { for: 'anyone' },
    title,
    content: ResetCodePage,
    submit: async (c, form) => {
      if (!form.has('password')) form.hasOnly('code');
      const code = form.read({ code: parseCode })?.code;
      if (code === undefined) return null;
      const caller = callerOf(c);
      const linked = await form.attempt('code', () => personOfLink(services, { code, caller }));
      if (linked === null) return null;
      const values = form.has('password') ? form.read({ password: parsePassword }) : null;
      if (values !== null && (await isStrong(services, form, personIn(linked)))) {
        const input = { code, ...values, caller };
        const result = await form.attempt('code', () => setPasswordByCode(services, input));
        if (result === null) return null;
        setCookies(c, result);
        const signInPath = services.mailer.isReal ? PASSWORD_SIGN_IN_PATH : SIGN_IN_PATH;
        return redirect(c, afterConfirmation(c, services, result.ended, `${signInPath}?done=password`));
      }
      const viewer = c.get('viewer');
      const other = viewer === null || viewer.email === linked.email ? null : viewer.email;
      return page(c, <NewPasswordPage form={form} linked={linked} code={code} other={other} />, {
        title: t(title),
        audience: 'bare',
        status: form.status,
      });
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

const ResetCodePage = ({ form }: { form: FormState }) => (
  <>
    <PageHeader title={t('Set a new password')} lead={t('The next page names the account.')} />
    <ShortForm form={form} action={RESET_PATH} button={t('Continue')} sendsCode>
      <CodeField
        form={form}
        hint={t('From the mail or link that you got, for example K7QX3-M9TRB. The link fills in the code.')}
        autofocus
      />
    </ShortForm>
  </>
);

interface NewPasswordPageProps {
  readonly form: FormState;
  readonly linked: LinkedPerson;
  readonly code: string;
  /** Address of the person who is signed in here with another account; `null`: nobody. */
  readonly other: string | null;
}

const NewPasswordPage = ({ form, linked, code, other }: NewPasswordPageProps) => (
  <>
    <PageHeader title={t('Set a new password')} lead={t('This signs you out everywhere.')} />
    <div class="stack">
      {other !== null && (
        <Notice tone="warn" title={t('This link belongs to another account')}>
          {t('You are signed in as {other}. If you didn’t ask for this link, close this page.', { other })}
        </Notice>
      )}
      <DefinitionList
        facts={[
          [t('Account'), linked.email],
          [t('Requested'), <Time at={linked.requestedAt} hasZone />],
        ]}
      />
    </div>
    <ShortForm form={form} action={RESET_PATH} button={t('Set password')}>
      <HiddenField name="code" value={code} />
      <NewPasswordField form={form} autofocus />
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

/** `email`: the present address of the signed-in account; `null`: nobody is signed in. */
const ConfirmNewAddressPage = ({ form, email }: { form: FormState; email: string | null }) => (
  <>
    <PageHeader
      title={t('Confirm your new address')}
      lead={
        email === null
          ? t('Sign in to the account that moves to this address. The code is kept for you.')
          : t(
              'You are signed in as {email}. This account moves to the new address when you enter the code.',
              {
                email,
              },
            )
      }
    />
    <ShortForm
      form={form}
      action={NEW_EMAIL_PATH}
      button={email === null ? t('Sign in') : t('Confirm')}
      also={email !== null && <a href="/account">{t('Back')}</a>}
      sendsCode={email === null}
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
