/** Creates accounts and returns each as a signed-in viewer. */
import type { Context } from '../../src/base/context.ts';
import type { Viewer } from '../../src/pages/ui/viewer.ts';
import type { Plan } from '../../src/people/accounts/account.ts';
import { createAccount } from '../../src/people/accounts/create.ts';

let made = 0;

export async function newViewer(
  context: Context,
  {
    email,
    name = 'Ada Acme',
    plan = 'studio',
    operator = false,
  }: { email?: string; name?: string; plan?: Plan; operator?: boolean } = {},
): Promise<Viewer> {
  made += 1;
  const account = await createAccount(context, {
    email: email ?? `person-${made}@example.com`,
    name,
    plan,
    operator,
    actor: 'operator',
  });
  return {
    accountId: account.id,
    personId: account.id,
    role: 'owner',
    worksIn: null,
    workAccounts: [],
    name: account.name,
    email: account.email,
    plan,
    isOperator: operator,
    mode: 'live',
    sessionId: account.id,
    isRecentlyProven: true,
    isFreshlyProven: true,
    deskLock: null,
    menu: null,
  };
}

export const newClaimant = (context: Context): Promise<Viewer> =>
  newViewer(context, { name: 'Bo Claimant', plan: 'starter' });
