import type { Child } from 'hono/jsx';
import { PLAN_NAMES, PLANS } from '../../accounts/account.ts';
import type { Account } from '../../accounts/queries.ts';
import { isolated } from '../../text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { FilterBar, pathWithQuery, Results } from '../../ui/filter-bar.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Pager, Table } from '../../ui/table.tsx';
import { Num, Time } from '../../ui/time.tsx';
import { ACCOUNTS_PATH, accountPath } from '../paths.ts';
import {
  ACCOUNT_ROLES,
  type AccountFilter,
  type AccountRole,
  type AccountsPage as AccountsPageData,
  type ListedAccount,
} from './queries.ts';

const RESULTS = 'accounts';

interface AccountsPageProps {
  readonly found: AccountsPageData;
  readonly filter: AccountFilter;
  readonly isFirst: boolean;
}

export const AccountsPage = (props: AccountsPageProps) => (
  <>
    <PageHeader title="Accounts" lead="Everyone who signed up: claimants, owners and operators." />
    <FilterBar
      action={ACCOUNTS_PATH}
      results={RESULTS}
      isFiltered={isFiltered(props.filter)}
      filters={[
        {
          name: 'q',
          label: 'Name or email address',
          value: props.filter.search,
          placeholder: 'ada@example.com',
        },
        {
          name: 'who',
          label: 'Role',
          value: props.filter.role ?? '',
          choices: [
            { value: '', label: 'Everyone' },
            ...ACCOUNT_ROLES.map((value) => ({ value, label: ROLE_NAMES[value] })),
          ],
        },
        {
          name: 'plan',
          label: 'Plan',
          value: props.filter.plan ?? '',
          choices: [
            { value: '', label: 'Any plan' },
            ...PLANS.map((value) => ({ value, label: PLAN_NAMES[value] })),
          ],
        },
      ]}
    />
    <Results id={RESULTS}>
      {props.found.accounts.length === 0 ? (
        <NoAccounts {...props} />
      ) : (
        <AccountTable accounts={props.found.accounts} pager={<AccountPager {...props} />} />
      )}
    </Results>
  </>
);

const ROLE_NAMES: Readonly<Record<AccountRole, string>> = {
  owners: 'With listings',
  operators: 'Operators',
  suspended: 'Suspended',
};

const isFiltered = ({ search, role, plan }: AccountFilter): boolean =>
  search !== '' || role !== undefined || plan !== undefined;

const addressOf = ({ search, role, plan }: AccountFilter, after: string | null): string =>
  pathWithQuery(ACCOUNTS_PATH, { q: search, who: role, plan, after });

const AccountPager = ({ found, filter, isFirst }: AccountsPageProps) => (
  <Pager
    previous={null}
    next={found.next === null ? null : addressOf(filter, found.next)}
    summary={
      <>
        {isFirst ? 'Newest first.' : <a href={addressOf(filter, null)}>Back to the newest</a>}
        {found.partial && ' There may be older accounts on the next page.'}
      </>
    }
  />
);

const NoAccounts = ({ found, filter, isFirst }: AccountsPageProps) =>
  found.next !== null ? (
    <EmptyState
      sentence="No match among the newest accounts; there may be older ones."
      action={<ButtonLink href={addressOf(filter, found.next)}>Look further back</ButtonLink>}
    />
  ) : (
    <EmptyState
      sentence={isFirst ? emptyText(filter) : 'No older accounts.'}
      action={<ButtonLink href={ACCOUNTS_PATH}>Show all accounts</ButtonLink>}
      example="Part of a name, or the whole address ada@example.com."
    />
  );

const emptyText = ({ search, role, plan }: AccountFilter): string =>
  search !== '' && role === undefined && plan === undefined
    ? 'No name or email address contains this.'
    : 'No account matches these filters.';

const AccountTable = ({ accounts, pager }: { accounts: readonly ListedAccount[]; pager: Child }) => (
  <Table
    caption="Accounts"
    rows={accounts}
    columns={[
      {
        header: 'Account',
        isName: true,
        cell: ({ id, name, email }) => (
          <>
            <a href={accountPath(id)}>{isolated(name)}</a>
            <span class="sub mail">
              <Breakable text={email} />
            </span>
          </>
        ),
      },
      { header: 'Plan', cell: ({ plan }) => PLAN_NAMES[plan] },
      {
        header: 'State',
        cell: (account) => <AccountBadges account={account} />,
      },
      {
        header: 'Listings',
        cell: ({ listings }) =>
          listings === 0 ? <span class="quiet-text">–</span> : <Num value={listings} />,
        isNumeric: true,
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

export const AccountBadges = ({ account }: { account: Account }) => (
  <span class="row">
    {account.suspended_at === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Suspended</Badge>}
    {account.operator_since !== null && <Badge tone="accent">Operator</Badge>}
  </span>
);
