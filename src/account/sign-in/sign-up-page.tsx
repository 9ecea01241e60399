import { MIN_PASSWORD_LENGTH } from '../../accounts/password.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { CodeField, EmailField, NewPasswordField, ShortForm } from '../forms.tsx';
import { NEW_EMAIL_PATH } from '../paths.ts';
import type { FormPageProps } from './answers.ts';
import { OtherWays, withNext } from './sign-in-page.tsx';

const NewPassword = ({ form }: { form: FormState }): Markup => (
  <NewPasswordField form={form} minLength={MIN_PASSWORD_LENGTH} />
);

export const SignUpPage = ({ form, next }: FormPageProps): Markup => (
  <>
    <PageHeader title="Sign up" lead="One account to claim offers and to publish your own." />
    <ShortForm form={form} action="/sign-up" next={next} button="Sign up">
      <EmailField form={form} autocomplete="username" autofocus />
      <NewPassword form={form} />
    </ShortForm>
    <OtherWays>
      Have an account? <a href={withNext('/sign-in', next)}>Sign in</a>
    </OtherWays>
  </>
);

export const ForgotPasswordPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader
      title="Forgot your password?"
      lead="Enter the address you sign in with, and we’ll send a link to it."
    />
    <ShortForm form={form} action="/forgot-password" button="Send link" also={<a href="/sign-in">Back</a>}>
      <EmailField form={form} autocomplete="username" autofocus />
    </ShortForm>
  </>
);

export const LinkSentPage = ({ isMailed }: { isMailed: boolean }): Markup => (
  <>
    <PageHeader title="Forgot your password?" />
    <p>
      {isMailed
        ? 'If an account has this address, we’re sending it a link and a code. Both work once, for an hour.'
        : 'If an account has this address, the operator of this marketplace now has a link for it. This service doesn’t send mail yet, so ask the operator for the link.'}
    </p>
    <FormActions>
      {isMailed && (
        <ButtonLink href="/reset-password" tone="primary">
          Enter the code
        </ButtonLink>
      )}
      <ButtonLink href="/sign-in">Back to sign-in</ButtonLink>
    </FormActions>
  </>
);

export const NewPasswordPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader title="Set a new password" lead="This signs you out everywhere." />
    <ShortForm form={form} action="/reset-password" button="Set password">
      <CodeField form={form} hint="From the mail, for example K7QX3-M9TRB. The link fills it in." autofocus />
      <NewPassword form={form} />
    </ShortForm>
  </>
);

export const SetUpPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader
      title="Set up Claimcheck"
      lead="This makes you the operator. Operators approve listings, set plans and run the service."
    />
    <ShortForm form={form} action="/setup" button="Become the operator">
      <CodeField
        form={form}
        hint="The setup link in the terminal fills it in. The link is also in the file setup-link in the data folder. It works for 30 minutes; a restart creates a new one."
        autofocus
      />
      <TextField form={form} name="name" label="Your name" autocomplete="name" />
      <EmailField form={form} autocomplete="username" />
      <NewPassword form={form} />
    </ShortForm>
  </>
);

export const SetUpDonePage = (): Markup => (
  <>
    <PageHeader title="Already set up" lead="This service already has an operator." />
    <FormActions>
      <ButtonLink href="/sign-in" tone="primary">
        Sign in
      </ButtonLink>
      <ButtonLink href="/">Marketplace</ButtonLink>
    </FormActions>
  </>
);

/** Asks a signed-in person for the code that confirms their new email address. */
export const ConfirmNewAddressPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader title="Confirm your new address" lead="Your account switches to it immediately." />
    <ShortForm form={form} action={NEW_EMAIL_PATH} button="Confirm" also={<a href="/account">Back</a>}>
      <CodeField
        form={form}
        hint="From the mail to the new address, for example K7QX3-M9TRB. The link in the mail fills it in."
        autofocus
      />
    </ShortForm>
  </>
);
