/**
 * The mail contains a code for the browser that requested it, and a link for any. The account is looked up or created
 * when one is used, so a request doesn't reveal whether the address has an account.
 */

import { invalid, Refusal } from '../../../platform/errors.ts';
import { currentLanguage } from '../../../platform/languages/language.ts';
import { message } from '../../../platform/languages/translate.ts';
import { hashOfSecret } from '../../../platform/secrets/secrets.ts';
import type { Queryable, Transaction } from '../../../platform/store/database.ts';
import { SECOND_MS } from '../../../platform/text/durations.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { addAccount, newcomer } from '../../accounts/create.ts';
import { readPolicy, refuseNewcomer } from '../../accounts/policy.ts';
import { findAccount, findByEmail } from '../../accounts/queries.ts';
import { findFailedMail } from '../../mail/queries.ts';
import { CODE_IS_SPENT, CODE_LIFETIME_MS, newCode, newDigits } from '../codes/one-time-code.ts';
import { consumeCode, deleteCodesOf, findCode, keepCode } from '../codes/queries.ts';
import {
  byNetwork,
  CODE_BY_NETWORK,
  counterOf,
  digitsLimits,
  emailSignInLimits,
  MAIL_BY_PERSON,
  MAX_MAILED_CODES,
  SIGN_IN_MAIL_BEYOND,
} from '../limits/limits.ts';
import { chargeNewAccount, chargingNewAccounts } from '../limits/new-account-price.ts';
import { refund } from '../limits/queries.ts';
import {
  countIn,
  countMail,
  countUnlessReached,
  isReached,
  lookUpCode,
  type ReachedLimit,
  recordFailure,
  refuseCounted,
  refuseRequest,
} from '../limits/throttle.ts';
import type { Caller, Sent, SignInServices } from '../services.ts';
import { cookieOf, keepsCookies, NO_COOKIES, setCookie } from '../sessions/cookies.ts';
import { findKnownDevice } from '../sessions/sealed-cookies.ts';
import { newCookieSecret } from '../sessions/sessions.ts';
import { type SignInResult, signInWithFirstFactor } from '../sign-in.ts';
import { type Confirmed, confirmFirst } from './confirm.ts';
import { type IntendedOffer, signInCode } from './letters.ts';
import {
  type EmailSignIn,
  findByLink,
  findEmailSignIn,
  finishByDigits,
  finishByLink,
  finishOthers,
  insertEmailSignIn,
  renewEmailSignIn,
  takeDigitTry,
  workingCodesUntil,
} from './queries.ts';

const LIFETIME_MS = CODE_LIFETIME_MS['email-sign-in'];
/** Minimum time between a request and the next “Send it again”. */
const RESEND_MS = 30 * SECOND_MS;
const TRIES = 5;

interface EmailSignInRequest extends Sent<'email' | 'next'> {
  /** Whether to run the action at `next`, such as a claim, right after the sign-in. */
  readonly isIntended: boolean;
}

/**
 * A code works only if it was mailed. At a limit, a browser can use its earlier code; any other is rejected (429) until
 * the next mail may be sent. A stranger can neither flood the mailbox nor lock the person out: the newest link works in
 * every browser, and known browsers, the only ones whose response depends on the account, have separate limits. Once
 * several mails were requested for other spellings of the mailbox, a mail is sent only if the address has an account.
 */
