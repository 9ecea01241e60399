/** The list of accounts. */
import { ButtonLink } from '../ui/button.tsx';
import { FilterBar, Results } from '../ui/filter-bar.tsx';
import type { Markup } from '../ui/markup.ts';
import { EmptyState } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Badge } from '../ui/state-badge.tsx';
import { Pager, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { AccountsPage as AccountsPageData } from './desk-queries.ts';
import type { Account } from './queries.ts';

const PATH = '/desk/accounts';
const RESULTS = 'accounts';

interface AccountsPageProps {
  readonly found: AccountsPageData;
  readonly search: string;
  readonly isFirst: boolean;
}

export const AccountsPage = (props: AccountsPageProps): Markup => (
  <>
    <PageHeader title="Accounts" lead="Everyone who signed up, whether they claim or publish." />
    <FilterBar
      action={PATH}
      results={RESULTS}
      isFiltered={props.search !== ''}
      filters={[
        { name: 'q', label: 'Name or e-mail address', value: props.search, placeholder: 'ada@example.com' },
      ]}
    />
    <Results id={RESULTS}>
      {props.found.accounts.length === 0 ? (
        <Nobody {...props} />
      ) : (
        <AccountTable accounts={props.found.accounts} pager={<AccountPager {...props} />} />
      )}
    </Results>
  </>
);

const addressOf = (search: string, after: string | null): string => {
  const query = new URLSearchParams();
  if (search !== '') query.set('q', search);
  if (after !== null) query.set('after', after);
  return query.size === 0 ? PATH : `${PATH}?${query}`;
};

const AccountPager = ({ found, search, isFirst }: AccountsPageProps): Markup => (
  <Pager
    previous={null}
    next={found.next === null ? null : addressOf(search, found.next)}
    summary={
      <>
        {isFirst ? 'The newest first.' : <a href={addressOf(search, null)}>Back to the newest</a>}
        {found.partial && ' Older ones are found further on.'}
      </>
    }
  />
);

const Nobody = ({ found, search, isFirst }: AccountsPageProps): Markup =>
  found.next !== null ? (
    <EmptyState
      sentence="None among the newest accounts; there may be older ones."
      action={<ButtonLink href={addressOf(search, found.next)}>Look further back</ButtonLink>}
    />
  ) : (
    <EmptyState
      sentence={isFirst ? 'No account has that in its name or e-mail address.' : 'There is nothing older.'}
      action={<ButtonLink href={PATH}>Show all accounts</ButtonLink>}
      example="For example: part of a name, or the whole address ada@example.com."
    />
  );

const AccountTable = ({ accounts, pager }: { accounts: readonly Account[]; pager: Markup }): Markup => (
  <Table
    caption="Accounts"
    rows={accounts}
    columns={[
      {
        header: 'Account',
        isName: true,
        cell: ({ id, name, email }) => (
          <>
            <a href={`${PATH}/${id}`}>{name}</a>
            <span class="sub">{email}</span>
          </>
        ),
      },
      { header: 'Plan', cell: ({ plan }) => PLAN_NAMES[plan] },
      {
        header: 'State',
        cell: (account) => <AccountBadges account={account} />,
      },
      {
        header: 'Created',
        cell: ({ created_at }) => <Time at={created_at} precision="day" />,
        isNowrap: true,
      },
    ]}
    pager={pager}
  />
);

export const PLAN_NAMES: Readonly<Record<Account['plan'], string>> = {
  starter: 'Starter',
  studio: 'Studio',
  everything: 'Everything',
};

export const AccountBadges = ({ account }: { account: Account }): Markup => (
  <span class="row">
    {account.suspended_at === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Suspended</Badge>}
    {account.operator_since !== null && <Badge tone="accent">Operator</Badge>}
  </span>
);
