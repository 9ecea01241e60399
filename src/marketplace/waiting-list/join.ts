/**
 * Joining and leaving the waiting list of an offer. A person who isn't signed in confirms their address with the link of
 * an email first. The response is the same whether or not the address is on the list.
 */
import type { Context } from '../../base/context.ts';
import { mailboxOf } from '../../people/accounts/account.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import { emptyMails } from '../../people/mail/queries.ts';
import { CODE_LIFETIME_MS } from '../../people/sign-in/codes/one-time-code.ts';
import { deleteCodesOf, keepCode } from '../../people/sign-in/codes/queries.ts';
import { byNetwork, type Charge, type Limit, MAIL_BY_PERSON } from '../../people/sign-in/limits/limits.ts';
import { countRequest } from '../../people/sign-in/limits/throttle.ts';
import type { Caller, SignInServices } from '../../people/sign-in/services.ts';
import { invalid } from '../../platform/errors.ts';
import { currentLanguage } from '../../platform/languages/language.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { DAY_MS, HOUR_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { confirmWaiting } from './letters.ts';
import {
  countListsOf,
  countWaitingPeople,
  deleteEndedOrUnconfirmed,
  deletePerson,
  deletePersonOfAccount,
  findListsOf,
  findPerson,
  insertPerson,
  markConfirmed,
  type WaitingPerson,
} from './queries.ts';
import {
  confirmUrl,
  MAX_LISTS_OF_PERSON,
  MAX_WAITING_PEOPLE,
  stopWaitingUrl,
  WAITING_DAYS,
  type WaitedOffer,
} from './waiting-list.ts';

const JOIN_BY_NETWORK: Limit = { name: 'waiting-network', attempts: 60, windowMs: HOUR_MS };
const JOIN_BY_MAILBOX: Limit = {
  name: 'waiting-mailbox',
  attempts: 5,
  windowMs: DAY_MS,
  refusal: (wait) =>
    message(
      'We’ve already sent several emails about waiting lists to this address. Sign in to join without an email, or try again in {wait}.',
      { wait },
    ),
};
/** Bounds what an attacker with many networks can make the whole service send. */
const JOIN_BY_EVERYBODY: Limit = { name: 'waiting-all', attempts: 1_000, windowMs: HOUR_MS };

/** Counted whether or not the address is on the list, so that a refusal doesn't reveal it. */
const joinLimits = (mailbox: string, address: string | null): readonly Charge[] => [
  ...byNetwork(JOIN_BY_NETWORK, address),
  [JOIN_BY_MAILBOX, mailbox],
  [MAIL_BY_PERSON, mailbox],
  [JOIN_BY_EVERYBODY, ''],
];

/** Lock id for confirmed rows, so that concurrent requests can't exceed the maximum of an offer or a person. */
const WAITING_LIST_LOCK = '00000000-0000-4000-8000-000000000004';

const LIST_IS_FULL = message('The waiting list of this offer is full. Come back later.');

interface JoinByMail {
  readonly offer: WaitedOffer;
  readonly email: string;
  readonly caller: Caller;
}

/** Mails a link that puts the person on the list. Must run behind the mail gate (`throughMailGate`). */
export async function requestToJoin(
  services: SignInServices,
  { offer, email, caller }: JoinByMail,
): Promise<void> {
  await refuseFullList(services.context.db.read, offer.id);
  await countRequest(services, caller, joinLimits(mailboxOf(email), caller.address));
  // In the background, so that the response time doesn't reveal whether the address is on the list.
  services.background.start(async () => {
    const isMailed = await services.context.db.transaction((tx) => keepRequest(services, tx, offer, email));
    if (isMailed) services.mailer.start();
  });
}

/** Stores the request and its mail, unless the person is on the list. A newer request replaces an unconfirmed one. */
async function keepRequest(
  { context, mailer, baseUrl }: SignInServices,
  tx: Transaction,
  offer: WaitedOffer,
  email: string,
): Promise<boolean> {
  const { secretBox, marketplace } = context;
  const now = context.now();
  const id = uuidv7(context);
  const person = { offer_id: offer.id, email, mailbox: mailboxOf(email) };
  await deleteReplaced(context, tx, { ...person, at: toIso(now) });
  const expires_at = toIso(now + CODE_LIFETIME_MS['join-waiting-list']);
  const row = { ...person, id, created_at: toIso(now), confirmed_at: null, expires_at };
  if (!(await insertPerson(tx, row))) return false;
  // The code counts the mail as unused until the link is opened.
  await keepCode(tx, context, id, { purpose: 'join-waiting-list', accountId: null, email });
  const letter = confirmWaiting(marketplace.brand, offer, {
    confirmUrl: confirmUrl(secretBox, baseUrl, id),
    stopUrl: stopWaitingUrl(secretBox, baseUrl, id),
  });
  await mailer.keep(tx, { to: email, code: id, language: currentLanguage().code, ...letter });
  return true;
}