export async function requestEmailSignIn(
  services: SignInServices,
  { email, next, isIntended, caller }: EmailSignInRequest,
): Promise<{ readonly cookies: readonly string[] }> {
  const { context, mailer, baseUrl } = services;
  const device = await findKnownDevice(services, caller, email);
  const limits = emailSignInLimits(caller.address, device);
  const now = context.now();
  const at = toIso(now);
  const browser = browserOf(services, caller) ?? newCookieSecret(context);
  const [code, digits] = [newCode(context.random), newDigits(context.random)];
  const intended = isIntended ? await services.findIntended(next) : null;
  const intent = { next, is_intended: isIntended ? 1 : 0 };
  const requester = { email, browserHash: hashOfSecret(browser), isKnown: device !== null };
  const outcome = await context.db.transaction(async (tx): Promise<ReachedLimit | null> => {
    const counted = await countUnlessReached(context, tx, limits);
    if (isReached(counted)) return counted;
    const working = () => workingCodesUntil(tx, requester, at);
    const mail = {
      email,
      device,
      beyond: [SIGN_IN_MAIL_BEYOND, email],
      earlierUntilMs: async () => (await working()).lastMs,
    } as const;
    const mailed = await countMail(context, mail, tx);
    if (!isReached(mailed)) {
      const { maySend } = mailed;
      // Without a mail, the response is the same, or it would reveal that the address has no account. Random secrets
      // replace the codes, so nobody can enter them.
      const [link, typed] = maySend ? [code, digits] : [newCookieSecret(context), newCookieSecret(context)];
      const request = {
        link_hash: context.secretBox.hashesOfCode(link)[0],
        email,
        browser_hash: requester.browserHash,
        is_known: device === null ? 0 : 1,
        code_hash: hashesOfDigits(services, browser, typed)[0]!,
        ...intent,
        tries: 0,
        counted: JSON.stringify([...counted, ...mailed.keys]),
        created_at: at,
        requested_at: at,
        expires_at: toIso(now + LIFETIME_MS),
      };
      // The locked row of the mail's counter keeps concurrent requests from exceeding the maximum.
      if (await insertEmailSignIn(tx, request, MAX_MAILED_CODES)) {
        if (!maySend) return null;
        const language = currentLanguage().code;
        const letter = signInCode(baseUrl, { code, digits, next, intended });
        await Promise.all([
          keepCode(tx, context, code, { purpose: 'email-sign-in', accountId: null, email }),
          mailer.keep(tx, { to: email, code, language, ...letter }),
        ]);
        return null;
      }
      await refund(tx, mailed.keys);
    }
    if (await renewEmailSignIn(tx, requester, { at, tries: TRIES, ...intent })) return null;
    if (isReached(mailed)) return mailed;
    return { limit: MAIL_BY_PERSON, until: (await working()).firstMs ?? now };
  });
  if (outcome !== null) refuseCounted(services, caller, outcome);
  mailer.start();
  return { cookies: [setCookie(baseUrl, 'email', browser, LIFETIME_MS)] };
}

export async function resendEmailSignIn(
  services: SignInServices,
  caller: Caller,
): Promise<{ readonly cookies: readonly string[] }> {
  const { now } = services.context;
  const last = await findLast(services, caller);
  if (last === undefined) throw invalid(keepsCookies(caller.cookie) ? TOO_LATE : NO_COOKIES);
  const waitMs = Date.parse(last.requested_at) + RESEND_MS - now();
  // A longer wait comes from a clock that was ahead.
  if (waitMs > 0 && waitMs <= RESEND_MS) {
    throw invalid(
      message(
        'We’ve just sent an email. You can ask for another one in {seconds, plural, one {# second} other {# seconds}}.',
        {
          seconds: Math.ceil(waitMs / SECOND_MS),
        },
      ),
    );
  }
  const { email, next } = last;
  return requestEmailSignIn(services, { email, next, isIntended: last.is_intended === 1, caller });
}

export const browserOf = ({ baseUrl }: SignInServices, { cookie }: Caller): string | null =>
  cookieOf(baseUrl, cookie, 'email');

async function findLast(
  services: SignInServices,
  caller: Caller,
  db: Queryable = services.context.db.byKey.read,
) {
  const browser = browserOf(services, caller);
  return browser === null ? undefined : findEmailSignIn(db, hashOfSecret(browser), services.context.at());
}

/** The hashes include the browser's secret, so that the digits work only in this browser. */
const hashesOfDigits = ({ context }: SignInServices, browser: string, digits: string): readonly string[] =>
  context.secretBox.hashesOfCode(`${browser} ${digits}`);

/**
 * `isFinished`: used, perhaps in another browser. `mail`: whether this request's mail is still to be sent after a
 * failed attempt, or no longer; the same with and without an account. `isMailed`: false if a limit kept the mail, so
 * that the code from `mailedAt` continues. `isIntended`: `next` claims an offer.
 */
export async function readEmailSignIn(services: SignInServices, caller: Caller) {
  const last = await findLast(services, caller);
  if (last === undefined) return null;
  const { email, next, link_hash, created_at: mailedAt, requested_at } = last;
  const isFinished = last.finished_at !== null;
  const mail = isFinished ? null : await findFailedMail(services.context.db.read, email, link_hash);
  const isIntended = last.is_intended === 1;
  return { email, next, isFinished, mail, mailedAt, isMailed: requested_at === mailedAt, isIntended };
}

