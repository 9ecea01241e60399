import { appendEvent } from '../../../base/events/queries.ts';
import type { Transaction } from '../../../platform/store/database.ts';
import { type Account, findAccount, lockAccount, setSince } from '../../accounts/queries.ts';
import { endOperatorRole, signOutEverywhere } from '../access.ts';
import type { SignInServices } from '../services.ts';
import type { Claims } from './claims.ts';
import { IdentityRefusal } from './provider.ts';
import { listOperatorIdentities, setIdentityOperator } from './queries.ts';

/**
 * Makes the person an operator if the provider says so, and ends that once it no longer does. An operator who became one
 * in another way stays one. The role ends even if nobody else has it: whoever has the claim becomes an operator at the
 * next sign-in, and the command line can make operators.
 */
export async function applyOperatorClaim(
  { context, operatorIssuers }: SignInServices,
  tx: Transaction,
  { id, operator_since }: Account,
  { issuer, subject, isOperator }: Claims,
): Promise<Account> {
  if (operator_since !== null || isOperator === true) await lockAccount(tx, context.db.engine, id);
  const account = await findAccount(tx, id);
  const at = context.at();
  const about = { accountId: id, subjectId: id, at, actor: 'service' } as const;
  if (account.operator_since === null) {
    // The person must first undo the deletion of the account, which an operator couldn't have asked for.
    if (isOperator !== true || account.delete_reason === 'asked') return account;
    await setSince(tx, id, 'operator_since', at);
    await setSince(tx, id, 'email_verified_at', at);
    await setIdentityOperator(tx, { issuer, subject }, at);
    // An operator's session has a shorter lifetime.
    await signOutEverywhere(tx, id);
    await appendEvent(tx, { ...about, type: 'account.operator_made', data: { issuer } });
    return findAccount(tx, id);
  }
  const identities = (await listOperatorIdentities(tx, id)).filter((one) =>
    operatorIssuers.includes(one.issuer),
  );
  const isOwn = identities.some((one) => one.issuer === issuer && one.subject === subject);
  // Another provider doesn't know whether the person is still an operator.
  if (identities.length > 0 && !isOwn) throw new IdentityRefusal('operator_elsewhere');
  if (!isOwn || isOperator !== false) return account;
  await setSince(tx, id, 'operator_since', null);
  const ended = await endOperatorRole(context, tx, id, { at, actor: 'service' });
  await appendEvent(tx, { ...about, type: 'account.operator_removed', data: { issuer, ...ended } });
  return findAccount(tx, id);
}
