import { DATA_FORMATS } from '../../../background/personal-data/data.ts';
import { deskAccountPath } from '../../../base/paths.ts';
import { KEYS_KEPT_DAYS, plannedDeletion, UNDO_DAYS } from '../../../people/accounts/account.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { amountOf, capital, isolated } from '../../../platform/text/text.ts';
import { Button, PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm, Dialog, DialogCancel } from '../../ui/dialog.tsx';
import { DownloadButtons } from '../../ui/download-buttons.tsx';
import { HiddenField, SelectField, TextAreaField } from '../../ui/field.tsx';
import { Form, FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { NameCell, Table } from '../../ui/table.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';
import { AccountBadges } from './list-page.tsx';
import type { LookAlike } from './queries.ts';

interface AccountProps {
  readonly account: Account;
  readonly isSelf: boolean;
}

interface AccessProps extends AccountProps {
  readonly isOwner: boolean;
  readonly sessions: { readonly sessions: number; readonly lastSeenAt: string | null };
  /** What the person could still use in other people's accounts. */
  readonly elsewhere: { readonly keys: number; readonly endpoints: number };
  /** The form that suspends the account. */
  readonly form: FormState;
}

export function Access(props: AccessProps) {
  const { account, isSelf, isOwner } = props;
  const isDeleted = account.deleted_at !== null;
  return (
    <section class="card" id="access">
      <h2>Access</h2>
      <div class="stack">
        {account.suspended_at !== null && <p>{SUSPENDED[isOwner ? 'owner' : 'claimant']}</p>}
        {!isDeleted && <Sessions {...props} />}
        {!isDeleted && (
          <div class="buttons">
            <EndSessions {...props} />
            {!isSelf && <ResetSecondFactor {...props} />}
            <Operator {...props} />
          </div>
        )}
        <div class="buttons">
          {account.suspended_at !== null ? (
            <PostButton action={`${deskAccountPath(account.id)}/restore`} small>
              End suspension
            </PostButton>
          ) : (
            !isSelf && <Suspend {...props} />
          )}
        </div>
        {isSelf && <p class="hint">This is your account. Only another operator can suspend it.</p>}
      </div>
    </section>
  );
}

const Sessions = ({ sessions: { sessions, lastSeenAt } }: AccessProps) => (
  <p class="soft-text">
    {sessions === 0 ? 'No session is open.' : `${capital(amountOf(sessions, 'open session'))}, last used `}
    {lastSeenAt !== null && <Time at={lastSeenAt} />}
    {lastSeenAt !== null && '.'}
  </p>
);

const EndSessions = ({ account }: AccessProps) => (
  <Confirm
    action={`${deskAccountPath(account.id)}/end-sessions`}
    opener="End all sessions…"
    openerTone="plain"
    small
    title={`End all sessions of ${isolated(account.name)}?`}
    confirm="End all sessions"
  >
    <p>
      This signs the person out everywhere and revokes links for setting a new password or confirming an
      address. Sign-in emails that were already sent keep working.
    </p>
  </Confirm>
);

const ResetSecondFactor = ({ account }: AccessProps) => (
  <Confirm
    action={`${deskAccountPath(account.id)}/reset-two-factor`}
    opener="Reset second factor…"
    openerTone="plain"
    small
    title={`Reset the second factor of ${isolated(account.name)}?`}
    confirm="Reset second factor"
  >
    <p>
      This removes the authenticator app, backup codes and all passkeys, and ends all sessions. The person can
      then sign in without a second factor, so make sure that they asked for this.
    </p>
  </Confirm>
);

const Operator = ({ account, isSelf }: AccessProps) => {
  const isOperator = account.operator_since !== null;
  const [confirm, title] = isOperator
    ? ['Remove operator rights', `Remove the operator rights of ${isolated(account.name)}?`]
    : ['Make operator', `Make ${isolated(account.name)} an operator?`];
  return (
    <Confirm
      action={`${deskAccountPath(account.id)}/operator`}
      opener={`${confirm}…`}
      openerTone="plain"
      small
      title={title}
      confirm={confirm}
      isHarmless={!isOperator}
    >
      <HiddenField name="operator" value={isOperator ? 'off' : 'on'} />
      <p>
        {isOperator
          ? `${isSelf ? 'You lose' : 'The person loses'} access to the desk but ${isSelf ? 'keep' : 'keeps'} the account. The account’s operator keys are revoked.`
          : 'Operators can see and change everything at the desk: accounts, plans, reviews and claims. The person is signed out and has to sign in again.'}
      </p>
    </Confirm>
  );
};

const Suspend = ({ account, isOwner, elsewhere, form }: AccessProps) => (
  <Dialog
    id="suspend"
    opener="Suspend account…"
    openerTone="danger"
    small
    title={`Suspend ${isolated(account.name)}?`}
  >
    <Form form={form} action={`${deskAccountPath(account.id)}/suspend`} idPrefix="suspend">
      <p>{CONSEQUENCES[isOwner ? 'owner' : 'claimant']} Their open invitations end.</p>
      {elsewhere.endpoints > 0 && (
        <p>
          In other accounts, {amountOf(elsewhere.endpoints, 'webhook endpoint')} whose URL or secret they set
          will be paused.
        </p>
      )}
      {elsewhere.keys > 0 && (
        <SelectField
          form={form}
          idPrefix="suspend"
          name="keys"
          label={`${capital(amountOf(elsewhere.keys, 'API key'))} that they created in other accounts`}
          choices={KEY_CHOICES}
          hint="The servers of these accounts use the keys. The person knows them."
        />
      )}
      <TextAreaField
        form={form}
        idPrefix="suspend"
        name="reason"
        label="Reason"
        hint="For the audit log. Not shown to the person."
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
);

const KEY_CHOICES = [
  { value: 'now', label: 'Stop working now' },
  { value: '24h', label: 'Stop working in 24 hours' },
  { value: '7d', label: 'Stop working in 7 days' },
];

const SUSPENDED = {
  owner:
    'The account is suspended: the person cannot sign in, their API keys are refused, and their listings are closed.',
  claimant: 'The account is suspended: the person cannot sign in. Their claims stay redeemable.',
} as const;

const CONSEQUENCES = {
  owner:
    'The person is signed out and cannot sign in. Their API keys stop working, and their listings take no new claims. Claims on their offers can’t be redeemed until the suspension ends.',
  claimant: 'The person is signed out and cannot sign in. Their claims stay redeemable.',
} as const;

export function PersonData({ account, isSelf }: AccountProps) {
  const deleteAt = plannedDeletion(account);
  if (account.deleted_at !== null) return null;
  return (
    <Card title="Personal data" isStack>
      <p class="soft-text">Everything stored about the person, including the codes of their claims.</p>
      <div class="buttons">
        <DownloadButtons
          formats={DATA_FORMATS}
          pathOf={(format) => `${deskAccountPath(account.id)}/data.${format}`}
          small
        />
      </div>
      {deleteAt !== null ? (
        <>
          <p>
            The account will be deleted on <TimeWithZone at={deleteAt} />.
          </p>
          <div>
            <PostButton action={`${deskAccountPath(account.id)}/keep`} small>
              Undo deletion
            </PostButton>
          </div>
        </>
      ) : account.operator_since !== null ? (
        <p class="soft-text">
          {isSelf ? 'Your account' : 'The account'} can’t be deleted while it has operator rights.
        </p>
      ) : (
        <div class="buttons">
          <Confirm
            action={`${deskAccountPath(account.id)}/delete`}
            opener="Delete account…"
            small
            title={`Delete the account of ${isolated(account.name)}?`}
            confirm="Delete account"
          >
            <p>
              The person gets an email. The account will be deleted in {UNDO_DAYS} days. Until then, the
              person or an operator can undo this. When the account is deleted, its listings close. Claims on
              the offers of these listings can be redeemed for {KEYS_KEPT_DAYS} more days. The person’s own
              claims are kept without the person’s name.
            </p>
          </Confirm>
        </div>
      )}
    </Card>
  );
}

const LOOK_ALIKES_DIALOG = 'suspend-look-alikes';

interface LookAlikesProps {
  readonly account: Account;
  readonly lookAlikes: readonly LookAlike[];
  readonly form: FormState;
}

const canBeSuspended = ({ account }: LookAlike): boolean =>
  account.suspended_at === null && account.operator_since === null;

export const LookAlikes = ({ account, lookAlikes, form }: LookAlikesProps): Markup | null =>
  lookAlikes.length === 0 ? null : (
    <section class="section" id="look-alikes">
      <h2>Perhaps the same person</h2>
      <FormProblems form={form} />
      <form class="stack" method="post" action={`${deskAccountPath(account.id)}/suspend-look-alikes`}>
        <Table
          caption="Accounts that may belong to the same person"
          rows={lookAlikes}
          columns={[
            {
              header: 'Account',
              isName: true,
              cell: ({ account: { id, name, email } }) => (
                <NameCell href={deskAccountPath(id)} name={name} sub={email} />
              ),
            },
            { header: 'Why', cell: ({ reason }) => reason },
            { header: 'Created', cell: ({ account: { created_at } }) => <Time at={created_at} /> },
            { header: 'State', cell: ({ account: each }) => <AccountBadges account={each} /> },
            {
              header: 'Suspend',
              cell: (each) =>
                canBeSuspended(each) ? (
                  <input
                    type="checkbox"
                    name="account"
                    value={each.account.id}
                    aria-label={`Suspend ${each.account.name}`}
                  />
                ) : null,
            },
          ]}
        />
        {lookAlikes.some(canBeSuspended) && (
          <Dialog
            id={LOOK_ALIKES_DIALOG}
            opener="Suspend selected…"
            openerTone="danger"
            title="Suspend the selected accounts?"
          >
            <div class="stack">
              <p>
                Each person is signed out and can’t sign in. Owners’ API keys stop working, and their listings
                take no new claims. Claims on their offers can’t be redeemed until the suspension ends.
              </p>
              <TextAreaField form={form} name="reason" label="Reason" rows={2} optional />
            </div>
            <FormActions>
              <DialogCancel id={LOOK_ALIKES_DIALOG} />
              <Button tone="danger-solid">Suspend accounts</Button>
            </FormActions>
          </Dialog>
        )}
      </form>
    </section>
  );

/**
 * Lists the accounts that were just suspended. `findLookAlikes` may no longer find these accounts, because it compares
 * sessions, and a suspension deletes the account's sessions.
 */
export const SuspendedTogether = ({ accounts }: { accounts: readonly Account[] }): Markup | null =>
  accounts.length === 0 ? null : (
    <Notice tone="good" title={`Suspended: ${amountOf(accounts.length, 'account')}`}>
      <ul>
        {accounts.map(({ id, name }) => (
          <li>
            <a href={deskAccountPath(id)}>{isolated(name)}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
