import { DESK_ACCOUNTS_PATH, DESK_INVITATIONS_PATH, deskAccountPath } from '../../../base/paths.ts';
import { PLANS, plannedDeletion } from '../../../people/accounts/account.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { choicesOf, type Filter } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FilteredList, filterFields } from '../../ui/searched-list.tsx';
import { PlanName, usePlanName } from '../../ui/site.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { AccountFilter, AccountRole, AccountsPage as FoundAccounts } from './queries.ts';

interface AccountsPageProps {
  readonly results: FoundAccounts;
  readonly filter: AccountFilter;
  readonly isFirst: boolean;
}

export const AccountsPage = (props: AccountsPageProps) => (
  <>
    <PageHeader
      title={t('Accounts')}
      lead={t('Everyone with an account: claimants, owners and operators.')}
      actions={
        <ButtonLink href={DESK_INVITATIONS_PATH} tone="primary">
          {t('Invite people')}
        </ButtonLink>
      }
    />
    <FilteredList
      action={DESK_ACCOUNTS_PATH}
      results="accounts"
      filters={useFilters(props.filter)}
      rows={props.results.accounts}
      columns={columns()}
      words={{
        caption: t('Matching accounts'),
        none: t('No accounts match.'),
        amount: (count) => t('{count, plural, one {# account} other {# accounts}}', { count }),
      }}
      next={props.results.next}
      isPartial={props.results.partial}
      isFirst={props.isFirst}
    />
  </>
);

function useFilters({ search, role, plan }: AccountFilter): readonly Filter[] {
  const planName = usePlanName();
  const planNames = Object.fromEntries(PLANS.map((each) => [each, planName(each)]));
  const filter = filterFields({ q: search, who: role, plan });
  return [
    filter('q', t('Name or email address'), { placeholder: 'ada@example.com' }),
    filter('who', t('Role'), { choices: choicesOf(message('Everyone'), ROLE_NAMES) }),
    filter('plan', t('Plan'), { choices: choicesOf(message('Any plan'), planNames) }),
  ];
}

const ROLE_NAMES: Readonly<Record<AccountRole, Message>> = {
  owners: message('Owners'),
  operators: message('Operators'),
  suspended: message('Suspended'),
};

const columns = (): readonly Column<FoundAccounts['accounts'][number]>[] => [
  {
    header: t('Account'),
    isName: true,
    isHalf: true,
    cell: (account) => (
      <>
        <a href={deskAccountPath(account.id)}>{isolated(account.name)}</a> <StateBadges account={account} />
        {account.deleted_at === null && (
          <span class="sub mail">
            <Breakable text={account.email} />
          </span>
        )}
      </>
    ),
  },
  {
    header: t('Role'),
    isFar: true,
    isPlain: true,
    cell: ({ operator_since, listings, plan }) => (
      <>
        {operator_since !== null && <Badge tone="plain">{t('Operator')}</Badge>}
        {operator_since === null &&
          (listings > 0 ? t('publisher|Owner') : <span class="quiet-text">{t('Claimant')}</span>)}
        {(listings > 0 || plan !== PLANS[0]) && (
          <span class="sub">
            <bdi>
              <PlanName of={plan} />
            </bdi>
            {listings > 0 &&
              `, ${t('{count, plural, one {# listing} other {# listings}}', { count: listings })}`}
          </span>
        )}
      </>
    ),
  },
  {
    header: t('Last sign-in'),
    isNowrap: true,
    cell: ({ lastSignInAt }) =>
      lastSignInAt === null ? (
        <span class="quiet-text">{t('never')}</span>
      ) : (
        <Time at={lastSignInAt} precision="day" />
      ),
  },
  {
    header: t('Created'),
    isNowrap: true,
    cell: ({ created_at }) => <Time at={created_at} precision="day" />,
  },
];

const StateBadges = ({ account }: { account: Account }) => (
  <>
    {account.deleted_at !== null ? (
      <Badge tone="plain" hollow>
        {t('Deleted')}
      </Badge>
    ) : (
      account.suspended_at !== null && <Badge tone="bad">{t('Suspended')}</Badge>
    )}{' '}
    {plannedDeletion(account) !== null && <Badge tone="warn">{t('Will be deleted')}</Badge>}
  </>
);

export const AccountBadges = ({ account, isOwner }: { account: Account; isOwner?: boolean }) => (
  <span class="row">
    {account.deleted_at === null && account.suspended_at === null && <Badge tone="good">{t('Active')}</Badge>}
    <StateBadges account={account} />
    {account.operator_since !== null && <Badge tone="plain">{t('Operator')}</Badge>}
    {isOwner && <Badge tone="plain">{t('publisher|Owner')}</Badge>}
  </span>
);
