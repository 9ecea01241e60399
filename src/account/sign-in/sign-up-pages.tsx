/** Pages for signing up without a mail server, a new address, a new password, and setting up the service. */
import { parseAccountName, parseEmail } from '../../accounts/account.ts';
import { confirmEmailChange } from '../../accounts/change-email.ts';
import { signUp } from '../../accounts/create.ts';
import { hasOperator } from '../../accounts/credential-queries.ts';
import { parseCode } from '../../accounts/one-time-code.ts';
import { MIN_PASSWORD_LENGTH, parsePassword } from '../../accounts/password.ts';
import type { SignInServices } from '../../accounts/services.ts';
import { personOfLink, requestPasswordLink, setPasswordByCode } from '../../accounts/set-password.ts';
import { completeSetUp } from '../../accounts/set-up.ts';
import { requireConsent } from '../../accounts/terms.ts';
import { type PageApp, type PageContext, page, redirect, requireViewer } from '../../http/pages/pages.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ACCEPTS_TERMS, CONSENT, Consent } from '../../ui/consent.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Operator } from '../../ui/site.tsx';
import { CodeField, EmailField, NewPasswordField, ShortForm } from '../forms.tsx';
import { ACCOUNT_PATH, NEW_EMAIL_PATH } from '../paths.ts';
import {
  addFormPage,
  callerOf,
  type FormPageProps,
  goOn,
  isStrong,
  setCookies,
  unlessSignedIn,
} from './answers.ts';
import { OtherWays, withNext } from './sign-in-page.tsx';

const newPassword = (text: string): string => parsePassword(text);
const wordsOf = ({ name, email }: Record<'name' | 'email', string>) => ({ person: [name, email] });

export function signUpPages(app: PageApp, services: SignInServices): void {
  // With a mail server, signing in by mail makes the accounts of new people.
  if (!services.mailer.isReal) addSignUp(app, services);
  addNewAddress(app, services);
  addForgottenPassword(app, services);
  addNewPassword(app, services);
  addSetUp(app, services);
}

function addSignUp(app: PageApp, services: SignInServices): void {
  addFormPage(app, services, {
    path: '/sign-up',
    title: 'Sign up',
    instead: unlessSignedIn,
    content: SignUpPage,
    submit: async (c, form, next) => {
      const values = form.read({
        email: parseEmail,
        password: newPassword,
        [CONSENT]: () => requireConsent(services.context.marketplace.brand, form.has(ACCEPTS_TERMS)),
      });
      if (values === null || !(await isStrong(services, form, { person: [values.email] }))) return null;
      const result = await form.attempt('email', () => signUp(services, { ...values, caller: callerOf(c) }));
      return result && goOn(c, result, next);
    },
  });
}

function addNewAddress(app: PageApp, services: SignInServices): void {
  addFormPage(app, services, {
    path: NEW_EMAIL_PATH,
    title: 'Confirm your new address',
    instead: (c) => requireViewer(c) && null,
    content: ConfirmNewAddressPage,
    submit: async (c, form) => {
      const { accountId } = requireViewer(c);
      form.hasOnly('code');
      await form.attempt('code', async () =>
        confirmEmailChange(services, { accountId, code: parseCode(form.text('code')), caller: callerOf(c) }),
      );
      return form.isFine ? redirect(c, `${ACCOUNT_PATH}?done=email`) : null;
    },
  });
}

function addForgottenPassword(app: PageApp, services: SignInServices): void {
  const title = 'Forgot your password?';
  addFormPage(app, services, {
    path: '/forgot-password',
    title,
    content: ForgotPasswordPage,
    submit: async (c, form) => {
      form.hasOnly('email');
      await form.attempt('email', async () =>
        requestPasswordLink(services, { email: parseEmail(form.text('email')), caller: callerOf(c) }),
      );
      if (!form.isFine) return null;
      return page(c, <LinkSentPage isMailed={services.mailer.isReal} />, { title, audience: 'bare' });
    },
  });
}

function addNewPassword(app: PageApp, services: SignInServices): void {
  addFormPage(app, services, {
    path: '/reset-password',
    title: 'Set a new password',
    content: NewPasswordPage,
    submit: async (c, form) => {
      const values = form.read({ code: parseCode, password: newPassword });
      if (values === null) return null;
      const input = { ...values, caller: callerOf(c) };
      const person = await form.attempt('code', () => personOfLink(services, input));
      if (person === null || !(await isStrong(services, form, wordsOf(person)))) return null;
      const result = await form.attempt('code', () => setPasswordByCode(services, input));
      if (result === null) return null;
      setCookies(c, result);
      return redirect(c, '/sign-in?done=password');
    },
  });
}

