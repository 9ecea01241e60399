import { DATA_FORMATS } from '../../../background/personal-data/data.ts';
import { deskAccountPath } from '../../../base/paths.ts';
import { KEYS_KEPT_DAYS, plannedDeletion, UNDO_DAYS } from '../../../people/accounts/account.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Button, PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Confirm, Dialog, DialogCancel } from '../../ui/dialog.tsx';
import { DownloadButtons } from '../../ui/download-buttons.tsx';
import { HiddenField, SelectField, TextAreaField } from '../../ui/field.tsx';
import { Form, FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Column, NameCell, Table } from '../../ui/table.tsx';
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
      <h2>{t('Access')}</h2>
      <div class="stack">
        {account.suspended_at !== null && <p>{t(SUSPENDED[isOwner ? 'owner' : 'claimant'])}</p>}
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
              {t('End suspension')}
            </PostButton>
          ) : (
            !isSelf && <Suspend {...props} />
          )}
        </div>
        {isSelf && <p class="hint">{t('This is your account. Only another operator can suspend it.')}</p>}
      </div>
    </section>
  );
}

const Sessions = ({ sessions: { sessions, lastSeenAt } }: AccessProps) => (
  <p class="soft-text">
    {sessions === 0 || lastSeenAt === null
      ? t('{sessions, plural, =0 {No session is open.} one {# open session.} other {# open sessions.}}', {
          sessions,
        })
      : t('{sessions, plural, one {# open session} other {# open sessions}}, last used {time}.', {
          sessions,
          time: <Time at={lastSeenAt} />,
        })}
  </p>
);

const EndSessions = ({ account }: AccessProps) => (
  <Confirm
    action={`${deskAccountPath(account.id)}/end-sessions`}
    opener={t('End all sessions…')}
    openerTone="plain"
    small
    title={t('End all sessions of {name}?', { name: isolated(account.name) })}
    confirm={t('End all sessions')}
  >
    <p>
      {t(
        'This signs the person out everywhere and revokes links for setting a new password or confirming an address. Sign-in emails that were already sent keep working.',
      )}
    </p>
  </Confirm>
);

const ResetSecondFactor = ({ account }: AccessProps) => (
  <Confirm
    action={`${deskAccountPath(account.id)}/reset-two-factor`}
    opener={t('Reset second factor…')}
    openerTone="plain"
    small
    title={t('Reset the second factor of {name}?', { name: isolated(account.name) })}
    confirm={t('Reset second factor')}
  >
    <p>
      {t(
        'This removes the authenticator app, backup codes and all passkeys, and ends all sessions. The person can then sign in without a second factor, so make sure that they asked for this.',
      )}
    </p>
  </Confirm>
);

const Operator = ({ account, isSelf }: AccessProps) => {
  const isOperator = account.operator_since !== null;
  const name = isolated(account.name);
  const [confirm, title] = isOperator
    ? [t('Remove operator rights'), t('Remove the operator rights of {name}?', { name })]
    : [t('Make operator'), t('Make {name} an operator?', { name })];
  return (
    <Confirm
      action={`${deskAccountPath(account.id)}/operator`}
      opener={t('{words}…', { words: confirm })}
      openerTone="plain"
      small
      title={title}
      confirm={confirm}
      isHarmless={!isOperator}
    >
      <HiddenField name="operator" value={isOperator ? 'off' : 'on'} />
      <p>
        {!isOperator
          ? t(
              'Operators can see and change everything at the desk: accounts, plans, reviews and claims. The person is signed out and has to sign in again.',
            )
          : isSelf
            ? t('You lose access to the desk but keep the account. The account’s operator keys are revoked.')
            : t(
                'The person loses access to the desk but keeps the account. The account’s operator keys are revoked.',
              )}
      </p>
    </Confirm>
  );
};

const Suspend = ({ account, isOwner, elsewhere, form }: AccessProps) => (
  <Dialog
    id="suspend"
    opener={t('Suspend account…')}
    openerTone="danger"
    small
    title={t('Suspend {name}?', { name: isolated(account.name) })}
  >
    <Form form={form} action={`${deskAccountPath(account.id)}/suspend`} idPrefix="suspend">
      <p>
        {t(CONSEQUENCES[isOwner ? 'owner' : 'claimant'])} {t('Their open invitations end.')}
      </p>
      {elsewhere.endpoints > 0 && (
        <p>
          {t(
            'In other accounts, {count, plural, one {# webhook endpoint} other {# webhook endpoints}} whose URL or secret they set will be paused.',
            { count: elsewhere.endpoints },
          )}
        </p>
      )}
      {elsewhere.keys > 0 && (
        <SelectField
          form={form}
          idPrefix="suspend"
          name="keys"
          label={t(
            '{count, plural, one {# API key} other {# API keys}} that they created in other accounts',
            { count: elsewhere.keys },
          )}
          choices={KEY_CHOICES}
          hint={t('The servers of these accounts use the keys. The person knows them.')}
        />
      )}
      <TextAreaField
        form={form}
        idPrefix="suspend"
        name="reason"
        label={t('Reason')}
        hint={t('For the audit log. Not shown to the person.')}
        rows={3}
        optional
        autofocus
      />
      <FormActions>
        <DialogCancel id="suspend" />
        <Button tone="danger-solid">{t('Suspend account')}</Button>
      </FormActions>
    </Form>
  </Dialog>
);

