import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { DEFAULT_PLAN, mailboxOf, type Plan } from '../accounts/account.ts';
import { type Account, findByEmail, readAccountNames } from '../accounts/queries.ts';
import { type InviteServices, storeInvitation } from '../members/invite.ts';
import { invitationLink } from '../members/letters.ts';
import { isJustMailed } from '../members/member.ts';
import { hasRefused } from '../members/queries.ts';
import { hashOfInvited, stopInvitationsUrl } from '../members/refusals.ts';
import { endInvitations } from '../sign-in/access-queries.ts';
import { type Limit, operatorInvitationLimits } from '../sign-in/limits/limits.ts';
import { countAttempt, countIfWithin, countIn, isReached, waitOf } from '../sign-in/limits/throttle.ts';
import { type InvitedPerson, type InvitedRole, MAX_INVITED_A_DAY, MAX_OPEN } from './invitation.ts';
import { marketInvitation } from './letters.ts';
import {
  countOpenMarketInvitations,
  findMarketInvitationById,
  findOpenMarketInvitationTo,
  isAccountInUse,
  listPreparedListings,
} from './queries.ts';

/** Lock id for invitations to the marketplace, so that one form that is sent twice invites each person once. */
const INVITATIONS_LOCK = '00000000-0000-4000-8000-000000000003';

const peopleADay = (people: number): Limit => ({
  name: 'operator-invitations',
  attempts: MAX_INVITED_A_DAY,
  windowMs: DAY_MS,
  amount: people,
  refusal: (wait) =>
    message(
      'Nobody was invited: operators can send {max} invitations within a day, and this would exceed the limit. Try again in {wait}, or with fewer addresses.',
      { max: MAX_INVITED_A_DAY, wait },
    ),
});

/** `unmailed`: pass the link on. It can't be retrieved later. */
export type InvitationOutcome =
  | { readonly is: 'mailed' }
  | { readonly is: 'unmailed'; readonly link: string; readonly cause: UnmailedCause }
  /** An invitation to this address was open already, and nothing has changed. */
  | { readonly is: 'open' }
  /** Somebody uses an account with this address already, so nobody was invited. */
  | { readonly is: 'account'; readonly accountId: string };

/** `wait`: how long until an invitation can be mailed to this mailbox. */
export type UnmailedCause = 'no-server' | 'refused' | { readonly wait: Message };

interface ByOperator {
  readonly actor: Actor & `account:${string}`;
  readonly operatorId: string;
}

export interface Invitees extends ByOperator {
  readonly people: readonly InvitedPerson[];
  readonly role: InvitedRole;
  /** `null`: new accounts get the default plan, and the plan of an existing account stays. */
  readonly plan: Plan | null;
  readonly note: string | null;
  readonly language: string;
}

export type InvitedPeople = readonly (InvitedPerson & { readonly outcome: InvitationOutcome })[];

/** Invites people to the marketplace, one transaction each, so that a failure doesn't undo what was already mailed. */
export async function invitePeople(services: InviteServices, invitees: Invitees): Promise<InvitedPeople> {
  const { context, mailer } = services;
  const { db } = context;
  const { people, actor, operatorId, ...common } = invitees;
  await requireOpenSlots(context, db.read, people.length);
  await countAttempt(context, [[peopleADay(people.length), '']]);
  const invited: (InvitedPerson & { readonly outcome: InvitationOutcome })[] = [];
  for (const person of people) {
    const outcome = await withInvitationsLocked(context, async (tx): Promise<InvitationOutcome> => {
      const account = await findByEmail(tx, person.email);
      if (account !== undefined && (await isInUse(tx, account))) {
        return { is: 'account', accountId: account.id };
      }
      if ((await findOpenMarketInvitationTo(tx, person.email, context.at())) !== undefined)
        return { is: 'open' };
      const about = { accountId: operatorId, actor, invitedById: operatorId };
      return issue(services, tx, { ...person, ...common, ...about, id: uuidv7(context) });
    });
    invited.push({ ...person, outcome });
  }
  mailer.start();
  return invited;
}

async function requireOpenSlots(context: Context, db: Queryable, people: number): Promise<void> {
  if ((await countOpenMarketInvitations(db, context.at())) + people > MAX_OPEN) {
    throw invalid(
      `Nobody was invited: at most ${MAX_OPEN} invitations can be open at the same time. Withdraw some first.`,
    );
  }
}

