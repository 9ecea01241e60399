import { invalid } from '../../../platform/errors.ts';
import { type Message, message } from '../../../platform/languages/translate.ts';
import { hashOfSecret } from '../../../platform/secrets/secrets.ts';
import type { Transaction } from '../../../platform/store/database.ts';
import { findAccount, setSince } from '../../accounts/queries.ts';
import { backupCodeLimits, byNetwork, CODE_BY_NETWORK, factorLimits } from '../limits/limits.ts';
import { countRequest } from '../limits/throttle.ts';
import type { Sent, SignInServices } from '../services.ts';
import { knownDevice } from '../sessions/sealed-cookies.ts';
import { appendAccountEvent, type OwnSession, type Renewed, renewedAfter } from '../sessions/sessions.ts';
import {
  appLink,
  isAppCode,
  newAppSecret,
  newBackupCodes,
  purposeOfSecret,
  stepOfCode,
  typedCode,
} from './authenticator.ts';
import { MIN_PASSWORD_LENGTH, refuseGuessablePassword } from './password.ts';
import {
  deleteTwoFactor,
  findTwoFactor,
  hasSecondFactor,
  putBackupCodes,
  putTwoFactor,
  takeBackupCode,
  takeStep,
} from './queries.ts';
import { hasUsablePassword, requirePassword } from './set-password.ts';

const IS_ON = message('The second factor is already on.');
const IS_OFF = message('The second factor is off. Turn it on first.');
const WRONG_CODE = message(
  'The code is wrong. Codes change every 30 seconds; enter the current one from your app.',
);

const hashOfBackupCode = (code: string): string => hashOfSecret(typedCode(code));

export type NewSecondFactor = Awaited<ReturnType<typeof beginSecondFactor>>;

/** Stores a new second factor, which stays off until `confirmSecondFactor` turns it on. */
export async function beginSecondFactor(
  { context }: SignInServices,
  { accountId, email }: Pick<OwnSession, 'accountId' | 'email'>,
) {
  const secret = newAppSecret(context.random);
  const backupCodes = newBackupCodes(context.random);
  await context.db.transaction(async (tx) => {
    if (await hasSecondFactor(tx, accountId)) throw invalid(IS_ON);
    await putTwoFactor(tx, accountId, context.secretBox.encrypt(secret, purposeOfSecret(accountId)));
    await putBackupCodes(tx, accountId, backupCodes.map(hashOfBackupCode));
  });
  return { link: appLink(secret, context.marketplace.brand.name, email), secret, backupCodes };
}

/** Turns the second factor on if the code is correct. Rotates the session's secret. */
export async function confirmSecondFactor(
  services: SignInServices,
  { session, code, caller }: Sent<'code'> & { readonly session: OwnSession },
): Promise<Renewed> {
  const { context } = services;
  const { accountId } = session;
  await countRequest(services, caller, byNetwork(CODE_BY_NETWORK, caller.address), accountId);
  const turnOn = async (tx: Transaction) => {
    if (await hasSecondFactor(tx, accountId)) throw invalid(IS_ON);
    if ((await useAppCode(services, tx, accountId, typedCode(code))) !== 'right') throw invalid(WRONG_CODE);
    await setSince(tx, accountId, 'two_factor_at', context.at());
    await appendAccountEvent(context, tx, accountId, 'session.second_factor_on', {});
  };
  return renewedAfter(services, session, turnOn, 2);
}

export async function renewBackupCodes(
  { context }: SignInServices,
  accountId: string,
): Promise<readonly string[]> {
  const backupCodes = newBackupCodes(context.random);
  await context.db.transaction(async (tx) => {
    if (!(await hasSecondFactor(tx, accountId))) throw invalid(IS_OFF);
    await putBackupCodes(tx, accountId, backupCodes.map(hashOfBackupCode));
    await appendAccountEvent(context, tx, accountId, 'session.backup_codes_renewed', {});
  });
  return backupCodes;
}

/** Needs the password, which must be strong enough to be the only factor, if the account has one. */
export async function turnSecondFactorOff(
  services: SignInServices,
  { session, password, caller }: Sent<'password'> & { readonly session: OwnSession },
): Promise<Renewed> {
  const { context } = services;
  const { accountId } = session;
  if (await hasUsablePassword(services, accountId)) {
    await requirePassword(services, { accountId, caller, password });
    await refuseTooWeak(services, session, password);
  }
  const turnOff = async (tx: Transaction) => {
    if (!(await deleteTwoFactor(tx, accountId))) throw invalid(IS_OFF);
    await appendAccountEvent(context, tx, accountId, 'session.second_factor_off', {});
  };
  return renewedAfter(services, session, turnOff, 1);
}

async function refuseTooWeak(
  { context, baseUrl }: SignInServices,
  { name, email }: OwnSession,
  password: string,
): Promise<void> {
  if ([...password].length < MIN_PASSWORD_LENGTH) {
    throw invalid(
      message(
        'Without a second factor, a password needs at least {min} characters. Change yours to a longer one first.',
        { min: MIN_PASSWORD_LENGTH },
      ),
    );
  }
  await refuseGuessablePassword(password, { person: [name, email, context.marketplace.brand.name], baseUrl });
}

/** Counts an attempt, or rejects it (429). Call before checking the code. Returns counter keys, for `refund`. */
export async function countSecondFactor(
  services: SignInServices,
  { caller, accountId, typed }: Sent<'accountId' | 'typed'>,
): Promise<readonly string[]> {
  const account = await findAccount(services.context.db.read, accountId);
  const limits = isAppCode(typed)
    ? factorLimits(accountId, caller.address, knownDevice(services, caller, account))
    : backupCodeLimits(caller.address);
  return countRequest(services, caller, limits, accountId);
}

type CodeOutcome = 'right' | 'wrong' | 'used';

export const REFUSED_CODES: Readonly<Record<Exclude<CodeOutcome, 'right'>, Message>> = {
  wrong: message('The code is wrong. Codes change every 30 seconds; each backup code works only once.'),
  used: message('This code was already used. Wait for the next one; your app shows it within 30 seconds.'),
};

/** Consumes a correct code, so only one of several concurrent uses succeeds. */
export async function useSecondFactor(
  services: SignInServices,
  tx: Transaction,
  accountId: string,
  typed: string,
): Promise<CodeOutcome> {
  if (isAppCode(typed)) return useAppCode(services, tx, accountId, typed);
  return (await takeBackupCode(tx, accountId, hashOfSecret(typed))) ? 'right' : 'wrong';
}

async function useAppCode(
  { context }: SignInServices,
  tx: Transaction,
  accountId: string,
  typed: string,
): Promise<CodeOutcome> {
  if (!isAppCode(typed)) return 'wrong';
  const factor = await findTwoFactor(tx, accountId);
  if (factor === undefined) return 'wrong';
  const secret = context.secretBox.decrypt(factor.secret, purposeOfSecret(accountId));
  if (secret === null) {
    throw invalid(
      message(
        'Codes from your authenticator app can’t be checked at the moment. Use a backup code, or ask <operator>the operator of this marketplace</operator> to reset your second factor.',
      ),
    );
  }
  const step = stepOfCode(secret, typed, context.now());
  if (step === null) return 'wrong';
  return (await takeStep(tx, accountId, step)) ? 'right' : 'used';
}
