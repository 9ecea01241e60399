/** How a membership changes and ends. `endRole` ends what the person could still do. */

import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid, nothingThere } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import {
  findRole,
  findWorkAccount,
  personOf,
  type Role,
  requireOwner,
} from '../accounts/membership-queries.ts';
import { lockAccount } from '../accounts/queries.ts';
import { updateSession } from '../sign-in/sessions/queries.ts';
import { type EndedRole, endRole } from './end-role.ts';
import { deleteMembership, listMemberships, updateRole } from './queries.ts';
import type { KeyEndTime } from './role-end.ts';

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

/** Does nothing if the member already has this role. `keysEnd`: when an owner becomes a member; `now` by default. */
export async function setRole(
  context: Context,
  input: OfMember & { readonly role: Role; readonly keysEnd?: KeyEndTime },
): Promise<void> {
  const { db } = context;
  const { accountId, memberId, actor, role, keysEnd = 'now' } = input;
  await db.transaction(async (tx) => {
    await lockAccount(tx, db.engine, accountId);
    await requireOwner(tx, accountId, actor);
    refuseOwnPerson(input);
    const former = await findRole(tx, accountId, memberId);
    if (former === null) throw nothingThere();
    if (!(await updateRole(tx, input))) return;
    const ended =
      role === 'owner'
        ? {}
        : await endRole(context, tx, {
            accountId,
            memberId,
            actor,
            end: 'demoted',
            keysEnd,
            endpointsTo: null,
          });
    const event = { accountId, type: 'member.role_changed', actor, subjectId: memberId } as const;
    await appendEvent(tx, { ...event, at: context.at(), data: { from: former, to: role, ...ended } });
  });
}

/**
 * The member loses access immediately. `keysEnd`: when the API keys that they created stop working. `keepsEndpoints`:
 * hands the endpoints whose URL or secret they set over to the person who removes them, instead of pausing them.
 */
export async function removeMember(
  context: Context,
  input: OfMember & { readonly keysEnd: KeyEndTime; readonly keepsEndpoints?: boolean },
): Promise<void> {
  const { db } = context;
  await db.transaction(async (tx) => {
    await lockAccount(tx, db.engine, input.accountId);
    // If two owners remove each other concurrently, the second transaction waits for the lock and then fails here.
    await requireOwner(tx, input.accountId, input.actor);
    refuseOwnPerson(input);
    const endpointsTo = input.keepsEndpoints === true ? (personOf(input.actor) ?? input.accountId) : null;
    const ended = { ...input, end: 'removed', endpointsTo } as const;
    if (!(await endMembership(context, tx, 'member.removed', ended))) throw nothingThere();
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
  if (!(await leave(context, { ...input, end: 'left' }))) throw nothingThere();
}

/** Ends all memberships of a person, one transaction each. API keys that the person created expire within a week. */
export async function leaveEveryAccount(context: LeaveContext, personId: string): Promise<void> {
  for (const { id: accountId } of await listMemberships(context.db.read, personId)) {
    await leave(context, { accountId, personId, keysEnd: '7d', end: 'deleted' });
  }
}

/** Returns false if the person is not a member. */
const leave = (
  context: LeaveContext,
  { accountId, personId, keysEnd, end }: Leaving & { readonly end: 'left' | 'deleted' },
): Promise<boolean> =>
  context.db.transaction(async (tx) => {
    await lockAccount(tx, context.db.engine, accountId);
    const actor = `account:${personId}` as const;
    const ended = { accountId, memberId: personId, actor, end, keysEnd, endpointsTo: null };
    return await endMembership(context, tx, 'member.left', ended);
  });

/** Returns false if the person is not a member. The caller must hold the lock of the account. */
async function endMembership(
  context: Pick<Context, 'now' | 'at'>,
  tx: Transaction,
  type: 'member.left' | 'member.removed',
  ended: EndedRole,
): Promise<boolean> {
  const { accountId, memberId, actor } = ended;
  if (!(await deleteMembership(tx, accountId, memberId))) return false;
  const data = await endRole(context, tx, ended);
  await appendEvent(tx, { accountId, type, at: context.at(), actor, subjectId: memberId, data });
  return true;
}

/** Switches the session to the dashboard of an account: the person's own, or one where they are a member. */
export async function workIn(
  context: Context,
  { sessionId, personId, accountId }: Readonly<Record<'sessionId' | 'personId' | 'accountId', string>>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const isOwn = accountId === personId;
    if (!isOwn && (await findWorkAccount(tx, personId, accountId)) === undefined) throw nothingThere();
    await updateSession(tx, sessionId, { works_in_id: isOwn ? null : accountId });
  });
}
