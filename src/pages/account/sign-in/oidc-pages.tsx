import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  ACCOUNT_PATH,
  FORGOT_PASSWORD_PATH,
  OIDC_LINK_PATH,
  OIDC_LOGOUT_PATH,
  OIDC_PATH,
  oidcCallbackPath,
  oidcLinkPath,
  PASSWORD_SIGN_IN_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
} from '../../../base/paths.ts';
import { findAccount } from '../../../people/accounts/queries.ts';
import { endsEarlierAccess } from '../../../people/sign-in/email/confirm.ts';
import { endByProvider } from '../../../people/sign-in/oidc/logout.ts';
import {
  type IdentityProvider,
  IdentityRefusal,
  type ProviderChoice,
} from '../../../people/sign-in/oidc/provider.ts';
import { beginOidc, completeOidc } from '../../../people/sign-in/oidc/sign-in.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { ERRORS, Refusal } from '../../../platform/errors.ts';
import { t, type Words } from '../../../platform/languages/translate.ts';
import { ENDED } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  isLoadedAhead,
  isSentInPlace,
  nextPath,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
  wantsFragment,
  withNext,
} from '../../frame/pages.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { FormActions } from '../../ui/form.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Sentence, useSignUp } from '../../ui/site.tsx';
import { EarlierAccessNotice, OidcButtons, signInWith } from '../forms.tsx';
import { requireFreshProof } from '../proof/fresh-proof.ts';
import { afterConfirmation, callerOf, continueAfterSignIn, setCookies } from './responses.ts';
import { SessionEnded } from './sign-in-page.tsx';

export function oidcPages(
  app: PageRouter,
  services: SignInServices,
  providers: readonly IdentityProvider[],
): void {
  const requireProvider = (text: string) =>
    requireFound(providers.find(({ number }) => String(number) === text));

  // POST only, so that link scanners and prefetchers don't start a sign-in.
  app.post(OIDC_PATH, { for: 'anyone', whenDiskIsFull: true }, async (c) => {
    const form = await readForm(c);
    return leave(c, requireProvider(form.text('provider')), nextPath(form.text('next')));
  });

  if (services.isOidcOnly) onlySignInPages(app, providers, leave);

  async function leave(c: PageContext, provider: IdentityProvider, next: string): Promise<Response> {
    try {
      const isSignedIn = c.get('viewer') !== null;
      const caller = callerOf(c);
      const { url, cookies } = await beginOidc(services, provider, { caller, next, isSignedIn });
      setCookies(c, { cookies });
      if (isSentInPlace(c)) return c.redirect(url, 303);
      // Not a redirect: the `form-action` of the submitting page's Content-Security-Policy would block it.
      c.header('Refresh', `0;url=${url}`);
      return page(c, <OidcLeavingPage name={provider.name} url={url} />, {
        title: t('Sign in'),
        audience: 'bare',
      });
    } catch (error) {
      return showRefusal(c, error, provider);
    }
  }

  for (const provider of providers) {
    app.get(oidcCallbackPath(provider.number), { for: 'anyone' }, async (c) => {
      // Keeps the authorization code in the URL from leaking to other sites.
      c.header('Referrer-Policy', 'no-referrer');
      try {
        const { path, ended, ...result } = await completeOidc(services, provider, {
          caller: callerOf(c),
          search: new URL(c.req.url).search,
          session: c.get('viewer'),
        });
        return continueAfterSignIn(c, result, afterConfirmation(c, services, ended, path));
      } catch (error) {
        return showRefusal(c, error, provider);
      }
    });
  }

  // Of the provider, not of a browser. The token says which provider sent it.
  app.post(OIDC_LOGOUT_PATH, { for: 'anyone', whenDiskIsFull: true }, async (c) => {
    const token = (await readForm(c)).text('logout_token');
    const isEnded = await endByProvider(services, providers, { token, caller: callerOf(c) });
    c.header('Cache-Control', 'no-store');
    return isEnded ? c.body(null, 200) : c.json({ error: 'invalid_request' }, 400);
  });

  app.get(OIDC_LINK_PATH, { for: 'signed-in' }, async (c, { personId }) => {
    const provider = requireProvider(c.req.query('provider') ?? '');
    await requireFreshProof(c, oidcLinkPath(provider.number));
    const endsAccess = endsEarlierAccess(services, await findAccount(services.context.db.read, personId));
    return page(c, <OidcLinkPage provider={provider} endsAccess={endsAccess} />, {
      title: t('Connect your account'),
      audience: 'bare',
    });
  });

  function showRefusal(c: PageContext, error: unknown, { number }: ProviderChoice) {
    if (!(error instanceof Refusal)) throw error;
    const status = ERRORS[error.code].status;
    // With `OIDC_ONLY`, only another provider can sign in to the account.
    const canSignIn = !services.isOidcOnly || providers.length > 1;
    const canConnect = canSignIn && error instanceof IdentityRefusal && error.problem === 'account_exists';
    const linkPath = canConnect ? oidcLinkPath(number) : null;
    return page(c, <OidcRefusedPage sentence={error.sentence} linkPath={linkPath} />, {
      title: t('Sign in'),
      audience: 'bare',
      status: error.code === 'invalid_request' ? 422 : (status as ContentfulStatusCode),
    });
  }
}

