import type { Context } from '../../base/context.ts';
import {
  DASHBOARD_PATH,
  DESK_PATH,
  HOME_PATH,
  INVITATION_PATH,
  listingPath,
  SIGN_IN_PATH,
  STOP_INVITATIONS_PATH,
} from '../../base/paths.ts';
import { requireConsent } from '../../people/accounts/terms.ts';
import {
  acceptInvitation,
  findByCode,
  type Invitation,
  readInvitation,
  signInByInvitation,
  signsIn,
} from '../../people/invitations/accept.ts';
import { listPreparedListings } from '../../people/invitations/queries.ts';
import {
  acceptInvitationsAgain,
  parseStopInvitations,
  refuseInvitations,
} from '../../people/members/refusals.ts';
import { parseCode } from '../../people/sign-in/codes/one-time-code.ts';
import { parsePassword } from '../../people/sign-in/credentials/password.ts';
import { newChallenge } from '../../people/sign-in/limits/challenge.ts';
import type { SignInServices } from '../../people/sign-in/services.ts';
import { dropCookie } from '../../people/sign-in/sessions/cookies.ts';
import { invitationCookie, invitedCode } from '../../people/sign-in/sessions/sealed-cookies.ts';
import { Refusal } from '../../platform/errors.ts';
import { message, t } from '../../platform/languages/translate.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, page, readForm, redirect, requireFound, withNext } from '../frame/pages.ts';
import { ButtonLink, PostButton } from '../ui/button.tsx';
import { SOLUTION } from '../ui/challenge.tsx';
import { ACCEPTS_TERMS, CONSENT } from '../ui/consent.tsx';
import { FormActions } from '../ui/form.tsx';
import { type FormInput, type FormState, newForm } from '../ui/form-state.ts';
import { PageHeader } from '../ui/page-header.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { CodeField, ShortForm } from './forms.tsx';
import { ACCEPT_PATH, AS, INVITED, INVITED_PATH, InvitationPage } from './invitation-page.tsx';
import {
  addFormPage,
  callerOf,
  continueAfterSignIn,
  fieldOrChallenge,
  isStrong,
  redirectWithCookies,
  setCookies,
  solverOf,
} from './sign-in/responses.ts';

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
    if (invitation !== null) return show(c, services, invitation, newForm());
    return invitedCode(services, callerOf(c)) === null
      ? redirect(c, INVITATION_PATH)
      : showEnded(c, services);
  });

  // Only this request uses the invitation, because mail scanners open links.
  app.post(ACCEPT_PATH, { for: 'anyone' }, async (c, viewer) => {
    const form = await readForm(c);
    const code = invitedCode(services, callerOf(c));
    const invitation = await findInvited(c, services);
    if (code === null) return redirect(c, INVITATION_PATH);
    if (invitation === null) return showEnded(c, services);
    const session = form.text(AS) === INVITED ? null : viewer;
    const accepted =
      session === null
        ? await acceptWithoutSession(c, services, { form, code, invitation })
        : await acceptAsViewer(c, services, { form, code, session });
    if (accepted !== null) return accepted;
    // It may have been accepted or withdrawn since it was read above.
    const isOpen = (await findInvited(c, services)) !== null;
    return isOpen ? show(c, services, invitation, form) : showEnded(c, services);
  });
}

async function acceptAsViewer(
  c: PageContext,
  services: SignInServices,
  { form, code, session }: { readonly form: FormInput; readonly code: string; readonly session: Viewer },
): Promise<Response | null> {
  const accepted = await form.attempt(null, () => acceptInvitation(services, { code, session }));
  if (accepted === null) return null;
  setCookies(c, { cookies: [dropCookie(services.baseUrl, 'invitation')] });
  const path = pathAfter(accepted.invitation);
  return redirect(c, accepted.isNewOperator ? withNext(SIGN_IN_PATH, path) : path);
}

