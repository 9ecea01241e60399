/** When a member leaves or is removed, the API keys that they created are revoked or expire within a week. */

import { findRole, findWorkPlace, type Role, requireOwner } from '../accounts/membership-queries.ts';
import { lockAccount } from '../accounts/queries.ts';
import { endWorkIn, updateSession } from '../accounts/session-queries.ts';
import type { Context } from '../context.ts';
import { invalid, nothingThere } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { appendKeyEvent } from '../keys/create.ts';
import { API_KEYS } from '../keys/kinds.ts';
import { endKey } from '../keys/queries.ts';
import { message } from '../languages/translate.ts';
import type { Transaction } from '../store/database.ts';
import { toIso } from '../text/time-text.ts';
import { endInvitations } from './invite.ts';
import { KEY_END_MS, type KeyEndTime } from './member.ts';
import { deleteMembership, listKeysCreatedBy, listWorkAccounts, updateRole } from './queries.ts';

interface OfMember {
  readonly accountId: string;
  readonly memberId: string;
  readonly actor: Actor;
}

const OWN_PERSON = message(
  'This is the account’s own login, which always stays an owner. To hand the account over, change its email address.',
);

/** The person with the same id as the account stays an owner, because every account must have an owner. */
function refuseOwnPerson({ accountId, memberId }: Omit<OfMember, 'actor'>): void {
  if (accountId === memberId) throw invalid(OWN_PERSON);
}

/** Does nothing if the member already has this role. */
export async function setRole(context: Context, input: OfMember & { readonly role: Role }): Promise<void> {
  const { db } = context;
  const { accountId, memberId, actor, role } = input;
  await db.transaction(async (tx) => {
    await lockAccount(tx, db.engine, accountId);
    await requireOwner(tx, accountId, actor);
    refuseOwnPerson(input);
    const former = await findRole(tx, accountId, memberId);
    if (former === null) throw nothingThere();
    if (!(await updateRole(tx, input))) return;
    const event = { accountId, type: 'member.role_changed', actor, subjectId: memberId } as const;
    await appendEvent(tx, { ...event, at: context.at(), data: { from: former, to: role } });
  });
}

/** The member loses access immediately. `keysEnd`: when the API keys that they created stop working. */
export async function removeMember(
  context: Context,
  input: OfMember & { readonly keysEnd: KeyEndTime },
): Promise<void> {
  const { db } = context;
  await db.transaction(async (tx) => {
    await lockAccount(tx, db.engine, input.accountId);
    // If two owners remove each other concurrently, the second transaction waits for the lock and then fails here.
    await requireOwner(tx, input.accountId, input.actor);
    refuseOwnPerson(input);
    if (!(await endMembership(context, tx, 'member.removed', input))) throw nothingThere();
  });
}

type LeaveContext = Pick<Context, 'db' | 'now' | 'at'>;

interface Leaving {
  readonly accountId: string;
  readonly personId: string;
  readonly keysEnd: KeyEndTime;
}

export async function leaveAccount(context: Context, input: Leaving): Promise<void> {
  refuseOwnPerson({ accountId: input.accountId, memberId: input.personId });
  if (!(await leave(context, input))) throw nothingThere();
}

/** Ends all memberships of a person, one transaction each. API keys that the person created expire within a week. */
export async function leaveEveryAccount(context: LeaveContext, personId: string): Promise<void> {
  for (const { id: accountId } of await listWorkAccounts(context.db.read, personId)) {
    await leave(context, { accountId, personId, keysEnd: '7d' });
  }
}

/** Returns false if the person is not a member. */
const leave = (context: LeaveContext, { accountId, personId, keysEnd }: Leaving): Promise<boolean> =>
  context.db.transaction(async (tx) => {
    await lockAccount(tx, context.db.engine, accountId);
    const leaving = { accountId, memberId: personId, actor: `account:${personId}`, keysEnd } as const;
    return await endMembership(context, tx, 'member.left', leaving);
  });

/** Returns false if the person is not a member. The caller must hold the lock of the account. */
async function endMembership(
  context: Pick<Context, 'now' | 'at'>,
  tx: Transaction,
  type: 'member.left' | 'member.removed',
  { accountId, memberId, actor, keysEnd }: OfMember & { readonly keysEnd: KeyEndTime },
): Promise<boolean> {
  if (!(await deleteMembership(tx, accountId, memberId))) return false;
  await endWorkIn(tx, accountId, memberId);
  await endInvitations(tx, accountId, { invitedById: memberId });
  const at = context.at();
  const until = toIso(context.now() + KEY_END_MS[keysEnd]);
  const keys = await listKeysCreatedBy(tx, accountId, memberId, at);
  for (const key of keys) {
    if (keysEnd === 'now') {
      await endKey(tx, 'api_keys', key, { revoked_at: at });
      await appendKeyEvent(tx, API_KEYS, 'revoked', key, { at, actor });
    } else if (key.expires_at === null || key.expires_at > until) {
      await endKey(tx, 'api_keys', key, { expires_at: until });
    }
  }
  const data = keys.length === 0 ? {} : { keys: keys.length, keys_end_at: keysEnd === 'now' ? at : until };
  await appendEvent(tx, { accountId, type, at, actor, subjectId: memberId, data });
  return true;
}

/** Switches the session to the dashboard of an account: the person's own, or one where they are a member. */
export async function workIn(
  context: Context,
  { sessionId, personId, accountId }: Readonly<Record<'sessionId' | 'personId' | 'accountId', string>>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const isOwn = accountId === personId;
    if (!isOwn && (await findWorkPlace(tx, personId, accountId)) === undefined) throw nothingThere();
    await updateSession(tx, sessionId, { works_in_id: isOwn ? null : accountId });
  });
}