const KEY_CHOICES = [
  { value: 'now', label: message('Stop working now') },
  { value: '24h', label: message('Stop working in 24 hours') },
  { value: '7d', label: message('Stop working in 7 days') },
];

const SUSPENDED = {
  owner: message(
    'The account is suspended: the person cannot sign in, their API keys are refused, and their listings are closed.',
  ),
  claimant: message('The account is suspended: the person cannot sign in. Their claims stay redeemable.'),
} as const;

const CONSEQUENCES = {
  owner: message(
    'The person is signed out and cannot sign in. Their API keys stop working, and their listings take no new claims. Claims on their offers can’t be redeemed until the suspension ends.',
  ),
  claimant: message('The person is signed out and cannot sign in. Their claims stay redeemable.'),
} as const;

export function PersonData({ account, isSelf }: AccountProps) {
  const deleteAt = plannedDeletion(account);
  if (account.deleted_at !== null) return null;
  return (
    <Card title={t('Personal data')} isStack>
      <p class="soft-text">{t('Everything stored about the person, including the codes of their claims.')}</p>
      <div class="buttons">
        <DownloadButtons
          formats={DATA_FORMATS}
          pathOf={(format) => `${deskAccountPath(account.id)}/data.${format}`}
          small
        />
      </div>
      {deleteAt !== null ? (
        <>
          <p>{t('The account will be deleted on {time}.', { time: <TimeWithZone at={deleteAt} /> })}</p>
          <div>
            <PostButton action={`${deskAccountPath(account.id)}/keep`} small>
              {t('Undo deletion')}
            </PostButton>
          </div>
        </>
      ) : account.operator_since !== null ? (
        <p class="soft-text">
          {isSelf
            ? t('Your account can’t be deleted while it has operator rights.')
            : t('The account can’t be deleted while it has operator rights.')}
        </p>
      ) : (
        <div class="buttons">
          <Confirm
            action={`${deskAccountPath(account.id)}/delete`}
            opener={t('Delete account…')}
            small
            title={t('Delete the account of {name}?', { name: isolated(account.name) })}
            confirm={t('Delete account')}
          >
            <p>
              {t(
                'The person gets an email. The account will be deleted in {undoDays} days. Until then, the person or an operator can undo this. When the account is deleted, its listings close. Claims on the offers of these listings can be redeemed for {keysDays} more days. The person’s own claims are kept without the person’s name.',
                { undoDays: UNDO_DAYS, keysDays: KEYS_KEPT_DAYS },
              )}
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

const SUSPEND_COLUMN: Column<LookAlike> = {
  header: message('Suspend'),
  cell: (each) =>
    canBeSuspended(each) ? (
      <input
        type="checkbox"
        name="account"
        value={each.account.id}
        aria-label={t('Suspend {name}', { name: each.account.name })}
      />
    ) : null,
};

export const LookAlikes = ({ account, lookAlikes, form }: LookAlikesProps): Markup | null =>
  lookAlikes.length === 0 ? null : (
    <section class="section" id="look-alikes">
      <h2>{t('Perhaps the same person')}</h2>
      <FormProblems form={form} />
      <form class="stack" method="post" action={`${deskAccountPath(account.id)}/suspend-look-alikes`}>
        <Table
          caption={t('Accounts that may belong to the same person')}
          rows={lookAlikes}
          columns={[
            {
              header: t('Account'),
              isName: true,
              cell: ({ account: { id, name, email } }) => (
                <NameCell href={deskAccountPath(id)} name={name} sub={email} />
              ),
            },
            { header: t('Why'), cell: ({ reason }) => t(reason) },
            { header: t('Created'), cell: ({ account: { created_at } }) => <Time at={created_at} /> },
            { header: t('State'), cell: ({ account: each }) => <AccountBadges account={each} /> },
            ...(lookAlikes.some(canBeSuspended) ? [SUSPEND_COLUMN] : []),
          ]}
        />
        {lookAlikes.some(canBeSuspended) && (
          <Dialog
            id={LOOK_ALIKES_DIALOG}
            opener={t('Suspend selected…')}
            openerTone="danger"
            title={t('Suspend the selected accounts?')}
          >
            <div class="stack">
              <p>
                {t(
                  'Each person is signed out and can’t sign in. Owners’ API keys stop working, and their listings take no new claims. Claims on their offers can’t be redeemed until the suspension ends.',
                )}
              </p>
              <TextAreaField form={form} name="reason" label={t('Reason')} rows={2} optional />
            </div>
            <FormActions>
              <DialogCancel id={LOOK_ALIKES_DIALOG} />
              <Button tone="danger-solid">{t('Suspend accounts')}</Button>
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
    <Notice
      tone="good"
      title={t('Suspended: {count, plural, one {# account} other {# accounts}}', { count: accounts.length })}
    >
      <ul>
        {accounts.map(({ id, name }) => (
          <li>
            <a href={deskAccountPath(id)}>{isolated(name)}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
