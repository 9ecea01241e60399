import type { Child } from 'hono/jsx';
import { OIDC_PATH, PASSKEY_OPTIONS_PATH } from '../../base/paths.ts';
import { minPasswordLength } from '../../people/sign-in/credentials/password.ts';
import type { ProviderChoice } from '../../people/sign-in/oidc/provider.ts';
import { message, t, type Words } from '../../platform/languages/translate.ts';
import { Button, type ButtonTone, PostButton } from '../ui/button.tsx';
import { HiddenField, TextField, type TextFieldProps } from '../ui/field.tsx';
import { Form, FormActions, type FormProps } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';

interface ShortFormProps extends Omit<FormProps, 'children'> {
  readonly next?: string;
  readonly button: string;
  readonly tone?: ButtonTone;
  readonly also?: Child;
  readonly children?: Child;
}

export const ShortForm = ({ next, button, tone = 'primary', also, children, ...form }: ShortFormProps) => (
  <Form {...form}>
    {next !== undefined && <HiddenField name="next" value={next} />}
    {children}
    <FormActions>
      <Button tone={tone}>{button}</Button>
      {also}
    </FormActions>
  </Form>
);

type FieldProps = Pick<TextFieldProps, 'form'> & Partial<TextFieldProps>;

export const PasswordField = (props: FieldProps) => (
  <TextField
    name="password"
    type="password"
    label={t('Password')}
    autocomplete="current-password"
    {...props}
  />
);

interface NewPasswordProps extends FieldProps {
  readonly hasSecondFactor?: boolean;
}

export const NewPasswordField = ({ hasSecondFactor = false, ...props }: NewPasswordProps) => (
  <PasswordField
    hint={t('At least {minLength} characters. Try four random words.', {
      minLength: minPasswordLength(hasSecondFactor),
    })}
    autocomplete="new-password"
    {...props}
  />
);

export const CodeField = (props: FieldProps) => (
  <TextField name="code" label={t('Code')} autocomplete="one-time-code" mono {...props} />
);

interface MailedCodeProps extends Pick<TextFieldProps, 'form'> {
  readonly name?: string;
  /** Whether the last digit sends the form. The script `code` does so only if the hint announces it (WCAG 3.2.2). */
  readonly sendsItself?: boolean;
}

export const MailedCodeField = ({ sendsItself = false, ...props }: MailedCodeProps) => (
  <CodeField
    {...props}
    hint={
      <>
        {t('8 digits, such as 1234 5678.')}
        {sendsItself && <span data-sends-itself> {t('The last digit sends the code.')}</span>}
      </>
    }
    inputmode="numeric"
    autofocus
  />
);

export const FACTOR_HINT = message('Six digits from your authenticator app, or one of your backup codes.');

interface UsePasskeyProps {
  /** URL that receives the signed assertion. */
  readonly action: string;
  readonly text: string;
  readonly next: string;
  readonly problem: string;
}

/** A script shows the form if the browser supports passkeys. */
export const UsePasskey = ({ action, text, next, problem }: UsePasskeyProps) => (
  <form
    class="form"
    method="post"
    action={action}
    data-passkey="use"
    data-options={PASSKEY_OPTIONS_PATH}
    hidden={problem === ''}
  >
    <HiddenField name="next" value={next} />
    <HiddenField name="credential" value="" />
    <PasskeyProblem sentence={problem} />
    <FormActions>
      <Button>{text}</Button>
    </FormActions>
  </form>
);

/** The page's script also shows problems here: one of the `data-` texts, or a message from the server. */
export const PasskeyProblem = ({ sentence }: { sentence: string }) => (
  <p
    class="field-problem"
    role="alert"
    data-problem
    data-cancelled={t('The passkey was not used: the request was cancelled or took too long. Try again.')}
    data-known={t('This device already has a passkey for this account.')}
    data-failed={t('The passkey did not work. Try again.')}
    hidden={sentence === ''}
  >
    <span>{sentence}</span>
  </p>
);

/** Says what confirming an address for the first time ends (`endsEarlierAccess`). */
export const EarlierAccessNotice = () => (
  <Notice tone="warn" title={t('This confirms your email address')}>
    {t(
      'All other access to this account then ends: the password, passkeys, second factor, other sessions, members, invitations, API keys and webhooks.',
    )}
  </Notice>
);

export const Or = () => (
  <p class="or" aria-hidden="true">
    {t('or')}
  </p>
);

interface OidcButtonsProps {
  readonly providers: readonly ProviderChoice[];
  readonly textOf: (providerName: Words) => string;
  readonly next: string;
}

export const OidcButtons = ({ providers, textOf, next }: OidcButtonsProps) => (
  <>
    {providers.map(({ number, name }) => (
      <PostButton action={OIDC_PATH} values={{ next, provider: String(number) }}>
        {textOf(name)}
      </PostButton>
    ))}
  </>
);

export const signInWith = (providerName: Words): string => t('Sign in with {providerName}', { providerName });