const TOO_LATE = message('The code has expired. Ask for a new one.');
const REFUSALS = {
  'too-many': message('Too many attempts. Ask for a new code, or open the link in the email.'),
  wrong: message('This code is wrong. Check the newest email, or open the link in it.'),
};

export async function signInByDigits(
  services: SignInServices,
  { digits, caller }: Sent<'digits'>,
): Promise<FinishedSignIn> {
  const { context } = services;
  const at = context.at();
  const browser = browserOf(services, caller);
  const trySignIn = async (tx: Transaction) => {
    // Read in the transaction, so that the people who share it share the round trip.
    const last = await findLast(services, caller, tx);
    if (browser === null || last === undefined || last.finished_at !== null) return 'unknown';
    const device = await findKnownDevice(services, caller, last.email, tx);
    // Counts before checking the code, so that concurrent guesses can't exceed a limit.
    const limits = digitsLimits(last.email, caller.address, device);
    const counted = await countUnlessReached(context, tx, limits);
    if (isReached(counted)) return counted;
    if (!(await takeDigitTry(tx, last.link_hash, TRIES))) return 'too-many';
    const codeHashes = hashesOfDigits(services, browser, digits);
    const finished = await finishByDigits(tx, last, codeHashes, at);
    if (finished === undefined) return 'wrong';
    // Codes of earlier mails work too, but the sign-in continues what the browser requested last.
    const { next, is_intended } = last;
    return finish(services, tx, { finished: { ...finished, next, is_intended }, caller, counted });
  };
  const trying = chargingNewAccounts(services, caller, () => context.db.transaction(trySignIn));
  const outcome = await trying.catch(async (error: unknown) => {
    // The code was right, but the sign-in was refused, for example because the account is suspended. The rollback keeps
    // the code, and makes everybody who shared the transaction repeat their work, so this counts as a try, too.
    if (error instanceof Refusal && error.code !== 'unavailable') await countRefusedTry(services, caller);
    throw error;
  });
  if (outcome === 'unknown') throw invalid(keepsCookies(caller.cookie) ? TOO_LATE : NO_COOKIES);
  if (typeof outcome === 'string') {
    recordFailure(services, 'code', caller, undefined);
    throw invalid(REFUSALS[outcome]);
  }
  return 'until' in outcome ? refuseCounted(services, caller, outcome) : outcome;
}

const countRefusedTry = (services: SignInServices, caller: Caller): Promise<unknown> =>
  services.context.db.transaction(async (tx) => {
    const last = await findLast(services, caller, tx);
    return last !== undefined && takeDigitTry(tx, last.link_hash, TRIES);
  });

export interface FinishedSignIn extends Pick<EmailSignInRequest, 'isIntended'>, Pick<Confirmed, 'ended'> {
  /** The address of the mail that was used; `null` after a link from `issueSignInLink`. */
  readonly email: string | null;
  readonly result: SignInResult;
  /** Path to redirect to; `null` after a link from `issueSignInLink`, because the URL of the link contains the path. */
  readonly next: string | null;
}

/** What a link would do, so that the person can decide: somebody else may have caused the mail or passed on the link. */
export interface LinkedSignIn {
  readonly email: string;
  readonly requestedAt: string;
  /** `server`: a link from `issueSignInLink`. */
  readonly requestedIn: 'this-browser' | 'other-browser' | 'server';
  /** `null` for a link from `issueSignInLink`. */
  readonly next: string | null;
  /** The offer that was to be claimed right after the sign-in. */
  readonly intended: IntendedOffer | null;
}

/** Doesn't consume the code. Rejects invalid codes, and too many of them (429). */
export async function readSignInLink(
  services: SignInServices,
  { code, caller }: Sent<'code'>,
): Promise<LinkedSignIn> {
  const { context } = services;
  const linked = await lookUpCode(services, caller, async (tx) => {
    const request = await findByLink(tx, context.secretBox.hashesOfCode(code), context.at());
    if (request !== undefined) return request;
    const issued = await findCode(tx, context, 'sign-in', code);
    if (issued === undefined || issued.account_id === null) return undefined;
    const { email } = await findAccount(tx, issued.account_id);
    return { email, requested_at: issued.created_at };
  });
  const { email, requested_at: requestedAt } = linked;
  if (!('next' in linked)) return { email, requestedAt, requestedIn: 'server', next: null, intended: null };
  const { next, browser_hash, is_intended } = linked;
  const browser = browserOf(services, caller);
  const isSameBrowser = browser !== null && hashOfSecret(browser) === browser_hash;
  const intended = is_intended === 1 ? await services.findIntended(next) : null;
  return {
    email,
    requestedAt,
    requestedIn: isSameBrowser ? 'this-browser' : 'other-browser',
    next,
    intended,
  };
}