/** Creates the first operator. Works only once. */
function addSetUp(app: PageApp, services: SignInServices): void {
  const ifSetUp = async (c: PageContext) =>
    (await hasOperator(services.context.db.read))
      ? page(c, <SetUpDonePage />, { title: 'Set up', audience: 'bare', status: 410 })
      : null;
  addFormPage(app, services, {
    path: '/setup',
    title: 'Set up',
    instead: ifSetUp,
    content: SetUpPage,
    submit: async (c, form) => {
      const done = await ifSetUp(c);
      if (done !== null) return done;
      const values = form.read({
        code: parseCode,
        name: parseAccountName,
        email: parseEmail,
        password: newPassword,
      });
      if (values === null || !(await isStrong(services, form, wordsOf(values)))) return null;
      const result = await form.attempt(null, () =>
        completeSetUp(services, { ...values, caller: callerOf(c) }),
      );
      return result && goOn(c, result, '/desk');
    },
  });
}

const NewPassword = ({ form }: { form: FormState }): Markup => (
  <NewPasswordField form={form} minLength={MIN_PASSWORD_LENGTH} />
);

const SignUpPage = ({ form, next }: FormPageProps): Markup => (
  <>
    <PageHeader title="Sign up" lead="One account to claim offers and to publish your own." />
    <ShortForm form={form} action="/sign-up" next={next} button="Sign up">
      <EmailField form={form} autocomplete="username" autofocus />
      <NewPassword form={form} />
      <Consent form={form} />
    </ShortForm>
    <OtherWays>
      Have an account? <a href={withNext('/sign-in', next)}>Sign in</a>
    </OtherWays>
  </>
);

const ForgotPasswordPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader
      title="Forgot your password?"
      lead="Enter the address you sign in with, and we’ll send a link to it."
    />
    <ShortForm form={form} action="/forgot-password" button="Send link" also={<a href="/sign-in">Back</a>}>
      <EmailField form={form} autocomplete="username" autofocus />
    </ShortForm>
  </>
);

const LinkSentPage = ({ isMailed }: { isMailed: boolean }): Markup => (
  <>
    <PageHeader title="Forgot your password?" />
    <p>
      {isMailed ? (
        'If an account has this address, we’re sending it a link and a code. They expire in an hour, and you can use only one of them.'
      ) : (
        <>
          If an account has this address, <Operator /> now has a link for it. This service doesn’t send mail
          yet, so ask for the link.
        </>
      )}
    </p>
    <FormActions>
      {isMailed && (
        <ButtonLink href="/reset-password" tone="primary">
          Enter the code
        </ButtonLink>
      )}
      <ButtonLink href="/sign-in">Back to sign-in</ButtonLink>
    </FormActions>
  </>
);

const NewPasswordPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader title="Set a new password" lead="This signs you out everywhere." />
    <ShortForm form={form} action="/reset-password" button="Set password">
      <CodeField form={form} hint="From the mail, for example K7QX3-M9TRB. The link fills it in." autofocus />
      <NewPassword form={form} />
    </ShortForm>
  </>
);

const SetUpPage = ({ form }: FormPageProps, c: PageContext): Markup => (
  <>
    <PageHeader
      title={`Set up ${c.get('site').brand.name}`}
      lead="This makes you the operator. Operators approve listings, set plans and run the service."
    />
    <ShortForm form={form} action="/setup" button="Become the operator">
      <CodeField
        form={form}
        hint="The setup link in the terminal fills it in. The link is also in the file setup-link in the data folder. It works for 30 minutes; a restart creates a new one."
        autofocus
      />
      <TextField form={form} name="name" label="Your name" autocomplete="name" />
      <EmailField form={form} autocomplete="username" />
      <NewPassword form={form} />
    </ShortForm>
  </>
);

const SetUpDonePage = (): Markup => (
  <>
    <PageHeader title="Already set up" lead="This service already has an operator." />
    <FormActions>
      <ButtonLink href="/sign-in" tone="primary">
        Sign in
      </ButtonLink>
      <ButtonLink href="/">Marketplace</ButtonLink>
    </FormActions>
  </>
);

/** Asks a signed-in person for the code that confirms their new email address. */
const ConfirmNewAddressPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader title="Confirm your new address" lead="Your account switches to it immediately." />
    <ShortForm form={form} action={NEW_EMAIL_PATH} button="Confirm" also={<a href="/account">Back</a>}>
      <CodeField
        form={form}
        hint="From the mail to the new address, for example K7QX3-M9TRB. The link in the mail fills it in."
        autofocus
      />
    </ShortForm>
  </>
);