const withInvitationsLocked = <T>(context: Context, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  context.db.transaction(async (tx) => {
    await DIALECTS[context.db.engine].takeLock(tx, INVITATIONS_LOCK);
    return work(tx);
  });

const isInUse = async (tx: Transaction, account: Account): Promise<boolean> =>
  account.suspended_at !== null || account.deleted_at !== null || (await isAccountInUse(tx, account.id));

interface NewInvitation extends Omit<Invitees, 'people' | 'actor' | 'operatorId' | 'language'> {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly language: string | null;
  /** The account to whose log the event is written. */
  readonly accountId: string;
  readonly actor: Actor;
  readonly invitedById: string | null;
  readonly isRepeated?: boolean;
}

/** Stores an invitation with a new code, and mails the code unless the mailbox accepts no more invitations. */
async function issue(
  { context, mailer, baseUrl }: InviteServices,
  tx: Transaction,
  invitation: NewInvitation,
): Promise<InvitationOutcome> {
  const { id, email, role, plan, name, note, language, invitedById } = invitation;
  const now = context.now();
  const at = toIso(now);
  const mailbox = mailboxOf(email);
  const mailboxHash = await hashOfInvited(context, tx, mailbox);
  const cause = await causeNotToMail();
  const to = { id, account_id: null, role, email, invited_by_id: invitedById };
  const mailed_at = cause === null ? at : null;
  const code = await storeInvitation(tx, context, { ...to, mailed_at, name, plan, note, language });
  await appendEvent(tx, {
    accountId: invitation.accountId,
    type: 'account.invited',
    at,
    actor: invitation.actor,
    subjectId: id,
    data: { role, ...(plan !== null && { plan }), ...(invitation.isRepeated === true && { again: true }) },
  });
  if (cause !== null) return { is: 'unmailed', link: invitationLink(baseUrl, code), cause };
  const { brand, plans } = context.marketplace;
  const [inviter] = await readAccountNames(tx, invitedById === null ? [] : [invitedById]);
  await mailer.keep(tx, {
    to: email,
    code,
    ...(language !== null && { language }),
    ...marketInvitation(baseUrl, {
      code,
      marketplace: brand.name,
      role,
      plan: plan === null || plan === DEFAULT_PLAN ? null : plans[plan].name,
      by: inviter?.name ?? null,
      note,
      prepared: await listPreparedListings(tx, email),
      stopUrl: stopInvitationsUrl(context.secretBox, baseUrl, mailboxHash),
    }),
  });
  return { is: 'mailed' };

  async function causeNotToMail(): Promise<UnmailedCause | null> {
    if (!mailer.isReal) return 'no-server';
    if (await hasRefused(tx, mailboxHash)) return 'refused';
    const counted = await countIn(context, tx, operatorInvitationLimits(mailbox));
    return isReached(counted) ? { wait: waitOf(counted, now) } : null;
  }
}

interface OneInvitation extends ByOperator {
  readonly id: string;
}

/** The person of an account that an operator has created; sends an open invitation again, as `inviteAgain` does. */
export async function inviteOwner(
  services: InviteServices,
  account: Account,
  by: ByOperator,
): Promise<InvitationOutcome> {
  const { context, mailer } = services;
  await countAttempt(context, [[peopleADay(1), '']]);
  const outcome = await withInvitationsLocked(context, async (tx): Promise<InvitationOutcome> => {
    if (await isInUse(tx, account)) return { is: 'account', accountId: account.id };
    const open = await findOpenMarketInvitationTo(tx, account.email, context.at());
    if (open !== undefined) {
      if (isJustMailed(open.mailed_at, context.now())) return { is: 'mailed' };
      await endInvitations(tx, null, { id: open.id });
    }
    const { operatorId: invitedById, actor } = by;
    const isRepeated = open !== undefined;
    const invitation = { ...ofAccount(account), id: open?.id ?? uuidv7(context), invitedById, actor };
    return issue(services, tx, { ...invitation, isRepeated });
  });
  mailer.start();
  return outcome;
}

/**
 * Replaces the code of an open or expired invitation, so that only the newest mail or link works. Does nothing if the last
 * mail was just sent. `null`: the invitation was accepted, withdrawn or deleted.
 */
export async function inviteAgain(
  services: InviteServices,
  { id, actor, operatorId }: OneInvitation,
): Promise<InvitationOutcome | null> {
  const { context, mailer } = services;
  await countAttempt(context, [[peopleADay(1), '']]);
  const outcome = await withInvitationsLocked(context, async (tx): Promise<InvitationOutcome | null> => {
    const sent = await findMarketInvitationById(tx, id);
    if (sent !== undefined && isJustMailed(sent.mailed_at, context.now())) return { is: 'mailed' };
    // The invitation may have been accepted since.
    if (sent === undefined || (await endInvitations(tx, null, { id })) === 0) return null;
    await requireOpenSlots(context, tx, 1);
    const about = { accountId: operatorId, actor, invitedById: operatorId, isRepeated: true };
    return issue(services, tx, { ...sent, ...about });
  });
  mailer.start();
  return outcome;
}

/** Returns false if the invitation was accepted or withdrawn before. */
export const withdrawMarketInvitation = (
  { context }: Pick<InviteServices, 'context'>,
  { id, actor, operatorId }: OneInvitation,
): Promise<boolean> =>
  withInvitationsLocked(context, async (tx) => {
    if ((await endInvitations(tx, null, { id })) === 0) return false;
    const event = {
      accountId: operatorId,
      type: 'account.invitation_withdrawn',
      actor,
      subjectId: id,
    } as const;
    await appendEvent(tx, { ...event, at: context.at(), data: {} });
    return true;
  });

/**
 * Invites the person of an account that an operator has created, and in which nobody has signed in yet. Returns the link
 * if it was not mailed. A leaked operator key can send no more mail than operators can.
 */
export async function inviteToAccount(
  services: InviteServices,
  account: Account,
  actor: Actor,
): Promise<string | null> {
  const { context, mailer } = services;
  const isReal = mailer.isReal && (await countIfWithin(context, [[peopleADay(1), '']]));
  const outcome = await context.db.transaction((tx) =>
    issue({ ...services, mailer: { ...mailer, isReal } }, tx, {
      ...ofAccount(account),
      id: uuidv7(context),
      actor,
      invitedById: null,
    }),
  );
  mailer.start();
  return outcome.is === 'unmailed' ? outcome.link : null;
}

/** The account has its plan and its operator rights already. */
const ofAccount = ({ id: accountId, email, operator_since }: Account) =>
  ({
    accountId,
    email,
    role: operator_since === null ? 'owner' : 'operator',
    plan: null,
    name: null,
    note: null,
    language: null,
  }) as const;
