/** Accounts that may belong to the same person, next to each other. An operator decides; no score does. */
import type { Account } from '../../accounts/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { accountPath } from '../paths.ts';
import { AccountBadges } from './list-page.tsx';
import type { LookAlike } from './look-alike-queries.ts';

export const LookAlikes = ({
  account,
  lookAlikes,
}: {
  account: Account;
  lookAlikes: readonly LookAlike[];
}): Markup | null =>
  lookAlikes.length === 0 ? null : (
    <section class="section" id="look-alikes">
      <h2>Perhaps the same person</h2>
      <form class="stack" method="post" action={`${accountPath(account.id)}/suspend-look-alikes`}>
        <Table
          caption="Accounts that may belong to the same person"
          rows={lookAlikes}
          columns={[
            {
              header: 'Account',
              isName: true,
              cell: ({ account: { id, name, email } }) => (
                <>
                  <a href={accountPath(id)}>{isolated(name)}</a>
                  <span class="sub">{email}</span>
                </>
              ),
            },
            { header: 'Why', cell: ({ reason }) => reason },
            { header: 'Created', cell: ({ account: { created_at } }) => <Time at={created_at} /> },
            { header: 'State', cell: ({ account: each }) => <AccountBadges account={each} /> },
            {
              header: 'Suspend',
              cell: ({ account: { id, name, suspended_at, operator_since } }) =>
                suspended_at === null && operator_since === null ? (
                  <input type="checkbox" name="account" value={id} aria-label={`Suspend ${name}`} />
                ) : null,
            },
          ]}
        />
        <div>
          <Button tone="danger">Suspend the selected accounts</Button>
        </div>
      </form>
    </section>
  );
