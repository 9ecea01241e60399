/** The page to which the mail to a new address leads: moves the account there, or hands it over to another person. */
import { ACCOUNT_PATH, HANDED_OVER_PATH, NEW_EMAIL_PATH, SIGN_IN_PATH } from '../../../base/paths.ts';
import { findAccount } from '../../../people/accounts/queries.ts';
import { parseCode } from '../../../people/sign-in/codes/one-time-code.ts';
import { confirmEmailChange } from '../../../people/sign-in/email/change.ts';
import { endsEarlierAccess } from '../../../people/sign-in/email/confirm.ts';
import { KEYS_AFTER_HAND_OVER_DAYS } from '../../../people/sign-in/email/hand-over.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { dropCookie } from '../../../people/sign-in/sessions/cookies.ts';
import { newAddressCode, newAddressCookie } from '../../../people/sign-in/sessions/sealed-cookies.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { page, redirect, withNext } from '../../frame/pages.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CheckboxField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { toOperator } from '../../ui/site.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { CodeField, EarlierAccessNotice, ShortForm } from '../forms.tsx';
import { addFormPage, afterConfirmation, callerOf, redirectWithCookies, setCookies } from './responses.ts';

const HAND_OVER = 'hand_over';

export function newAddressPages(app: PageRouter, services: SignInServices): void {
  const { context, baseUrl, mailer, isOidcOnly } = services;
  addFormPage(app, services, {
    path: NEW_EMAIL_PATH,
    // Without a session, only keeps the code of the link while the person signs in.
    rules: { for: 'anyone' },
    title: message('Confirm your new address'),
    first: async (c) => {
      const code = newAddressCode(services, callerOf(c));
      return code === null ? {} : { code };
    },
    content: async ({ form }, c) => {
      const viewer = c.get('viewer');
      const endsAccess =
        viewer !== null && endsEarlierAccess(services, await findAccount(context.db.read, viewer.accountId));
      return <NewAddressPage form={form} viewer={viewer} endsAccess={endsAccess} />;
    },
    submit: async (c, form) => {
      if (!form.has(HAND_OVER)) form.hasOnly('code');
      const values = form.read({ code: parseCode });
      if (values === null) return null;
      const session = c.get('viewer');
      if (session === null) {
        setCookies(c, { cookies: [newAddressCookie(services, values.code)] });
        return redirectWithCookies(c, withNext(SIGN_IN_PATH, NEW_EMAIL_PATH));
      }
      const { accountId, sessionId } = session;
      const isHandOver = form.has(HAND_OVER);
      const change = { accountId, sessionId, isHandOver, ...values, caller: callerOf(c) };
      const changed = await form.attempt('code', () => confirmEmailChange(services, change));
      if (changed === null) return null;
      setCookies(c, { cookies: [dropCookie(baseUrl, 'new_address')] });
      if (changed.handedOver !== null) {
        setCookies(c, { cookies: [dropCookie(baseUrl, 'session_token')] });
        return redirect(c, HANDED_OVER_PATH);
      }
      return redirect(c, afterConfirmation(c, services, changed.ended, `${ACCOUNT_PATH}?done=email`));
    },
  });

  app.get(HANDED_OVER_PATH, { for: 'anyone' }, (c) => {
    const title = t('You have handed the account over');
    return page(c, <HandedOverPage title={title} isMailed={mailer.isReal || isOidcOnly} />, {
      title,
      audience: 'bare',
    });
  });
}

interface NewAddressPageProps {
  readonly form: FormState;
  readonly viewer: Viewer | null;
  /** Whether this confirms an address of the account for the first time. */
  readonly endsAccess: boolean;
}

const NewAddressPage = ({ form, viewer, endsAccess }: NewAddressPageProps) => (
  <>
    <PageHeader
      title={t('Confirm your new address')}
      lead={
        viewer === null
          ? t('Sign in to the account whose email address you are changing. We’ll keep the code for you.')
          : t('You are signed in as {email}. When you enter the code, this account gets the new address.', {
              email: viewer.email,
            })
      }
    />
    {endsAccess && <EarlierAccessNotice />}
    <ShortForm
      form={form}
      action={NEW_EMAIL_PATH}
      button={viewer === null ? t('Sign in') : t('Confirm')}
      also={viewer !== null && <a href={ACCOUNT_PATH}>{t('Back')}</a>}
      sendsCode={viewer === null}
    >
      <CodeField
        form={form}
        hint={t(
          'From the email to the new address, for example K7QX3-M9TRB. The link in the email fills in the code.',
        )}
        autofocus
      />
      {viewer !== null && !viewer.isOperator && (
        <CheckboxField
          form={form}
          name={HAND_OVER}
          label={t('Hand this account over to another person')}
          hint={t(
            'This ends your password, passkeys, second factor and connected identities, all sessions, including this one, your open invitations, and your roles in other accounts. API keys that no member created stop working after {days, plural, one {# day} other {# days}}. Listings, claims, members and webhook endpoints stay with the account.',
            { days: KEYS_AFTER_HAND_OVER_DAYS },
          )}
        />
      )}
    </ShortForm>
  </>
);

const HandedOverPage = ({ title, isMailed }: { title: string; isMailed: boolean }) => (
  <>
    <PageHeader
      title={title}
      lead={
        isMailed
          ? t(
              'You are signed out. The new owner can sign in with the new address and has received an email with the next steps.',
            )
          : t(
              'You are signed out. The new owner needs a new password, with a link from <operator>the operator</operator>.',
              { operator: toOperator },
            )
      }
    />
    <FormActions>
      <ButtonLink href="/">{t('Marketplace')}</ButtonLink>
    </FormActions>
  </>
);
