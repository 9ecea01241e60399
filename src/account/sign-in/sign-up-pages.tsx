/** Pages for signing up without a mail server, a new address, a new password, and setting up the service. */
import { parseAccountName, parseEmail } from '../../accounts/account.ts';
import { confirmEmailChange } from '../../accounts/change-email.ts';
import { hasOperator } from '../../accounts/credential-queries.ts';
import { refuseGuessablePassword } from '../../accounts/guessable-password.ts';
import { parseCode } from '../../accounts/one-time-code.ts';
import { parsePassword } from '../../accounts/password.ts';
import type { SignInServices } from '../../accounts/services.ts';
import { personOfLink, requestPasswordLink, setPasswordByCode } from '../../accounts/set-password.ts';
import { completeSetUp } from '../../accounts/set-up.ts';
import { signUp } from '../../accounts/sign-up.ts';
import { type PageApp, type PageContext, page, redirect, requireViewer } from '../../http/pages/pages.ts';
import type { FormInput } from '../../ui/form-state.ts';
import { ACCOUNT_PATH, NEW_EMAIL_PATH } from '../paths.ts';
import { addFormPage, callerOf, finished, goOn, setCookies, unlessSignedIn } from './answers.ts';
import {
  ConfirmNewAddressPage,
  ForgotPasswordPage,
  LinkSentPage,
  NewPasswordPage,
  SetUpDonePage,
  SetUpPage,
  SignUpPage,
} from './sign-up-page.tsx';

const newPassword = (text: string): string => parsePassword(text);
const NEW_ACCOUNT = { name: parseAccountName, email: parseEmail, password: newPassword };

export function signUpPages(app: PageApp, services: SignInServices): void {
  // With a mail server, signing in by mail makes the accounts of new people.
  if (!services.mailer.isReal) addSignUp(app, services);
  addNewAddress(app, services);
  addForgottenPassword(app, services);
  addNewPassword(app, services);
  addSetUp(app, services);
}

/** Whether a password is strong enough; if not, the form says so. `person`: words known about the person. */
async function isStrong(
  { baseUrl }: SignInServices,
  form: FormInput,
  person: readonly string[],
): Promise<boolean> {
  await form.attempt('password', () => refuseGuessablePassword(form.text('password'), { person, baseUrl }));
  return form.isFine;
}

function addSignUp(app: PageApp, services: SignInServices): void {
  addFormPage(app, services, {
    path: '/sign-up',
    title: 'Sign up',
    instead: unlessSignedIn,
    content: SignUpPage,
    submit: async (c, form, next) => {
      const values = form.read({ email: parseEmail, password: newPassword });
      if (values === null || !(await isStrong(services, form, [values.email]))) return null;
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
      const values = form.read({ code: parseCode });
      const isDone =
        values &&
        (await finished(form, 'code', () =>
          confirmEmailChange(services, { accountId, ...values, caller: callerOf(c) }),
        ));
      return isDone ? redirect(c, `${ACCOUNT_PATH}?done=email`) : null;
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
      const values = form.read({ email: parseEmail });
      const isAsked =
        values &&
        (await finished(form, 'email', () =>
          requestPasswordLink(services, { ...values, caller: callerOf(c) }),
        ));
      if (!isAsked) return null;
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
      if (person === null || !(await isStrong(services, form, [person.name, person.email]))) return null;
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
      const values = form.read({ code: parseCode, ...NEW_ACCOUNT });
      if (values === null || !(await isStrong(services, form, [values.name, values.email]))) return null;
      const result = await form.attempt(null, () =>
        completeSetUp(services, { ...values, caller: callerOf(c) }),
      );
      return result && goOn(c, result, '/desk');
    },
  });
}
