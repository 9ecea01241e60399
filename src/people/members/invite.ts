import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { idOfNew } from '../../platform/store/form-id.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { mailboxOf } from '../accounts/account.ts';
import { type Role, requireOwner } from '../accounts/membership-queries.ts';
import { findAccount, lockAccount } from '../accounts/queries.ts';
import { readGrowingAccount } from '../growth/queries.ts';
import type { Mailer } from '../mail/mail.ts';
import { endInvitations } from '../sign-in/access-queries.ts';
import { CODE_LIFETIME_MS, newCode } from '../sign-in/codes/one-time-code.ts';
import { keepCode } from '../sign-in/codes/queries.ts';
import { byNetwork, INVITATION_BY_NETWORK, invitationLimits, type Limit } from '../sign-in/limits/limits.ts';
import { countAttempt, countIn, isReached, waitOf } from '../sign-in/limits/throttle.ts';
import { invitation, invitationLink } from './letters.ts';
import { findTooManyMembers, isJustMailed, MAX_INVITATIONS, MAX_INVITATIONS_A_DAY } from './member.ts';
import {
  countMembers,
  countOpenInvitations,
  findInvitationById,
  hasRefused,
  insertInvitation,
  setInvitationMailed,
} from './queries.ts';
import { hashOfInvited, stopInvitationsUrl } from './refusals.ts';

const INVITATIONS: Limit = {
  name: 'invitations',
  attempts: MAX_INVITATIONS_A_DAY,
  windowMs: DAY_MS,
  refusal: (wait) =>
    message(
      'This account has created {count} invitations within a day, which is the limit. Try again in {wait}.',
      { count: MAX_INVITATIONS_A_DAY, wait },
    ),
};

interface Invite {
  readonly accountId: string;
  readonly actor: Actor & `account:${string}`;
  readonly role: Role;
  /** Only the person with this email address can accept; `null`: anyone with the link. */
  readonly email: string | null;
  /** The client's IP address; `null`: unknown. */
  readonly address: string | null;
  /** The form's UUIDv7: a form that is sent again creates no second invitation. Ignored if it is not a UUID. */
  readonly formId?: string | undefined;
}

export interface Invited {
  /** `null`: the invitation was mailed. */
  readonly link: string | null;
  /** How long until an invitation can be mailed to this mailbox; `null`: no limit kept it from being mailed. */
  readonly wait: Message | null;
}

export interface InviteServices {
  readonly context: Context;
  readonly mailer: Pick<Mailer, 'isReal' | 'keep' | 'start'>;
  readonly baseUrl: string;
}

const MAILED: Invited = { link: null, wait: null };

const UNMAILED = { mailed_at: null, name: null, plan: null, note: null, language: null };

const MADE_BEFORE = message(
  'This form was already submitted, and the invitation was created. If you didn’t save its link, choose “New link” next to the invitation.',
);

/**
 * Returns a link that cannot be retrieved later if there is no address or mail server, too much mail, or if the person
 * opted out. If the form was already sent, returns the same, or throws a refusal if its link was shown.
 */
export async function inviteMember(
  services: InviteServices,
  { accountId, actor, role, email, address, formId }: Invite,
): Promise<Invited> {
  const { context, mailer } = services;
  const { db } = context;
  // Includes the person and the role, so that a form that was changed before it is sent again creates an invitation.
  const id = idOfNew(context, `${accountId} ${role} ${email}`, formId);
  if (await isInvitedBefore(db.read, accountId, id)) return MAILED;
  await countInvitation(context, { accountId, email, address });
  const outcome = await db.transaction(async (tx): Promise<Invited> => {
    await lockAccount(tx, db.engine, accountId);
    await requireOwner(tx, accountId, actor);
    if (await isInvitedBefore(tx, accountId, id)) return MAILED;
    return issue(services, tx, { id, accountId, actor, role, email });
  });
  if (outcome.link === null) mailer.start();
  return outcome;
}

/**
 * Replaces the code of an open or expired invitation, so that only the newest mail or link works. Does nothing if the last
 * mail was just sent. Has the limits of a new invitation. `null`: the invitation was accepted, withdrawn or deleted.
 */
export async function inviteMemberAgain(
  services: InviteServices,
  {
    accountId,
    actor,
    id,
    address,
  }: Pick<Invite, 'accountId' | 'actor' | 'address'> & { readonly id: string },
): Promise<Invited | null> {
  const { context, mailer } = services;
  const { db } = context;
  const stored = await findInvitationById(db.read, accountId, id);
  if (stored === undefined) return null;
  await countInvitation(context, { accountId, email: stored.email, address });
  const outcome = await db.transaction(async (tx): Promise<Invited | null> => {
    await lockAccount(tx, db.engine, accountId);
    await requireOwner(tx, accountId, actor);
    // The invitation may have been accepted or resent since.
    const sent = await findInvitationById(tx, accountId, id);
    if (sent === undefined) return null;
    if (isJustMailed(sent.mailed_at, context.now())) return MAILED;
    await endInvitations(tx, accountId, { id });
    return issue(services, tx, {
      id,
      accountId,
      actor,
      role: sent.role,
      email: sent.email,
      isRepeated: true,
    });
  });
  if (outcome?.link === null) mailer.start();
  return outcome;
}