/** A mailed link, or one of `issueSignInLink`, in any browser. `readSignInLink` asks the person first. */
export async function signInByLink(
  services: SignInServices,
  { code, caller }: Sent<'code'>,
): Promise<FinishedSignIn> {
  const { context } = services;
  const limits = byNetwork(CODE_BY_NETWORK, caller.address);
  await refuseRequest(services, caller, limits);
  const useCode = async (tx: Transaction) => {
    // Counts before checking the code, so that concurrent guesses can't exceed a limit.
    const counted = await countIn(context, tx, limits);
    if (isReached(counted)) return counted;
    const hashes = context.secretBox.hashesOfCode(code);
    const finished = await finishByLink(tx, hashes, context.at());
    if (finished !== undefined) return finish(services, tx, { finished, caller, counted });
    // An exception would roll back the count.
    const isIssued = (await findCode(tx, context, 'sign-in', code)) !== undefined;
    return isIssued ? consumeCode(tx, context, 'sign-in', code) : null;
  };
  const used = await chargingNewAccounts(services, caller, () => context.db.transaction(useCode));
  if (used === null) throw invalid(CODE_IS_SPENT);
  if ('until' in used) refuseCounted(services, caller, used);
  if ('result' in used) return used;
  const { accountId } = used;
  if (accountId === null) throw invalid(message('This code can’t be used here.'));
  const result = await context.db.transaction(async (tx) =>
    signInWithFirstFactor(services, tx, {
      account: await findAccount(tx, accountId),
      factors: 1,
      caller,
      how: 'link',
    }),
  );
  return { email: null, result, next: null, isIntended: false, ended: {} };
}

/** `counted`: keys of the counters to decrement once the sign-in succeeds. */
async function finish(
  services: SignInServices,
  tx: Transaction,
  input: { readonly finished: EmailSignIn; readonly caller: Caller; readonly counted: readonly string[] },
): Promise<FinishedSignIn> {
  const { context } = services;
  const { finished, caller } = input;
  const finishRest = async () => {
    const others = await finishOthers(tx, finished, context.at());
    await deleteCodesOf(tx, [finished.link_hash, ...others]);
  };
  // These queries are sent together, so that their round trips overlap.
  const [{ account, ended, isNew = false }] = await Promise.all([
    accountOf(services, tx, finished.email, caller),
    finishRest(),
  ]);
  const beyond = counterOf(context.secretBox, [SIGN_IN_MAIL_BEYOND, finished.email]).key;
  const counted = [...(JSON.parse(finished.counted) as string[]), ...input.counted, beyond];
  const session = { account, factors: 1, caller, how: 'email', isNew } as const;
  const result = await signInWithFirstFactor(services, tx, session, counted);
  const { email, next } = finished;
  return { email, result, next, isIntended: finished.is_intended === 1, ended };
}

/** Finds or creates the account of a person who has received mail at this address. */
async function accountOf(
  services: SignInServices,
  tx: Transaction,
  email: string,
  caller: Caller,
): Promise<Confirmed> {
  const { context, hasProvider } = services;
  const [account, policy] = await Promise.all([findByEmail(tx, email), readPolicy(tx, hasProvider)]);
  if (account !== undefined) return confirmFirst(context, tx, account);
  refuseNewcomer(policy, email);
  await chargeNewAccount(services, tx, { email, caller, policy });
  const created = await addAccount(tx, context, { ...newcomer(email), verified: true });
  if (created !== null) return { account: created, ended: {}, isNew: true };
  // A concurrent sign-in with this address has created the account.
  const concurrent = await findByEmail(tx, email);
  if (concurrent === undefined) throw invalid(TOO_LATE);
  return confirmFirst(context, tx, concurrent);
}
