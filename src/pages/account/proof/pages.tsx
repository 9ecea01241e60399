import type { Child } from 'hono/jsx';
import {
  ACCOUNT_PATH,
  BACK_TO_FORM_PATH,
  DATA_PATH,
  DELETE_PATH,
  FORGOT_PASSWORD_PATH,
  PROVE_PATH,
  SECOND_FACTOR_CARD_PATH,
  SIGN_OUT_PATH,
} from '../../../base/paths.ts';
import { passkeyHost } from '../../../people/sign-in/credentials/passkeys.ts';
import type { ProviderChoice } from '../../../people/sign-in/oidc/provider.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { t } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { audienceOf, nextPath, type PageContext, page, readForm, redirect } from '../../frame/pages.ts';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { FormInput } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toOperator } from '../../ui/site.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { OidcButtons, Or } from '../forms.tsx';
import { createIdentityCheck, hasField, type OpenCheck, ProofFields } from './identity-check.tsx';

export function proofPages(
  app: PageRouter,
  services: SignInServices,
  providers: readonly ProviderChoice[],
): void {
  const hasPasskeys = passkeyHost(services.baseUrl) !== null;
  const check = createIdentityCheck(services, providers);

  async function show(c: PageContext, viewer: Viewer, sent: FormInput, next: string) {
    const checked = await check(c, viewer, sent);
    if ('viewer' in checked) return redirect(c, next);
    const { ways, form } = checked;
    const isPossible = hasField(ways) || ways.providers.length > 0;
    const isAgain = c.req.query('again') !== undefined;
    const props = { ...checked, email: viewer.email, next, isAgain };
    return page(
      c,
      isPossible ? <ProofPage {...props} /> : <NoProofPage {...viewer} isOidcOnly={services.isOidcOnly} />,
      {
        title: t('Confirm it’s you'),
        audience: 'bare',
        status: form.status,
        scripts: hasPasskeys ? ['passkey'] : [],
      },
    );
  }

  app.get(PROVE_PATH, { for: 'signed-in' }, (c, viewer) => {
    const next = nextPath(c.req.query('next'), ACCOUNT_PATH);
    // Only the desk requires operators to set up a second factor. On other pages, they confirm their identity like
    // everyone else.
    if (viewer.deskLock === 'enroll' && audienceOf(next.split('?', 1)[0]!) === 'desk') {
      const content = <EnrollPage canHavePasskeys={hasPasskeys} />;
      return page(c, content, { title: t('Two-factor sign-in'), audience: 'bare' });
    }
    return show(c, viewer, new FormInput(new URLSearchParams()), next);
  });

  app.post(PROVE_PATH, { for: 'signed-in' }, async (c, viewer) => {
    const form = await readForm(c);
    return show(c, viewer, form, nextPath(form.text('next'), ACCOUNT_PATH));
  });

  app.get(BACK_TO_FORM_PATH, { for: 'signed-in' }, (c) =>
    page(c, <BackToFormPage />, { title: t('Go back to your form'), audience: 'bare' }),
  );
}

const BackToFormPage = () => (
  <PageHeader
    title={t('Go back to your form')}
    lead={t(
      'It is open in another tab and still has everything you typed. Send it there. You can close this tab.',
    )}
  />
);

interface ProofPageProps extends OpenCheck {
  readonly email: string;
  readonly next: string;
  /** Whether the person must fill in a form again, because it can't be kept. */
  readonly isAgain: boolean;
}

const ProofPage = ({ next, isAgain, ...check }: ProofPageProps) => (
  <>
    <PageHeader
      title={t('Confirm it’s you')}
      lead={
        isAgain
          ? t('Then send your form again. Files and passwords aren’t kept, so enter them again.')
          : whatFollows(next)
      }
    />
    <div class="ways">
      {hasField(check.ways) && (
        <>
          <Form form={check.form} action={PROVE_PATH}>
            <HiddenField name="next" value={next} />
            <ProofFields {...check} />
          </Form>
          <Or />
        </>
      )}
      <OidcButtons
        providers={check.ways.providers}
        textOf={(provider) => t('Use {provider}', { provider })}
        next={next}
      />
    </div>
    <BackToAccount />
  </>
);

function whatFollows(next: string): string {
  if (next === ACCOUNT_PATH) return t('Then make your change. Nothing has been changed yet.');
  if (next === DELETE_PATH) return t('Then you can delete your account.');
  if (next.startsWith(`${DATA_PATH}.`)) return t('Then you can download your data.');
  return t('Then continue where you left off.');
}

/**
 * For an account without any way to sign in, on a service without a mail server. A stolen session must not be enough to
 * set the first password, so the person needs a link from the operator.
 */
const NoProofPage = ({ email, isOidcOnly }: { email: string; isOidcOnly: boolean }) =>
  isOidcOnly ? <SignInAgainPage /> : <NoPasswordPage email={email} />;

const SignInAgainPage = () => (
  <>
    <PageHeader
      title={t('Sign in again')}
      lead={t(
        'This account isn’t connected to an identity provider, so you can’t confirm here that it’s you. Sign out, then sign in again.',
      )}
    />
    <BackToAccount>
      <PostButton action={SIGN_OUT_PATH} tone="primary">
        {t('Sign out')}
      </PostButton>
    </BackToAccount>
  </>
);

const NoPasswordPage = ({ email }: { email: string }) => (
  <>
    <PageHeader
      title={t('Request a password')}
      lead={t(
        'With a password, you can confirm changes and sign in again. Request one here, then write to <operator>the operator</operator>, who will send you a link to set it.',
        { operator: toOperator },
      )}
    />
    <Notice tone="warn">
      {t('Stay signed in until you have a password. Without one, you can’t sign in again.')}
    </Notice>
    <BackToAccount>
      <PostButton action={FORGOT_PASSWORD_PATH} values={{ email }} tone="primary">
        {t('Request a password')}
      </PostButton>
    </BackToAccount>
  </>
);

const BackToAccount = ({ children }: { children?: Child }) => (
  <FormActions>
    {children}
    <a href={ACCOUNT_PATH}>{t('Back to your account')}</a>
  </FormActions>
);

const EnrollPage = ({ canHavePasskeys }: { canHavePasskeys: boolean }) => (
  <>
    <PageHeader
      title={t('The desk needs a second factor')}
      lead={t(
        'Operators of this service need more than a password to sign in. Setting up a second factor takes a minute.',
      )}
    />
    <p>
      {canHavePasskeys
        ? t('On your account page, set up an authenticator app or add a passkey. Then open the desk again.')
        : t('On your account page, set up an authenticator app. Then open the desk again.')}
    </p>
    <FormActions>
      <ButtonLink href={SECOND_FACTOR_CARD_PATH} tone="primary">
        {t('Set up a second factor')}
      </ButtonLink>
      <a href="/">{t('Not now')}</a>
    </FormActions>
  </>
);
