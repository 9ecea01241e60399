import { appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { addAccount, newcomer } from '../accounts/create.ts';
import { findActiveRole } from '../accounts/membership-queries.ts';
import { readPolicy, refuseNewcomer } from '../accounts/policy.ts';
import { type Account, findAccount, findByEmail, updateAccount } from '../accounts/queries.ts';
import { deleteRequest } from '../accounts/request-queries.ts';
import { forAnotherAddress, joinAccount } from '../members/join.ts';
import { type AccountInvitation, findInvitation } from '../members/queries.ts';
import { signOutEverywhere } from '../sign-in/access.ts';
import { deleteInvitations } from '../sign-in/access-queries.ts';
import { CODE_IS_SPENT } from '../sign-in/codes/one-time-code.ts';
import { consumeCode } from '../sign-in/codes/queries.ts';
import { hashPassword } from '../sign-in/credentials/password.ts';
import { putPassword } from '../sign-in/credentials/queries.ts';
import { chargeNewAccount, chargingNewAccounts } from '../sign-in/limits/new-account-price.ts';
import { lookUpCode } from '../sign-in/limits/throttle.ts';
import type { Caller, Sent, SignInServices } from '../sign-in/services.ts';
import { updateSession } from '../sign-in/sessions/queries.ts';
import { type SignInResult, signInWithFirstFactor } from '../sign-in/sign-in.ts';
import { acceptAccessLink } from '../visibility/access-link.ts';
import { findLinkByCode } from '../visibility/link-queries.ts';
import { findMarketInvitation, isAccountInUse, isActiveOperator, type MarketInvitation } from './queries.ts';

type Services = Pick<SignInServices, 'context'>;

/** An invitation to work in an account, or to join the marketplace (`account_id` is `null`). Works once. */
type PersonalInvitation = AccountInvitation | MarketInvitation;

/** A link with which several people may see a listing or the marketplace. */
export interface AccessInvitation {
  readonly role: 'guest';
  readonly account_id: null;
  readonly email: null;
  readonly mailed_at: null;
  readonly created_at: string;
  /** Slug of the listing, and the name of its owner; `null`: the link is for the marketplace. */
  readonly listing: { readonly slug: string; readonly owner: string } | null;
}

export type Invitation = PersonalInvitation | AccessInvitation;

const findByHashes = async (
  db: Queryable,
  codeHashes: readonly string[],
  at: string,
): Promise<Invitation | undefined> =>
  (await findInvitation(db, codeHashes, at)) ??
  (await findMarketInvitation(db, codeHashes, at)) ??
  (await findAccessInvitation(db, codeHashes, at));

async function findAccessInvitation(
  db: Queryable,
  codeHashes: readonly string[],
  at: string,
): Promise<AccessInvitation | undefined> {
  const link = await findLinkByCode(db, codeHashes, at);
  if (link === undefined) return undefined;
  const { slug, owner, created_at } = link;
  const listing = slug === null || owner === null ? null : { slug, owner };
  return { role: 'guest', account_id: null, email: null, mailed_at: null, created_at, listing };
}

/** Finds an invitation without consuming its code. Rate limited by network. */
export const readInvitation = (
  services: SignInServices,
  { code, caller }: Sent<'code'>,
): Promise<Invitation> => {
  const { context } = services;
  const hashes = context.secretBox.hashesOfCode(code);
  return lookUpCode(services, caller, (tx) => findByHashes(tx, hashes, context.at()));
};

/** Not rate limited. For a code that a person typed, call `readInvitation` instead. */
export async function findByCode({ context }: Services, code: string): Promise<Invitation> {
  const hashes = context.secretBox.hashesOfCode(code);
  const invitation = await findByHashes(context.db.read, hashes, context.at());
  if (invitation === undefined) throw invalid(CODE_IS_SPENT);
  return invitation;
}

/**
 * Whether the invitation is enough to sign in: its code was mailed to the person, or an operator vouches for the person.
 * Not if somebody uses an account with the address: a forwarded mail must not open that account.
 */
export async function signsIn(db: Queryable, { account_id, email, mailed_at }: Invitation): Promise<boolean> {
  if (email === null || (account_id !== null && mailed_at === null)) return false;
  const account = await findByEmail(db, email);
  return account === undefined || (isUsable(account) && !(await isAccountInUse(db, account.id)));
}

/** An unconfirmed address may belong to somebody else than the person who signed up with it. */
const isUsable = ({ suspended_at, email_verified_at }: Account): boolean =>
  suspended_at === null && email_verified_at !== null;

const SIGN_IN_FIRST = message(
  'There is an account with the address of this invitation. Sign in to it, then open the invitation again.',
);

export interface AcceptedInvitation {
  readonly invitation: Invitation;
  /** Whether the person has just become an operator, which ends their sessions. */
  readonly isNewOperator: boolean;
}

/** Accepts the invitation for a signed-in person. Refuses invitations for another email address. */
export async function acceptInvitation(
  services: Services,
  {
    code,
    session,
  }: { readonly code: string; readonly session: Readonly<Record<'sessionId' | 'personId', string>> },
): Promise<AcceptedInvitation> {
  const { context } = services;
  const { personId, sessionId } = session;
  const invitation = await findByCode(services, code);
  if (invitation.role === 'guest') {
    await acceptAccessLink(context, { code, personId });
    return { invitation, isNewOperator: false };
  }
  return context.db.transaction(async (tx) => {
    await consumeInvitation(context, tx, { invitation, code, personId });
    const person = await findAccount(tx, personId);
    const refusal = forAnotherAddress(invitation, person.email);
    if (refusal !== null) throw invalid(refusal);
    const joined = await join(context, tx, invitation, person);
    if (invitation.account_id !== null)
      await updateSession(tx, sessionId, { works_in_id: invitation.account_id });
    const isNewOperator = joined.operator_since !== null && person.operator_since === null;
    // An operator's session has a shorter lifetime.
    if (isNewOperator) await signOutEverywhere(tx, personId);
    return { invitation, isNewOperator };
  });
}

/** Creates an account for a new address (`signsIn`). `password`: without mail, the person couldn't sign in again. */
export async function signInByInvitation(
  services: SignInServices,
  {
    code,
    password,
    caller,
  }: { readonly code: string; readonly password: string | null; readonly caller: Caller },
): Promise<{ readonly invitation: Invitation; readonly result: SignInResult }> {
  const { context } = services;
  const invitation = await findByCode(services, code);
  if (invitation.role === 'guest') throw invalid(SIGN_IN_FIRST);
  const hash = password === null ? null : await hashPassword(password, context.random);
  const accept = async (tx: Transaction) => {
    const { email } = invitation;
    const existing = email === null ? undefined : await findByEmail(tx, email);
    await consumeInvitation(context, tx, { invitation, code, personId: existing?.id ?? null });
    if (email === null || !(await signsIn(tx, invitation))) throw invalid(SIGN_IN_FIRST);
    const person = existing ?? (await newAccount(services, tx, { invitation, email, caller }));
    if (hash !== null) await putPassword(tx, person.id, hash, context.at());
    const account = await join(context, tx, invitation, person);
    const result = await signInWithFirstFactor(services, tx, { account, factors: 1, caller, how: 'email' });
    return { invitation, result };
  };
  return chargingNewAccounts(services, caller, () => context.db.transaction(accept));
}

/** Only one of several concurrent uses gets past this. Checks under the locks that its author may still invite people. */
async function consumeInvitation(
  context: SignInServices['context'],
  tx: Transaction,
  {
    invitation,
    code,
    personId,
  }: { readonly invitation: PersonalInvitation; readonly code: string; readonly personId: string | null },
): Promise<void> {
  const { id, account_id, invited_by_id } = invitation;
  // The author's lock too: their suspension takes it, while changes of their role take the lock of the account.
  const locks = [account_id, personId, invited_by_id].filter((one) => one !== null);
  await DIALECTS[context.db.engine].takeLocks(tx, locks);
  // The invitation may have been used, renewed or withdrawn, or its author's role may have ended, before this
  // transaction got the locks.
  const [hash] = await deleteInvitations(tx, account_id, { id });
  if (hash === undefined || !(await isByAuthor(tx, invitation))) throw invalid(CODE_IS_SPENT);
  await consumeCode(tx, context, 'invitation', code);
}

async function isByAuthor(
  tx: Transaction,
  { account_id, invited_by_id }: PersonalInvitation,
): Promise<boolean> {
  if (invited_by_id === null) return true;
  if (account_id === null) return isActiveOperator(tx, invited_by_id);
  return (await findActiveRole(tx, account_id, invited_by_id)) === 'owner';
}

/** An operator who invites somebody vouches for them; for other invitations, the rules of sign-up apply. */
async function newAccount(
  services: SignInServices,
  tx: Transaction,
  of: { readonly invitation: PersonalInvitation; readonly email: string; readonly caller: Caller },
): Promise<Account> {
  const { invitation, email, caller } = of;
  if (invitation.account_id !== null) {
    const policy = await readPolicy(tx, services.hasProvider);
    refuseNewcomer(policy, email);
    await chargeNewAccount(services, tx, { email, caller, policy });
  }
  const person = newcomer(email);
  const named = { ...person, name: invitation.name ?? person.name };
  const created = await addAccount(tx, services.context, { ...named, verified: true });
  // A concurrent sign-in with this address has created the account.
  if (created === null) throw invalid(SIGN_IN_FIRST);
  return created;
}

async function join(
  context: SignInServices['context'],
  tx: Transaction,
  invitation: PersonalInvitation,
  person: Account,
): Promise<Account> {
  if (invitation.account_id === null) return joinMarketplace(context, tx, invitation, person);
  await joinAccount(context, tx, invitation, person.id);
  return person;
}

async function joinMarketplace(
  context: SignInServices['context'],
  tx: Transaction,
  { id, role, plan, mailed_at, invited_by_id }: MarketInvitation,
  person: Account,
): Promise<Account> {
  // Whoever signed up may not own the address, and would keep their password.
  if (person.email_verified_at === null && mailed_at !== null) {
    throw invalid(
      message('The address of this account is not confirmed yet. Sign in with a code sent by mail.'),
    );
  }
  const at = context.at();
  const becomesOperator = role === 'operator' && person.operator_since === null;
  const change = {
    plan: plan ?? person.plan,
    publisher_since: person.publisher_since ?? at,
    operator_since: becomesOperator ? at : person.operator_since,
    email_verified_at: becomesOperator ? (person.email_verified_at ?? at) : person.email_verified_at,
  };
  await updateAccount(tx, person.id, change);
  // Granting a request for what the account already has changes nothing, so the request would stay in the queue.
  await deleteRequest(tx, person.id, 'publish');
  if (plan !== null) await deleteRequest(tx, person.id, 'plan');
  const about = { accountId: person.id, subjectId: person.id, at } as const;
  const data = { invitation_id: id, role, ...(plan !== null && { plan }) };
  await appendEvent(tx, {
    ...about,
    type: 'account.invitation_accepted',
    actor: `account:${person.id}`,
    data,
  });
  if (becomesOperator) {
    const actor = invited_by_id === null ? 'operator' : (`account:${invited_by_id}` as const);
    await appendEvent(tx, { ...about, type: 'account.operator_made', actor, data: {} });
  }
  return { ...person, ...change };
}
