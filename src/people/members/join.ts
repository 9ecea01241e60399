import type { Context } from '../../base/context.ts';
import { appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { mailboxOf } from '../accounts/account.ts';
import { findRole, MAX_MEMBERSHIPS } from '../accounts/membership-queries.ts';
import { refuseTooMany } from './invite.ts';
import { type AccountInvitation, countMemberships, insertMembership } from './queries.ts';

/** Why a person with this address can't accept the invitation; `null`: the invitation is for them or for anyone. */
export const forAnotherAddress = (
  { email: invited }: { readonly email: string | null },
  email: string,
): Message | null =>
  invited === null || mailboxOf(invited) === mailboxOf(email)
    ? null
    : message(
        'This invitation is for {invited}, and you are signed in as {email}. Sign in with the other address, or ask for a link that anyone can use.',
        { invited, email },
      );

/** The caller must hold the locks of the account and of the person, and have deleted the invitation. */
export async function joinAccount(
  context: Context,
  tx: Transaction,
  { account_id: accountId, role, invited_by_id }: AccountInvitation,
  personId: string,
): Promise<void> {
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
  await insertMembership(tx, {
    account_id: accountId,
    member_id: personId,
    role,
    created_at: at,
    invited_by_id,
  });
  const event = { accountId, type: 'member.joined', actor: `account:${personId}` } as const;
  await appendEvent(tx, { ...event, at, subjectId: personId, data: { role } });
}
