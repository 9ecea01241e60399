/** The page for a fresh proof of identity, before a change to the account or before the desk. */
import { PROVE_PATH } from '../../http/pages/pages.ts';
import { ButtonLink, type ButtonTone, PostButton } from '../../ui/button.tsx';
import { FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { CodeField, FACTOR_HINT, OidcButton, PasswordField, ShortForm, UsePasskey } from '../forms.tsx';
import { ACCOUNT_PATH } from '../paths.ts';

/** The kinds of proof that an account has. */
export interface ProofWays {
  readonly password: boolean;
  readonly code: boolean;
  readonly passkey: boolean;
  /** The identity provider that knows the person; `null`: none does. */
  readonly provider: string | null;
  /** By mail, where there is no other way. */
  readonly mail: boolean;
}

/** A way that has its own form. */
export type ProofForm = 'password' | 'code' | 'passkey';

export interface ProofPageProps {
  readonly ways: ProofWays;
  readonly refused: { readonly way: ProofForm; readonly form: FormState } | null;
  readonly next: string;
}

export function ProofPage({ ways, refused, next }: ProofPageProps): Markup {
  const formOf = (way: ProofForm) => (refused?.way === way ? refused.form : newForm());
  if (ways.mail) return <MailProofPage next={next} />;
  if (!ways.code && !ways.passkey && !ways.password && ways.provider === null) return <NoProofPage />;
  return (
    <>
      <PageHeader
        title="Confirm it’s you"
        lead={
          next === ACCOUNT_PATH
            ? 'Then make your change. Nothing has been changed yet.'
            : 'Then continue where you were.'
        }
      />
      <div class="ways">
        {ways.code && (
          <ShortForm
            form={formOf('code')}
            action={`${PROVE_PATH}/code`}
            idPrefix="code"
            next={next}
            button="Continue"
          >
            <CodeField form={formOf('code')} idPrefix="code" hint={FACTOR_HINT} />
          </ShortForm>
        )}
        {ways.password && (
          <ShortForm
            form={formOf('password')}
            action={`${PROVE_PATH}/password`}
            idPrefix="password"
            next={next}
            button="Continue"
          >
            <PasswordField form={formOf('password')} idPrefix="password" />
          </ShortForm>
        )}
        {ways.passkey && (
          <UsePasskey
            action={`${PROVE_PATH}/passkey`}
            text="Use a passkey"
            next={next}
            problem={formOf('passkey').problems[0]?.sentence ?? ''}
          />
        )}
        {ways.passkey && !ways.code && !ways.password && ways.provider === null && (
          <p class="soft-text" data-without-passkeys>
            Your passkey needs JavaScript and a browser that supports passkeys.
          </p>
        )}
        {ways.provider !== null && <OidcButton text={`Use ${ways.provider}`} next={next} />}
      </div>
      <SignOut tone="quiet" />
    </>
  );
}

const MailProofPage = ({ next }: { next: string }): Markup => (
  <>
    <PageHeader title="Confirm it’s you" lead="We’ll email you a code, as for signing in." />
    <PostButton action={`${PROVE_PATH}/mail`} values={{ next }} tone="primary" wide>
      Email me a code
    </PostButton>
    <SignOut tone="quiet" />
  </>
);

const NoProofPage = (): Markup => (
  <>
    <PageHeader
      title="Sign in again"
      lead="To continue, sign out and sign in again: your account has no password or second factor to confirm it’s you."
    />
    <SignOut tone="primary" />
  </>
);

const SignOut = ({ tone }: { tone: ButtonTone }): Markup => (
  <div class="top-space">
    <PostButton action="/sign-out" tone={tone} wide>
      Sign out
    </PostButton>
  </div>
);

/** For an operator without the required second factor. */
export const EnrollPage = ({ canHavePasskeys }: { canHavePasskeys: boolean }): Markup => (
  <>
    <PageHeader
      title="The desk needs a second factor"
      lead="Operators of this service need more than a password to sign in. Setting it up takes a minute."
    />
    <p>
      {canHavePasskeys
        ? 'Turn on an authenticator app or add a passkey on your account page, then open the desk again.'
        : 'Turn on an authenticator app on your account page, then open the desk again.'}
    </p>
    <FormActions>
      <ButtonLink href={ACCOUNT_PATH} tone="primary">
        Open your account
      </ButtonLink>
      <a href="/">Not now</a>
    </FormActions>
  </>
);
