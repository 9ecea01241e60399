import { appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { mailboxOf } from '../accounts/account.ts';
import { findActiveRole, findRole, MAX_MEMBERSHIPS } from '../accounts/membership-queries.ts';
import { findAccount } from '../accounts/queries.ts';
import { CODE_IS_SPENT } from '../sign-in/codes/one-time-code.ts';
import { consumeCode } from '../sign-in/codes/queries.ts';
import { lookUpCode } from '../sign-in/limits/throttle.ts';
import type { Sent, SignInServices } from '../sign-in/services.ts';
import { updateSession } from '../sign-in/sessions/queries.ts';
import { refuseTooMany } from './invite.ts';
import {
  countMemberships,
  deleteInvitations,
  type FoundInvitation,
  findInvitation,
  insertMembership,
} from './queries.ts';

type Services = Pick<SignInServices, 'context'>;

/** Finds an invitation without consuming its code. Rate limited by network. */
export const readInvitation = (
  services: SignInServices,
  { code, caller }: Sent<'code'>,
): Promise<FoundInvitation> => {
  const { context } = services;
  const hashes = context.secretBox.hashesOfCode(code);
  return lookUpCode(services, caller, (tx) => findInvitation(tx, hashes, context.at()));
};

/** Not rate limited. For a code that a person typed, call `readInvitation` instead. */
export async function findByCode({ context }: Services, code: string): Promise<FoundInvitation> {
  const hashes = context.secretBox.hashesOfCode(code);
  const invitation = await findInvitation(context.db.read, hashes, context.at());
  if (invitation === undefined) throw invalid(CODE_IS_SPENT);
  return invitation;
}

/** Why a person with this address can't accept the invitation; `null`: the invitation is for them or for anyone. */
export const forAnotherAddress = ({ email: invited }: FoundInvitation, email: string): Message | null =>
  invited === null || mailboxOf(invited) === mailboxOf(email)
    ? null
    : message(
        'This invitation is for {invited}, and you are signed in as {email}. Sign in with the other address, or ask for a link that anyone can use.',
        { invited, email },
      );

/** Makes the person a member and switches the session to the account. Refuses invitations for another email address. */
export async function acceptInvitation(
  services: Services,
  {
    code,
    session,
  }: { readonly code: string; readonly session: Readonly<Record<'sessionId' | 'personId', string>> },
): Promise<FoundInvitation> {
  const { context } = services;
  const { db } = context;
  const { personId } = session;
  const invitation = await findByCode(services, code);
  const accountId = invitation.account_id;
  await db.transaction(async (tx) => {
    // The author's lock too: their suspension takes it, while changes of their role take the lock of the account.
    await DIALECTS[db.engine].takeLocks(tx, [accountId, personId, invitation.invited_by_id]);
    // The invitation may have been used or withdrawn, or its author's role may have ended, before this transaction got
    // the locks.
    const [hash] = await deleteInvitations(tx, accountId, { id: invitation.id });
    const authorRole = await findActiveRole(tx, accountId, invitation.invited_by_id);
    if (hash === undefined || authorRole !== 'owner') throw invalid(CODE_IS_SPENT);
    await consumeCode(tx, context, 'invitation', code);
    const person = await findAccount(tx, personId);
    const refusal = forAnotherAddress(invitation, person.email);
    if (refusal !== null) throw invalid(refusal);
    if ((await findRole(tx, accountId, personId)) !== null)
      throw invalid(message('You already work in this account.'));
    await refuseTooMany(context, tx, accountId);
    if ((await countMemberships(tx, personId)) >= MAX_MEMBERSHIPS) {
      throw invalid(
        message('You are a member of {max} accounts, which is the limit. Leave one first.', {
          max: MAX_MEMBERSHIPS,
        }),
      );
    }
    const at = context.at();
    const { role } = invitation;
    await insertMembership(tx, {
      account_id: accountId,
      member_id: personId,
      role,
      created_at: at,
      invited_by_id: invitation.invited_by_id,
    });
    await updateSession(tx, session.sessionId, { works_in_id: accountId });
    const event = { accountId, type: 'member.joined', actor: `account:${personId}` } as const;
    await appendEvent(tx, { ...event, at, subjectId: personId, data: { role } });
  });
  return invitation;
}