/** Returns `null` if the form has problems. */
async function acceptWithoutSession(
  c: PageContext,
  services: SignInServices,
  {
    form,
    code,
    invitation,
  }: { readonly form: FormInput; readonly code: string; readonly invitation: Invitation },
): Promise<Response | null> {
  const { context, mailer } = services;
  if (invitation.email === null || !(await isEnough(services, invitation))) {
    return redirect(c, INVITED_PATH);
  }
  const consent = {
    [CONSENT]: () => requireConsent(context.marketplace.brand, form.has(ACCEPTS_TERMS)),
  };
  const values = form.read(mailer.isReal ? consent : { ...consent, password: parsePassword });
  if (values === null) return null;
  const password = mailer.isReal ? null : form.text('password');
  if (password !== null && !(await isStrong(services, form, { person: [invitation.email] }))) return null;
  const caller = solverOf(c, form);
  const accepted = await form.attempt(fieldOrChallenge(form, null), () =>
    signInByInvitation(services, { code, password, caller }),
  );
  if (accepted === null) return null;
  setCookies(c, { cookies: [dropCookie(services.baseUrl, 'invitation')] });
  return continueAfterSignIn(c, accepted.result, pathAfter(invitation));
}

function pathAfter(invitation: Invitation): string {
  if (invitation.role === 'guest') {
    return invitation.listing === null ? '/' : listingPath(invitation.listing.slug);
  }
  return invitation.role === 'operator' ? DESK_PATH : DASHBOARD_PATH;
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
async function findInvited(c: PageContext, services: SignInServices): Promise<Invitation | null> {
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

/** Whether the invitation is enough to sign in. */
const isEnough = async ({ context, isOidcOnly }: SignInServices, invitation: Invitation): Promise<boolean> =>
  !isOidcOnly && (await signsIn(context.db.read, invitation));

async function show(
  c: PageContext,
  services: SignInServices,
  invitation: Invitation,
  form: FormState,
): Promise<Response> {
  const { context, mailer } = services;
  const needsChallenge = form.problemOf(SOLUTION) !== null;
  const props = {
    invitation,
    marketplace: context.marketplace.brand.name,
    prepared:
      invitation.role === 'owner' && invitation.account_id === null
        ? await listPreparedListings(context.db.read, invitation.email)
        : [],
    form,
    viewer: c.get('viewer'),
    isEnough: await isEnough(services, invitation),
    needsPassword: !mailer.isReal,
    challenge: needsChallenge ? await newChallenge(context, 'account') : null,
  };
  return page(c, <InvitationPage {...props} />, {
    title: t('Invitation'),
    audience: 'bare',
    status: form.status,
    scripts: needsChallenge ? ['challenge'] : [],
  });
}

/** The next visit to `INVITATION_PATH` starts with an empty form, because the cookie is dropped. */
function showEnded(c: PageContext, services: SignInServices): Promise<Response> {
  setCookies(c, { cookies: [dropCookie(services.baseUrl, 'invitation')] });
  const title = t('This invitation has ended');
  const content = (
    <>
      <PageHeader
        title={title}
        lead={t(
          'It was accepted, withdrawn or replaced by a newer email, or it has expired. If you have just accepted it, you are signed in.',
        )}
      />
      <FormActions>
        <ButtonLink href={HOME_PATH} tone="primary">
          {t('Continue')}
        </ButtonLink>
        <ButtonLink href={INVITATION_PATH}>{t('Enter an invitation code')}</ButtonLink>
      </FormActions>
    </>
  );
  return page(c, content, { title, audience: 'bare', status: 410 });
}

const CodePage = ({ form }: { form: FormState }) => (
  <>
    <PageHeader title={t('You are invited')} lead={t('Open the invitation to see who invited you.')} />
    <ShortForm form={form} action={INVITATION_PATH} button={t('Open invitation')} sendsCode>
      <CodeField
        form={form}
        hint={t('From the invitation, for example K7QX3-M9TRB. The link fills in the code.')}
        autofocus
      />
    </ShortForm>
  </>
);
