/** Accounts that may belong to the same person, next to each other. An operator decides; no score does. */
import type { Account } from '../../accounts/queries.ts';
import { amountOf, isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogCancel } from '../../ui/dialog.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import { FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { NameCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { accountPath } from '../paths.ts';
import { AccountBadges } from './list-page.tsx';
import type { LookAlike } from './queries.ts';

const DIALOG = 'suspend-look-alikes';

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
      <form class="stack" method="post" action={`${accountPath(account.id)}/suspend-look-alikes`}>
        <Table
          caption="Accounts that may belong to the same person"
          rows={lookAlikes}
          columns={[
            {
              header: 'Account',
              isName: true,
              cell: ({ account: { id, name, email } }) => (
                <NameCell href={accountPath(id)} name={name} sub={email} />
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
            id={DIALOG}
            opener="Suspend selected…"
            openerTone="danger"
            title="Suspend the selected accounts?"
          >
            <div class="stack">
              <p>
                Each person is signed out and can’t sign in. Owners’ API keys stop working, and their listings
                take no new claims. Existing claims stay redeemable.
              </p>
              <TextAreaField form={form} name="reason" label="Reason" rows={2} optional />
            </div>
            <FormActions>
              <DialogCancel id={DIALOG} />
              <Button tone="danger-solid">Suspend accounts</Button>
            </FormActions>
          </Dialog>
        )}
      </form>
    </section>
  );

/** What an operator has just done, since accounts without a session no longer look alike. */
export const SuspendedTogether = ({ accounts }: { accounts: readonly Account[] }): Markup | null =>
  accounts.length === 0 ? null : (
    <Notice tone="good" title={`Suspended: ${amountOf(accounts.length, 'account')}`}>
      <ul>
        {accounts.map(({ id, name }) => (
          <li>
            <a href={accountPath(id)}>{isolated(name)}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