/** With `OIDC_ONLY`, “Sign in” leads directly to the provider, or to a page with a button for each. */
function onlySignInPages(
  app: PageRouter,
  providers: readonly IdentityProvider[],
  leave: (c: PageContext, provider: IdentityProvider, next: string) => Promise<Response>,
): void {
  app.get(SIGN_IN_PATH, { for: 'anyone', whenDiskIsFull: true }, async (c) => {
    const next = nextPath(c.req.query('next'));
    if (c.get('viewer') !== null) return redirect(c, next);
    const [provider, ...others] = providers;
    const ended = c.req.query('ended') ?? null;
    if (provider !== undefined && others.length === 0 && ended === null && isNavigation(c)) {
      return leave(c, provider, next);
    }
    return page(c, <OnlySignInPage providers={providers} next={next} ended={ended} />, {
      title: t('Sign in'),
      audience: 'bare',
    });
  });
  for (const path of [SIGN_UP_PATH, PASSWORD_SIGN_IN_PATH]) {
    app.get(path, { for: 'anyone' }, (c) =>
      redirect(c, withNext(SIGN_IN_PATH, nextPath(c.req.query('next')))),
    );
  }
}

/** False if the browser loads the page in advance or a program only looks it up: that must not start a sign-in. */
const isNavigation = (c: PageContext): boolean =>
  c.req.method === 'GET' && !isSentInPlace(c) && !wantsFragment(c) && !isLoadedAhead(c);

interface OnlySignInPageProps {
  readonly providers: readonly ProviderChoice[];
  readonly next: string;
  /** One of `ENDED` if the person submitted a form after their session had ended. */
  readonly ended: string | null;
}

const OnlySignInPage = ({ providers, next, ended }: OnlySignInPageProps) => (
  <>
    <PageHeader title={t('Sign in')} />
    {ended !== null && <SessionEnded isIncomplete={ended === ENDED.incomplete} />}
    <div class="ways">
      <OidcButtons providers={providers} textOf={signInWith} next={next} />
    </div>
  </>
);

/** The `Refresh` header redirects the browser; the link is for browsers that ignore the header. */
const OidcLeavingPage = ({ name, url }: { name: Words; url: string }) => (
  <>
    <PageHeader title={t('One moment')} lead={t('Continue to {name} to sign in.', { name })} />
    <ButtonLink href={url} tone="primary">
      {t('Continue')}
    </ButtonLink>
  </>
);

/** `linkPath`: if an existing account has the same address, the page that connects it. */
function OidcRefusedPage({ sentence, linkPath }: { sentence: Words; linkPath: string | null }) {
  const hasPasswords = useSignUp();
  return (
    <>
      <PageHeader title={t('You’re not signed in')} lead={<Sentence text={sentence} />} />
      <FormActions>
        {linkPath !== null && (
          <>
            <ButtonLink href={withNext(SIGN_IN_PATH, linkPath)} tone="primary">
              {t('Sign in and connect')}
            </ButtonLink>
            {hasPasswords && <a href={FORGOT_PASSWORD_PATH}>{t('Set a new password')}</a>}
          </>
        )}
        <a href={SIGN_IN_PATH}>{t('Back to sign-in')}</a>
      </FormActions>
    </>
  );
}

interface OidcLinkPageProps {
  readonly provider: ProviderChoice;
  /** Whether this confirms the address of the account for the first time. */
  readonly endsAccess: boolean;
}

const OidcLinkPage = ({ provider, endsAccess }: OidcLinkPageProps) => (
  <>
    <PageHeader
      title={t('Connect your account')}
      lead={t(
        'You can then sign in with {name}. Your account there must have the same email address as your account here.',
        { name: provider.name },
      )}
    />
    {endsAccess && <EarlierAccessNotice />}
    <FormActions>
      <OidcButtons
        providers={[provider]}
        textOf={(name) => t('Connect with {name}', { name })}
        next={ACCOUNT_PATH}
      />
      <a href={ACCOUNT_PATH}>{t('Not now')}</a>
    </FormActions>
  </>
);
