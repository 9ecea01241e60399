/** The cards of the password and of the second factor. */
import { Button, PostButton } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { Markup } from '../ui/markup.ts';
import { Badge } from '../ui/state-badge.tsx';
import { Card, Folded, FoldedForProof, type FormCardProps, OwnPasswordField } from './card.tsx';
import { ACCOUNT_PATH } from './paths.ts';

export const Password = ({ account, form, isRefused }: FormCardProps): Markup =>
  account.hasPassword ? (
    <Card title="Password">
      <p class="soft-text">Changing it ends every session but this one.</p>
      <FoldedForProof isProven={!account.isLocked} summary="Change password" isOpen={isRefused}>
        <Form form={form} action={`${ACCOUNT_PATH}/password`} idPrefix="password">
          <OwnPasswordField form={form} idPrefix="password" />
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
            <Button>Change password</Button>
          </FormActions>
        </Form>
      </FoldedForProof>
    </Card>
  ) : (
    <Card title="Password">
      <p class="soft-text">
        You haven’t set a password. <a href="/forgot-password">Send a link</a> to set one.
      </p>
    </Card>
  );

export const SecondFactor = ({ account, form, isRefused }: FormCardProps): Markup =>
  account.hasSecondFactor ? (
    <Card title="Second factor" badge={<Badge tone="good">On</Badge>}>
      <p class="soft-text">
        Signing in with the password also asks for a code from your authenticator app, or for a backup code.
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
      <p class="soft-text">After your password you enter a code from an authenticator app on your phone.</p>
      <Folded summary="Turn it on" isOpen={isRefused}>
        <Form form={form} action={`${ACCOUNT_PATH}/two-factor`} idPrefix="factor">
          <FormActions>
            <Button>Continue</Button>
          </FormActions>
        </Form>
      </Folded>
    </Card>
  );
