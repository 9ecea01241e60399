import type { Context } from '../../base/context.ts';
import {
  DASHBOARD_PATH,
  HOME_PATH,
  INVITATION_PATH,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  SIGN_UP_PATH,
  STOP_INVITATIONS_PATH,
} from '../../base/paths.ts';
import {
  acceptInvitation,
  findByCode,
  forAnotherAddress,
  readInvitation,
} from '../../people/members/join.ts';
import type { FoundInvitation } from '../../people/members/queries.ts';
import {
  acceptInvitationsAgain,
  parseStopInvitations,
  refuseInvitations,
} from '../../people/members/refusals.ts';
import { parseCode } from '../../people/sign-in/codes/one-time-code.ts';
import type { SignInServices } from '../../people/sign-in/services.ts';
import { dropCookie } from '../../people/sign-in/sessions/cookies.ts';
import { invitationCookie, invitedCode } from '../../people/sign-in/sessions/sealed-cookies.ts';
import { Refusal } from '../../platform/errors.ts';
import { message, t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, page, readForm, redirect, requireFound, withNext } from '../frame/pages.ts';
import { ButtonLink, PostButton } from '../ui/button.tsx';
import { FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { CodeField, ShortForm } from './forms.tsx';
import { addFormPage, callerOf, redirectWithCookies, setCookies } from './sign-in/responses.ts';

const ACCEPT_PATH = `${INVITATION_PATH}/accept`;
const INVITED_PATH = `${INVITATION_PATH}/open`;

export function invitationPages(app: PageRouter, services: SignInServices): void {
  addFormPage(app, services, {
    path: INVITATION_PATH,
    rules: { for: 'anyone' },
    title: message('Invitation'),
    content: CodePage,
    submit: async (c, form) => {
      form.hasOnly('code');
      const code = await form.attempt('code', async () => {
        const typed = parseCode(form.text('code'));
        await readInvitation(services, { code: typed, caller: callerOf(c) });
        return typed;
      });
      if (code === null) return null;
      // The code is kept in a cookie while the person signs in, because a URL must not contain a secret.
      setCookies(c, { cookies: [invitationCookie(services, code)] });
      return redirectWithCookies(c, INVITED_PATH);
    },
  });

  stopPages(app, services.context);

  app.get(INVITED_PATH, { for: 'anyone' }, async (c) => {
    const invitation = await findInvited(c, services);
    return invitation === null ? redirect(c, INVITATION_PATH) : show(c, invitation, newForm());
  });

  app.post(ACCEPT_PATH, { for: 'signed-in' }, async (c, session) => {
    const form = await readForm(c);
    const code = invitedCode(services, callerOf(c));
    const invitation = await findInvited(c, services);
    if (code === null || invitation === null) return redirect(c, INVITATION_PATH);
    await form.attempt(null, () => acceptInvitation(services, { code, session }));
    if (!form.isFine) return show(c, invitation, form);
    setCookies(c, { cookies: [dropCookie(services.baseUrl, 'invitation')] });
    return redirect(c, DASHBOARD_PATH);
  });
}

/** As with `/mail/stop`, only a POST has an effect, because mail scanners open links (RFC 8058). */
function stopPages(app: PageRouter, context: Context): void {
  const requireStop = (code: string) => requireFound(parseStopInvitations(context.secretBox, code));
  const path = `${STOP_INVITATIONS_PATH}/:code`;

  app.get(path, { for: 'anyone' }, (c) => {
    const code = c.req.param('code');
    requireStop(code);
    const content = (
      <>
        <PageHeader
          title={t('Stop invitations?')}
          lead={t('After that, nobody can send you invitations by email through this marketplace.')}
        />
        <FormActions>
          <PostButton action={`${STOP_INVITATIONS_PATH}/${code}`} tone="primary">
            {t('Stop invitations')}
          </PostButton>
        </FormActions>
      </>
    );
    return page(c, content, { title: t('Stop invitations'), audience: 'bare' });
  });

  app.post(path, { for: 'anyone' }, async (c) => {
    const code = c.req.param('code');
    // The body is ignored, because mail programs send different content types.
    await refuseInvitations(context, requireStop(code));
    const title = t('Invitations stopped');
    const content = (
      <>
        <PageHeader
          title={title}
          lead={t('You won’t get any more invitations by email from this marketplace.')}
        />
        <FormActions>
          <PostButton action={`${STOP_INVITATIONS_PATH}/${code}/resume`}>{t('Undo')}</PostButton>
        </FormActions>
      </>
    );
    return page(c, content, { title, audience: 'bare' });
  });

  app.post(`${path}/resume`, { for: 'anyone' }, async (c) => {
    const mailboxHash = requireStop(c.req.param('code'));
    await readForm(c);
    await acceptInvitationsAgain(context, mailboxHash);
    const title = t('Invitations allowed');
    const lead = t('People can send you invitations by email again.');
    return page(c, <PageHeader title={title} lead={lead} />, { title, audience: 'bare' });
  });
}

/** `null` if this browser has not opened an invitation, or if the invitation is no longer valid. */
async function findInvited(c: PageContext, services: SignInServices): Promise<FoundInvitation | null> {
  const code = invitedCode(services, callerOf(c));
  if (code === null) return null;
  return findByCode(services, code).catch((error) => {
    if (error instanceof Refusal && error.code === 'invalid_request') return null;
    throw error;
  });
}

/** Initial values of the sign-in and sign-up forms: the email address of the opened invitation, if it has one. */
export const invitedAddress =
  (services: SignInServices) =>
  async (c: PageContext, next: string): Promise<Readonly<Record<string, string>>> => {
    const email = next === INVITED_PATH ? (await findInvited(c, services))?.email : null;
    return email ? { email } : {};
  };

const show = (c: PageContext, invitation: FoundInvitation, form: FormState) =>
  page(c, <InvitationPage invitation={invitation} form={form} viewer={c.get('viewer')} />, {
    title: t('Invitation'),
    audience: 'bare',
    status: form.status,
  });

const CodePage = ({ form }: { form: FormState }) => (
  <>
    <PageHeader title={t('You are invited')} lead={t('Open the invitation to see who invited you.')} />
    <ShortForm form={form} action={INVITATION_PATH} button={t('Open invitation')}>
      <CodeField
        form={form}
        hint={t('From the invitation, for example K7QX3-M9TRB. The link fills in the code.')}
        autofocus
      />
    </ShortForm>
  </>
);

interface InvitationPageProps {
  readonly invitation: FoundInvitation;
  readonly form: FormState;
  readonly viewer: Viewer | null;
}

function InvitationPage({ invitation, form, viewer }: InvitationPageProps) {
  const { role, account, invited_by, created_at } = invitation;
  const by = isolated(invited_by);
  const refusal = viewer === null ? null : forAnotherAddress(invitation, viewer.email);
  return (
    <>
      <PageHeader
        title={t('Join {account}', { account: isolated(account) })}
        lead={
          role === 'owner'
            ? t('{by} has invited you to join as an owner.', { by })
            : t('{by} has invited you to join as a member.', { by })
        }
      />
      <div class="stack">
        <p>
          {role === 'owner'
            ? t(
                'You can then manage everything in this account, including its API keys and members. You keep your own login.',
              )
            : t(
                'You can then work on this account’s listings, offers, claims, campaigns and webhooks. You keep your own login.',
              )}
        </p>
        <p>{t('Invited on {time}.', { time: <Time at={created_at} hasZone /> })}</p>
        {viewer !== null && refusal !== null ? (
          <>
            <Notice tone="warn">{t(refusal)}</Notice>
            <FormActions>
              <ButtonLink href={HOME_PATH} tone="primary">
                {t('Stay signed in as {email}', { email: viewer.email })}
              </ButtonLink>
              <PostButton action={SIGN_OUT_PATH}>{t('Sign out')}</PostButton>
            </FormActions>
          </>
        ) : viewer === null ? (
          <>
            <p>
              {invitation.email === null
                ? t('First sign in or sign up.')
                : t('First sign in or sign up with {email}.', { email: invitation.email })}
            </p>
            <FormActions>
              <ButtonLink href={withNext(SIGN_IN_PATH, INVITED_PATH)} tone="primary">
                {t('Sign in')}
              </ButtonLink>
              <ButtonLink href={withNext(SIGN_UP_PATH, INVITED_PATH)}>{t('Sign up')}</ButtonLink>
            </FormActions>
          </>
        ) : (
          <>
            <p>{t('You are signed in as {email}.', { email: viewer.email })}</p>
            <ShortForm form={form} action={ACCEPT_PATH} button={t('Join')} />
          </>
        )}
      </div>
    </>
  );
}
