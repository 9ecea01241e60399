/** The cards of the password and of the second factor. */
import { Button, PostButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { Markup } from '../ui/markup.ts';
import { Badge } from '../ui/state-badge.tsx';
import { Card, Folded, FoldedForProof, type FormCardProps, OwnPasswordField } from './card.tsx';
import { ACCOUNT_PATH } from './paths.ts';

export const Password = ({ account, form, isRefused }: FormCardProps): Markup => {
  const { hasPassword } = account;
  const verb = hasPassword ? 'Change password' : 'Add a password';
  return (
    <Card title="Password">
      <p class="soft-text">
        {hasPassword
          ? 'Changing it ends every session but this one.'
          : 'You have no password. You don’t need one, but it lets you sign in without mail.'}
      </p>
      <FoldedForProof
        isProven={hasPassword ? !account.isLocked : account.isProven}
        summary={verb}
        isOpen={isRefused}
      >
        <Form form={form} action={`${ACCOUNT_PATH}/password`} idPrefix="password">
          {hasPassword && <OwnPasswordField form={form} idPrefix="password" />}
          <TextField
            form={form}
            idPrefix="password"
            name="password"
            type="password"
            label="New password"
            hint={`At least ${account.minPasswordLength} characters, and hard to guess. Use a password manager, or four random words.`}
            autocomplete="new-password"
          />
          <FormActions>
            <Button>{verb}</Button>
          </FormActions>
        </Form>
      </FoldedForProof>
    </Card>
  );
};

export const SecondFactor = ({ account, form, isRefused }: FormCardProps): Markup =>
  account.hasSecondFactor ? (
    <Card title="Second factor" badge={<Badge tone="good">On</Badge>}>
      <p class="soft-text">
        Signing in also asks for a code from your authenticator app, or for a backup code.
      </p>
      <div>
        <PostButton action={`${ACCOUNT_PATH}/backup-codes`}>Create new backup codes</PostButton>
      </div>
      <FoldedForProof
        isProven={account.hasPassword ? !account.isLocked : account.isProven}
        summary="Turn it off"
        isOpen={isRefused}
      >
        <Form form={form} action={`${ACCOUNT_PATH}/two-factor/off`} idPrefix="factor">
          {account.hasPassword && <OwnPasswordField form={form} idPrefix="factor" />}
          <FormActions>
            <Button tone="danger">Turn it off</Button>
          </FormActions>
        </Form>
      </FoldedForProof>
    </Card>
  ) : (
    <Card
      title="Second factor"
      badge={
        <Badge tone="plain" hollow>
          Off
        </Badge>
      }
    >
      <p class="soft-text">After signing in you also enter a code from an authenticator app on your phone.</p>
      <Folded summary="Turn it on" isOpen={isRefused}>
        <Form form={form} action={`${ACCOUNT_PATH}/two-factor`} idPrefix="factor">
          <FormActions>
            <Button>Continue</Button>
          </FormActions>
        </Form>
      </Folded>
    </Card>
  );
