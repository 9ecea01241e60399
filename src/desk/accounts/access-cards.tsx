/** The cards of an account's page that give and take access: sign-in, the role of operator and suspension. */
import type { Account } from '../../accounts/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button, PostButton } from '../../ui/button.tsx';
import { Confirm, Dialog, DialogCancel } from '../../ui/dialog.tsx';
import { HiddenField, TextAreaField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { accountPath } from './paths.ts';

interface AccessCardProps {
  readonly account: Account;
  /** Whether it is the operator's own account. */
  readonly isSelf: boolean;
}

export const SignIn = ({ account, isSelf }: AccessCardProps): Markup => (
  <section class="card">
    <h2>Sign-in</h2>
    <div class="stack">
      <Confirm
        id="end-sessions"
        action={`${accountPath(account)}/end-sessions`}
        opener="End all sessions…"
        title={`End all sessions of ${isolated(account.name)}?`}
        confirm="End all sessions"
      >
        <p>The person is signed out everywhere, and links that were sent to them stop working.</p>
      </Confirm>
      {!isSelf && (
        <Confirm
          id="reset-two-factor"
          action={`${accountPath(account)}/reset-two-factor`}
          opener="Reset second factor…"
          title={`Reset the second factor of ${isolated(account.name)}?`}
          confirm="Reset second factor"
        >
          <p>
            Removes the authenticator app, the backup codes and all passkeys, and ends all sessions. The
            password alone signs in again. Make sure first that it is this person who asks.
          </p>
        </Confirm>
      )}
    </div>
  </section>
);

export const Operator = ({ account, isSelf }: AccessCardProps): Markup => {
  const isOperator = account.operator_since !== null;
  const [opener, title] = isOperator
    ? ['Remove operator rights…', `Remove the operator rights of ${isolated(account.name)}?`]
    : ['Make operator…', `Make ${isolated(account.name)} an operator?`];
  return (
    <section class="card">
      <h2>Operator</h2>
      <Confirm
        id="operator"
        action={`${accountPath(account)}/operator`}
        opener={opener}
        openerTone={isOperator ? 'danger' : 'plain'}
        title={title}
        confirm={opener.replace('…', '')}
        confirmTone={isOperator ? 'danger-solid' : 'primary'}
      >
        <HiddenField name="operator" value={isOperator ? 'off' : 'on'} />
        <p>
          {isOperator
            ? `${isSelf ? 'You keep' : 'The person keeps'} the account, without the desk. Operator keys of the account stop working.`
            : 'Operators see and change everything at the desk: accounts, plans, reviews, claims. The person is signed out and signs in again.'}
        </p>
      </Confirm>
    </section>
  );
};

interface SuspensionProps extends AccessCardProps {
  /** Whether the person publishes apps, and does not only claim offers. */
  readonly isOwner: boolean;
  readonly form: FormState;
}

export function Suspension({ account, isSelf, isOwner, form }: SuspensionProps): Markup {
  const who = isOwner ? 'owner' : 'claimant';
  return (
    <section class="card">
      <h2>Suspension</h2>
      {account.suspended_at !== null ? (
        <div class="stack">
          <p class="soft-text">{SUSPENDED[who]}</p>
          <PostButton action={`${accountPath(account)}/restore`}>End suspension</PostButton>
        </div>
      ) : isSelf ? (
        <p class="soft-text">This is your account; another operator can suspend it.</p>
      ) : (
        <Dialog
          id="suspend"
          opener="Suspend account…"
          openerTone="danger"
          title={`Suspend ${isolated(account.name)}?`}
        >
          <Form form={form} action={`${accountPath(account)}/suspend`} idPrefix="suspend">
            <p>{CONSEQUENCES[who]}</p>
            <TextAreaField
              form={form}
              idPrefix="suspend"
              name="reason"
              label="Reason"
              hint="For the audit log. The person does not see it."
              rows={3}
              optional
              autofocus
            />
            <FormActions>
              <DialogCancel id="suspend" />
              <Button tone="danger-solid">Suspend account</Button>
            </FormActions>
          </Form>
        </Dialog>
      )}
    </section>
  );
}

const SUSPENDED = {
  owner:
    'The person cannot sign in, every call with their API keys is refused, and their listings are closed.',
  claimant: 'The person cannot sign in. Their claims stay redeemable.',
} as const;

const CONSEQUENCES = {
  owner:
    'The person is signed out and cannot sign in. Their API keys stop working, and their listings take no new claims. Existing claims are kept.',
  claimant: 'The person is signed out and cannot sign in. Their claims stay redeemable.',
} as const;
