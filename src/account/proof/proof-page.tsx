/** The page for a fresh proof of identity, before a change to the account or before the desk. */

import { PROVE_PATH } from '../../http/pages/pages.ts';
import { Button, ButtonLink, type ButtonTone, PostButton } from '../../ui/button.tsx';
import { HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { UsePasskey } from '../passkey-form.tsx';
import { ACCOUNT_PATH } from '../paths.ts';
import { OidcButton } from '../sign-in/oidc-page.tsx';

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
        {ways.code && <CodeForm form={formOf('code')} next={next} />}
        {ways.password && <PasswordForm form={formOf('password')} next={next} />}
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

interface WayProps {
  readonly form: FormState;
  readonly next: string;
}

const PasswordForm = ({ form, next }: WayProps): Markup => (
  <Form form={form} action={`${PROVE_PATH}/password`} idPrefix="password">
    <HiddenField name="next" value={next} />
    <TextField
      form={form}
      idPrefix="password"
      name="password"
      type="password"
      label="Password"
      autocomplete="current-password"
    />
    <FormActions>
      <Button tone="primary">Continue</Button>
    </FormActions>
  </Form>
);

const CodeForm = ({ form, next }: WayProps): Markup => (
  <Form form={form} action={`${PROVE_PATH}/code`} idPrefix="code">
    <HiddenField name="next" value={next} />
    <TextField
      form={form}
      idPrefix="code"
      name="code"
      label="Code"
      hint="Six digits from your authenticator app, or one of your backup codes."
      autocomplete="one-time-code"
      mono
    />
    <FormActions>
      <Button tone="primary">Continue</Button>
    </FormActions>
  </Form>
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