/** Deletes the row that a new one replaces. Someone who is on the list keeps their row. */
async function deleteReplaced(
  context: Pick<Context, 'secretBox'>,
  tx: Transaction,
  { offer_id: offerId, mailbox, at }: Pick<WaitingPerson, 'offer_id' | 'mailbox'> & { readonly at: string },
): Promise<void> {
  for (const id of await deleteEndedOrUnconfirmed(tx, { offerId, mailbox, at })) {
    await forgetMail(context, tx, id);
  }
}

/** Ends the code of a confirmation mail, and empties the mail if it is still to be sent. */
async function forgetMail(
  { secretBox }: Pick<Context, 'secretBox'>,
  tx: Transaction,
  id: string,
): Promise<void> {
  const hashes = secretBox.hashesOfCode(id);
  await deleteCodesOf(tx, hashes);
  await emptyMails(tx, hashes);
}

async function refuseFullList(db: Queryable, offerId: string): Promise<void> {
  const people = await countWaitingPeople(db, [offerId]);
  if ((people.get(offerId) ?? 0) >= MAX_WAITING_PEOPLE) throw invalid(LIST_IS_FULL);
}

/** Throws a refusal if the list is full, or the person is on too many. Takes the lock of confirmed rows. */
async function requireSlot(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  { offer_id, mailbox }: Pick<WaitingPerson, 'offer_id' | 'mailbox'>,
): Promise<void> {
  await DIALECTS[db.engine].takeLock(tx, WAITING_LIST_LOCK);
  await refuseFullList(tx, offer_id);
  if ((await countListsOf(tx, mailbox)) >= MAX_LISTS_OF_PERSON) {
    throw invalid(
      message('You can be on the waiting lists of at most {max} offers. Leave one of them first.', {
        max: MAX_LISTS_OF_PERSON,
      }),
    );
  }
}

/** Confirms an address. Confirming it again changes nothing. `null`: the link has expired, or the person has left. */
export async function confirmAddressOfList(
  { context, mailGate }: Pick<SignInServices, 'context' | 'mailGate'>,
  id: string,
): Promise<WaitingPerson | null> {
  const now = context.now();
  const at = toIso(now);
  const confirmed = await context.db.transaction(async (tx) => {
    const person = await findPerson(tx, id, at);
    if (person === undefined || person.confirmed_at !== null) return { person, isNew: false };
    await requireSlot(context, tx, person);
    const isNew = await markConfirmed(tx, id, { at, expiresAt: expiryOf(now) });
    await forgetMail(context, tx, id);
    return { person, isNew };
  });
  if (confirmed.isNew) mailGate.countUsed(confirmed.person!.email);
  return confirmed.person ?? null;
}

const expiryOf = (now: number): string => toIso(now + WAITING_DAYS * DAY_MS);

/**
 * Returns false if the account's address isn't confirmed: the person must then confirm it by mail. Joining again changes
 * nothing.
 */
export async function joinWithAccount(
  context: Context,
  { offerId, accountId }: { readonly offerId: string; readonly accountId: string },
): Promise<boolean> {
  const now = context.now();
  const at = toIso(now);
  return await context.db.transaction(async (tx) => {
    const { email, email_verified_at } = await findAccount(tx, accountId);
    if (email_verified_at === null) return false;
    if ((await findListsOf(tx, { accountId, offerIds: [offerId], at })).has(offerId)) return true;
    const person = { offer_id: offerId, email, mailbox: mailboxOf(email) };
    await requireSlot(context, tx, person);
    await deleteReplaced(context, tx, { ...person, at });
    const expires_at = expiryOf(now);
    await insertPerson(tx, { ...person, id: uuidv7(context), created_at: at, confirmed_at: at, expires_at });
    return true;
  });
}

/** Deletes the person, confirmed or not. Does nothing if the person was already deleted. */
export const stopWaiting = (context: Pick<Context, 'db' | 'secretBox'>, id: string): Promise<void> =>
  context.db.transaction(async (tx) => {
    await deletePerson(tx, id);
    await forgetMail(context, tx, id);
  });

export const leaveWithAccount = (
  { db }: Pick<Context, 'db'>,
  of: { readonly offerId: string; readonly accountId: string },
): Promise<unknown> => db.transaction((tx) => deletePersonOfAccount(tx, of));
