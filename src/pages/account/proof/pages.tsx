import type { Child } from 'hono/jsx';
import {
  ACCOUNT_PATH,
  CODE_SIGN_IN_PATH,
  DATA_PATH,
  DELETE_PATH,
  FORGOT_PASSWORD_PATH,
  PROVE_PATH,
} from '../../../base/paths.ts';
import { passkeyHost } from '../../../people/sign-in/credentials/passkeys.ts';
import { hasPassword, hasSecondFactor, listPasskeys } from '../../../people/sign-in/credentials/queries.ts';
import { requestEmailSignIn } from '../../../people/sign-in/email/sign-in.ts';
import { hasIdentity } from '../../../people/sign-in/oidc/queries.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { PROOFS } from '../../../people/sign-in/sign-in.ts';
import { t, type Words } from '../../../platform/languages/translate.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  audienceOf,
  nextPath,
  type PageContext,
  page,
  readForm,
  redirect,
  withNext,
} from '../../frame/pages.ts';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { toOperator } from '../../ui/site.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { CodeField, FACTOR_HINT, OidcButton, Or, PasswordField, ShortForm, UsePasskey } from '../forms.tsx';
import { callerOf, setCookies } from '../sign-in/responses.ts';
import { isLocked } from './fresh-proof.ts';

export function proofPages(app: PageRouter, services: SignInServices, providerName: Words | null): void {
  const { context, baseUrl } = services;
  const hasPasskeys = passkeyHost(baseUrl) !== null;

  async function waysOf(viewer: Viewer): Promise<ProofWays> {
    const { accountId } = viewer;
    const { read } = context.db;
    const [password, code, passkeys, isLinked] = await Promise.all([
      hasPassword(read, accountId),
      hasSecondFactor(read, accountId),
      listPasskeys(read, accountId),
      hasIdentity(read, accountId),
    ]);
    return {
      password: password && !isLocked(viewer),
      code,
      passkey: hasPasskeys && passkeys.length > 0,
      provider: isLinked ? providerName : null,
    };
  }

  async function show(c: PageContext, viewer: Viewer, props: Omit<ProofPageProps, 'ways'>) {
    const ways = await waysOf(viewer);
    const other = services.mailer.isReal ? (
      <MailProofPage next={props.next} />
    ) : (
      <NoProofPage email={viewer.email} />
    );
    const content = Object.values(ways).some(Boolean) ? <ProofPage ways={ways} {...props} /> : other;
    return page(c, content, {
      title: t('Confirm it’s you'),
      audience: 'bare',
      status: props.refused?.form.status ?? 200,
      scripts: hasPasskeys ? ['passkey'] : [],
    });
  }

  app.get(PROVE_PATH, { for: 'signed-in' }, (c, viewer) => {
    const next = nextPath(c.req.query('next'), ACCOUNT_PATH);
    // Only the desk requires operators to set up a second factor. On other pages, they confirm their identity like
    // everyone else.
    if (viewer.deskLock === 'enroll' && audienceOf(next.split('?', 1)[0]!) === 'desk') {
      const content = <EnrollPage canHavePasskeys={hasPasskeys} />;
      return page(c, content, { title: t('Two-factor sign-in'), audience: 'bare' });
    }
    return show(c, viewer, { refused: null, next });
  });

  for (const [way, field] of Object.entries(FIELD_OF_WAY) as [ProofForm, string][]) {
    app.post(`${PROVE_PATH}/${way}`, { for: 'signed-in' }, async (c, session) => {
      const form = await readForm(c);
      const next = nextPath(form.text('next'), ACCOUNT_PATH);
      form.hasOnly(way);
      const renewed = await form.attempt(way === 'passkey' ? null : way, () =>
        PROOFS[way](services, { session, caller: callerOf(c), text: form.text(field) }),
      );
      if (renewed === null) return show(c, session, { refused: { way, form }, next });
      setCookies(c, renewed);
      return redirect(c, next);
    });
  }

  // The person signs in again with an emailed code. The new session replaces the current session.
  app.post(`${PROVE_PATH}/mail`, { for: 'signed-in' }, async (c, { email }) => {
    const form = await readForm(c);
    const next = nextPath(form.text('next'), ACCOUNT_PATH);
    const sent = await requestEmailSignIn(services, { email, next, isIntended: false, caller: callerOf(c) });
    setCookies(c, sent);
    return redirect(c, withNext(CODE_SIGN_IN_PATH, next));
  });
}

interface ProofWays {
  readonly password: boolean;
  readonly code: boolean;
  readonly passkey: boolean;
  /** `null`: no provider is configured, or the account isn't connected to it. */
  readonly provider: Words | null;
}

type ProofForm = keyof typeof PROOFS;

const FIELD_OF_WAY = { password: 'password', code: 'code', passkey: 'credential' } as const;

interface ProofPageProps {
  readonly ways: ProofWays;
  readonly refused: { readonly way: ProofForm; readonly form: FormState } | null;
  readonly next: string;
}

function ProofPage({ ways, refused, next }: ProofPageProps) {
  const formOf = (way: ProofForm) => (refused?.way === way ? refused.form : newForm());
  const typed = (['code', 'password'] as const).filter((way) => ways[way]);
  return (
    <>
      <PageHeader title={t('Confirm it’s you')} lead={whatFollows(next)} />
      <div class="ways">
        {typed.map((way) => (
          <>
            <ShortForm
              form={formOf(way)}
              action={`${PROVE_PATH}/${way}`}
              idPrefix={way}
              next={next}
              button={t('Continue')}
            >
              {way === 'code' ? (
                <CodeField form={formOf(way)} idPrefix={way} hint={t(FACTOR_HINT)} />
              ) : (
                <PasswordField form={formOf(way)} idPrefix={way} />
              )}
            </ShortForm>
            <Or />
          </>
        ))}
        {ways.passkey && (
          <UsePasskey
            action={`${PROVE_PATH}/passkey`}
            text={t('Use a passkey')}
            next={next}
            problem={formOf('passkey').refusal ?? ''}
          />
        )}
        {ways.passkey && typed.length === 0 && ways.provider === null && (
          <p class="soft-text" data-without-passkeys>
            {t('Your passkey needs JavaScript and a browser that supports passkeys.')}
          </p>
        )}
        {ways.provider !== null && (
          <OidcButton text={t('Use {provider}', { provider: ways.provider })} next={next} />
        )}
      </div>
      <BackToAccount />
    </>
  );
}

function whatFollows(next: string): string {
  if (next === ACCOUNT_PATH) return t('Then make your change. Nothing has been changed yet.');
  if (next === DELETE_PATH) return t('Then you can delete your account.');
  if (next.startsWith(`${DATA_PATH}.`)) return t('Then you can download your data.');
  return t('Then continue where you left off.');
}

/** For an account that signs in only by mail. */
const MailProofPage = ({ next }: { next: string }) => (
  <>
    <PageHeader title={t('Confirm it’s you')} lead={t('We’ll email you a code, just as when you sign in.')} />
    <BackToAccount>
      <PostButton action={`${PROVE_PATH}/mail`} values={{ next }} tone="primary">
        {t('Email me a code')}
      </PostButton>
    </BackToAccount>
  </>
);

/**
 * For an account without any way to sign in, on a service without a mail server. A stolen session must not be enough to
 * set the first password, so the person needs a link from the operator.
 */
const NoProofPage = ({ email }: { email: string }) => (
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
      <ButtonLink href={ACCOUNT_PATH} tone="primary">
        {t('Open your account')}
      </ButtonLink>
      <a href="/">{t('Not now')}</a>
    </FormActions>
  </>
);
