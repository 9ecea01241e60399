import { SWITCH_PATH, WORK_ACCOUNTS_PATH } from '../../base/paths.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import type { Viewer, WorkAccount } from './viewer.ts';

export function AccountSwitch({ viewer }: { viewer: Viewer }) {
  const { workAccounts, worksIn, personId, name } = viewer;
  if (workAccounts.length === 0) return null;
  const accounts = [{ accountId: personId, name, role: 'own' as const }, ...workAccounts];
  const present = worksIn?.accountId ?? personId;
  return (
    <details class="account-switch">
      <summary>
        <span class="visually-hidden">{t('Account:')} </span>
        {isolated(worksIn?.name ?? name)}
      </summary>
      <form method="post" action={SWITCH_PATH}>
        {accounts.map((account) => (
          <button
            type="submit"
            name="account"
            value={account.accountId}
            aria-current={account.accountId === present ? 'true' : undefined}
          >
            {isolated(account.name)}
            <span class="sub">{t(ROLES[account.role])}</span>
          </button>
        ))}
      </form>
      <a href={WORK_ACCOUNTS_PATH}>{t('All accounts')}</a>
    </details>
  );
}

const ROLES: Readonly<Record<'own' | WorkAccount['role'], Message>> = {
  own: message('Your own'),
  owner: message('Owner'),
  member: message('Member'),
};
