/** Pages for a forgotten password: they request a link, and set a new password with it. */
import {
  ACCOUNT_PATH,
  FORGOT_PASSWORD_PATH,
  PASSWORD_SIGN_IN_PATH,
  RESET_PASSWORD_PATH,
  SIGN_IN_PATH,
} from '../../../base/paths.ts';
import { parseEmail } from '../../../people/accounts/account.ts';
import { parseCode } from '../../../people/sign-in/codes/one-time-code.ts';
import { parsePassword } from '../../../people/sign-in/credentials/password.ts';
import {
  type LinkedPerson,
  personOfLink,
  requestPasswordLink,
  setPasswordByCode,
} from '../../../people/sign-in/credentials/set-password.ts';
import { throughMailGate } from '../../../people/sign-in/limits/mail-challenge.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { page, redirect } from '../../frame/pages.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ChallengeField } from '../../ui/challenge.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { EmailField, HiddenField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toOperator } from '../../ui/site.tsx';
import { Time } from '../../ui/time.tsx';
import { CodeField, EarlierAccessNotice, NewPasswordField, ShortForm } from '../forms.tsx';
import {
  addFormPage,
  afterConfirmation,
  callerOf,
  fieldOrChallenge,
  isStrong,
  personIn,
  setCookies,
  solverOf,
} from './responses.ts';

export function passwordPages(app: PageRouter, services: SignInServices): void {
  addForgottenPassword(app, services);
  addNewPassword(app, services);
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
        // Somebody who is signed in may be a stranger to other addresses.
        if (services.mailer.isReal && c.get('viewer')?.email !== typed) {
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
    path: RESET_PASSWORD_PATH,
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
      also={<a href={SIGN_IN_PATH}>{t('Back to sign-in')}</a>}
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
        <ButtonLink href={RESET_PASSWORD_PATH} tone="primary">
          {t('Enter the code')}
        </ButtonLink>
      )}
      {isOwn ? (
        <ButtonLink href={ACCOUNT_PATH}>{t('Back to your account')}</ButtonLink>
      ) : (
        <ButtonLink href={SIGN_IN_PATH}>{t('Back to sign-in')}</ButtonLink>
      )}
    </FormActions>
  </>
);

const ResetCodePage = ({ form }: { form: FormState }) => (
  <>
    <PageHeader title={t('Set a new password')} lead={t('The next page names the account.')} />
    <ShortForm form={form} action={RESET_PASSWORD_PATH} button={t('Continue')} sendsCode>
      <CodeField
        form={form}
        hint={t('From the email or link that you got, for example K7QX3-M9TRB. The link fills in the code.')}
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
      {linked.endsEarlierAccess && <EarlierAccessNotice />}
      <DefinitionList
        facts={[
          [t('Account'), linked.email],
          [t('Requested'), <Time at={linked.requestedAt} hasZone />],
        ]}
      />
    </div>
    <ShortForm form={form} action={RESET_PASSWORD_PATH} button={t('Set password')}>
      <HiddenField name="code" value={code} />
      <NewPasswordField form={form} autofocus />
    </ShortForm>
  </>
);
