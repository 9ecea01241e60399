import { DESK_PATH, PRIVACY_PATH, SETUP_PATH, SIGN_IN_PATH, SIGN_UP_PATH } from '../../../base/paths.ts';
import { parseAccountName, parseEmail } from '../../../people/accounts/account.ts';
import { hasOperator } from '../../../people/accounts/queries.ts';
import { requireConsent } from '../../../people/accounts/terms.ts';
import { parseCode } from '../../../people/sign-in/codes/one-time-code.ts';
import { parsePassword } from '../../../people/sign-in/credentials/password.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { completeSetUp } from '../../../people/sign-in/set-up.ts';
import { signUp } from '../../../people/sign-in/sign-up.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { type PageContext, page, withNext } from '../../frame/pages.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ACCEPTS_TERMS, CONSENT, Consent } from '../../ui/consent.tsx';
import { EmailField, HiddenField, TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { CodeField, NewPasswordField, ShortForm } from '../forms.tsx';
import { invitedAddress } from '../invitation-pages.tsx';
import {
  addFormPage,
  callerOf,
  continueAfterSignIn,
  type FormPageProps,
  isStrong,
  personIn,
  unlessSignedIn,
} from './responses.ts';
import { purposeOf } from './sign-in-page.tsx';

export function signUpPages(app: PageRouter, services: SignInServices): void {
  // With a mail server, signing in by mail creates the account.
  if (!services.mailer.isReal && !services.isOidcOnly) addSignUp(app, services);
  addSetUp(app, services);
}

function addSignUp(app: PageRouter, services: SignInServices): void {
  addFormPage(app, services, {
    path: SIGN_UP_PATH,
    rules: { for: 'anyone' },
    title: message('Sign up'),
    first: invitedAddress(services),
    instead: unlessSignedIn,
    content: async (props) => (
      <SignUpPage {...props} purpose={purposeOf(props.next, await services.findIntended(props.next))} />
    ),
    submit: async (c, form, next) => {
      const values = form.read({
        email: parseEmail,
        password: parsePassword,
        [CONSENT]: () => requireConsent(services.context.marketplace.brand, form.has(ACCEPTS_TERMS)),
      });
      if (values === null || !(await isStrong(services, form, { person: [values.email] }))) return null;
      const result = await form.attempt('email', () => signUp(services, { ...values, caller: callerOf(c) }));
      return result && continueAfterSignIn(c, result, next);
    },
  });
}

function addSetUp(app: PageRouter, services: SignInServices): void {
  const { isOidcOnly } = services;
  const ifSetUp = async (c: PageContext) =>
    (await hasOperator(services.context.db.read))
      ? page(c, <SetUpDonePage />, { title: t('Set up'), audience: 'bare', status: 410 })
      : null;
  addFormPage(app, services, {
    path: SETUP_PATH,
    rules: { for: 'anyone' },
    title: message('Set up'),
    instead: ifSetUp,
    content: (props, c) => <SetUpPage {...props} isOidcOnly={isOidcOnly} name={c.get('site').brand.name} />,
    submit: async (c, form) => {
      const done = await ifSetUp(c);
      if (done !== null) return done;
      const person = { code: parseCode, name: parseAccountName, email: parseEmail };
      const values = form.read(isOidcOnly ? person : { ...person, password: parsePassword });
      if (values === null) return null;
      if (!isOidcOnly && !(await isStrong(services, form, personIn(values)))) return null;
      const password = isOidcOnly ? null : form.text('password');
      const result = await form.attempt(null, () =>
        completeSetUp(services, { ...values, password, caller: callerOf(c) }),
      );
      return result && continueAfterSignIn(c, result, DESK_PATH);
    },
  });
}

const SignUpPage = ({ form, next, purpose }: FormPageProps & { readonly purpose: string | undefined }) => (
  <>
    <PageHeader
      title={t('Sign up')}
      lead={purpose ?? t('One account to claim offers and to publish your own.')}
    />
    <ShortForm form={form} action={SIGN_UP_PATH} next={next} button={t('Sign up')}>
      <EmailField form={form} autocomplete="username" autofocus />
      <NewPasswordField form={form} />
      <Consent form={form} />
    </ShortForm>
    <p class="soft-text">
      {t('Have an account? <a>Sign in</a>', {
        a: linkTo(withNext(SIGN_IN_PATH, next)),
      })}
    </p>
    <p class="hint">
      <a href={PRIVACY_PATH}>{t('What is stored and why')}</a>
    </p>
  </>
);

interface SetUpPageProps extends Pick<FormPageProps, 'form'> {
  readonly name: string;
  readonly isOidcOnly: boolean;
}

const SetUpPage = ({ form, name, isOidcOnly }: SetUpPageProps) => (
  <>
    <PageHeader
      title={t('Set up {name}', { name })}
      lead={t('This makes you the operator. Operators approve listings, set plans and run the service.')}
    />
    <ShortForm form={form} action={SETUP_PATH} button={t('Become the operator')}>
      {hasGoodCode(form) ? (
        <HiddenField name="code" value={form.typed('code')} />
      ) : (
        <CodeField
          form={form}
          hint={t(
            'The setup link in the terminal fills in the code. The link is also in the file setup-link in the data folder. It works for 30 minutes; a restart creates a new link.',
          )}
          autofocus
        />
      )}
      <TextField form={form} name="name" label={t('Your name')} autocomplete="name" />
      <EmailField form={form} autocomplete="username" />
      {!isOidcOnly && <NewPasswordField form={form} />}
    </ShortForm>
  </>
);

/** After an error in other fields, the code from the link isn't asked for. A wrong code is reported for the whole form. */
const hasGoodCode = (form: FormState): boolean =>
  form.typed('code') !== '' && form.problems.every(({ field }) => field !== null && field !== 'code');

const SetUpDonePage = () => (
  <>
    <PageHeader title={t('Already set up')} lead={t('This service already has an operator.')} />
    <FormActions>
      <ButtonLink href={SIGN_IN_PATH} tone="primary">
        {t('Sign in')}
      </ButtonLink>
      <ButtonLink href="/">{t('Marketplace')}</ButtonLink>
    </FormActions>
  </>
);
