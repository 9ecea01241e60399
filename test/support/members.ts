/** Adds members to accounts by invitation. */
import type { Context } from '../../src/base/context.ts';
import type { Role } from '../../src/people/accounts/membership-queries.ts';
import { acceptInvitation } from '../../src/people/invitations/accept.ts';
import { inviteMember } from '../../src/people/members/invite.ts';
import { noMailer, type SignedIn } from './person.ts';

interface NewInvitation {
  readonly accountId: string;
  readonly role?: Role;
  readonly email?: string | null;
  /** Account ID of the inviting person; default: `accountId`. */
  readonly by?: string;
}

/** Creates an invitation and returns the code from its link. */
export async function invite(
  context: Context,
  { accountId, role = 'member', email = null, by = accountId }: NewInvitation,
): Promise<string> {
  const services = { context, mailer: noMailer, baseUrl: '' };
  const actor = `account:${by}` as const;
  const { link } = await inviteMember(services, { accountId, actor, role, email, address: null });
  return link!.split('#')[1]!;
}

export const accept = (
  context: Context,
  code: string,
  { accountId: personId, sessionId }: Pick<SignedIn, 'accountId' | 'sessionId'>,
) => acceptInvitation({ context }, { code, session: { personId, sessionId } });

/** Adds a person to an account and switches the person's session to that account. */
export async function addMember(
  context: Context,
  person: Pick<SignedIn, 'accountId' | 'sessionId'>,
  to: NewInvitation,
): Promise<void> {
  await accept(context, await invite(context, to), person);
}