const countInvitation = (
  context: Context,
  { accountId, email, address }: Pick<Invite, 'accountId' | 'email' | 'address'>,
): Promise<unknown> =>
  countAttempt(context, [
    [INVITATIONS, accountId],
    ...(email === null ? [] : byNetwork(INVITATION_BY_NETWORK, address)),
  ]);

/** Stores an invitation with a new code and mails it. The caller must hold the lock of the account. */
async function issue(
  { context, mailer, baseUrl }: InviteServices,
  tx: Transaction,
  {
    id,
    accountId,
    actor,
    role,
    email,
    isRepeated,
  }: Pick<Invite, 'accountId' | 'actor' | 'role' | 'email'> & {
    readonly id: string;
    readonly isRepeated?: true;
  },
): Promise<Invited> {
  const now = context.now();
  const at = toIso(now);
  if ((await countOpenInvitations(tx, accountId, at)) >= MAX_INVITATIONS) {
    throw invalid(
      message('An account can have at most {maxInvitations} open invitations. Withdraw one first.', {
        maxInvitations: MAX_INVITATIONS,
      }),
    );
  }
  await refuseTooMany(context, tx, accountId);
  const invitedById = actor.slice('account:'.length);
  const to = { id, account_id: accountId, role, email, invited_by_id: invitedById };
  const code = await storeInvitation(tx, context, { ...to, ...UNMAILED });
  const data = { role, ...(isRepeated && { again: isRepeated }) };
  await appendEvent(tx, { accountId, type: 'member.invited', at, actor, subjectId: id, data });
  const unmailed = { link: invitationLink(baseUrl, code), wait: null };
  if (email === null || !mailer.isReal) return unmailed;
  const mailbox = mailboxOf(email);
  const mailboxHash = await hashOfInvited(context, tx, mailbox);
  if (await hasRefused(tx, mailboxHash)) return unmailed;
  const { isApproved } = await readGrowingAccount(tx, accountId);
  const counted = await countIn(context, tx, invitationLimits(accountId, mailbox, isApproved));
  if (isReached(counted)) return { ...unmailed, wait: waitOf(counted, now) };
  const account = await findAccount(tx, accountId);
  const inviter = await findAccount(tx, invitedById);
  const names = { account: account.name, by: inviter.name, address: inviter.email };
  const stopUrl = stopInvitationsUrl(context.secretBox, baseUrl, mailboxHash);
  await mailer.keep(tx, { to: email, code, ...invitation(baseUrl, { code, role, stopUrl, ...names }) });
  await setInvitationMailed(tx, id, at);
  return MAILED;
}

/** Returns the invitation's new code. Replaces expired invitations to the same address. */
export async function storeInvitation(
  tx: Transaction,
  context: Context,
  invitation: Omit<Parameters<typeof insertInvitation>[1], 'code_hash' | 'created_at' | 'expires_at'>,
): Promise<string> {
  const now = context.now();
  const code = newCode(context.random);
  const { account_id, email } = invitation;
  if (email !== null) await endInvitations(tx, account_id, { email, expiredAt: toIso(now) });
  await insertInvitation(tx, {
    ...invitation,
    code_hash: context.secretBox.hashesOfCode(code)[0]!,
    created_at: toIso(now),
    expires_at: toIso(now + CODE_LIFETIME_MS.invitation),
  });
  // Stored without an account, because setting a password deletes the codes of the account.
  await keepCode(tx, context, code, { purpose: 'invitation', accountId: null });
  return code;
}

/** Throws a refusal if the invitation exists and its link was shown, because the link can't be shown again. */
async function isInvitedBefore(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const invitation = await findInvitationById(db, accountId, id);
  if (invitation === undefined) return false;
  if (invitation.mailed_at === null) throw invalid(MADE_BEFORE);
  return true;
}

/** Throws if the account has reached its member limit. The caller must hold the lock of the account. */
export async function refuseTooMany(
  { marketplace }: Pick<Context, 'marketplace'>,
  tx: Transaction,
  accountId: string,
): Promise<void> {
  const { plan } = await findAccount(tx, accountId);
  const tooMany = findTooManyMembers(await countMembers(tx, accountId), marketplace.plans[plan].members);
  if (tooMany !== null) throw tooMany;
}

/** Does nothing if the invitation was already accepted or withdrawn. */
export const withdrawInvitation = (
  context: Context,
  input: { readonly accountId: string; readonly actor: Actor; readonly id: string },
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const { accountId, actor, id } = input;
    await lockAccount(tx, context.db.engine, accountId);
    await requireOwner(tx, accountId, actor);
    if ((await endInvitations(tx, accountId, { id })) === 0) return;
    const event = { accountId, type: 'member.invitation_withdrawn', actor, subjectId: id } as const;
    await appendEvent(tx, { ...event, at: context.at(), data: {} });
  });
