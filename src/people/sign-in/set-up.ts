import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { SETUP_PATH } from '../../base/paths.ts';
import { invalid, Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { readSecret, type SecretSource } from '../../platform/process/environment.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { makeFolder } from '../../platform/process/files.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { MINUTE_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { parseEmail } from '../accounts/account.ts';
import { addAccount, type NewAccount } from '../accounts/create.ts';
import { hasOperator } from '../accounts/queries.ts';
import { newCode } from './codes/one-time-code.ts';
import { consumeCode, deleteCodes, findSetUpCode, keepCode } from './codes/queries.ts';
import {
  hashPassword,
  type PasswordContext,
  parsePassword,
  refuseGuessablePassword,
} from './credentials/password.ts';
import { putPassword } from './credentials/queries.ts';
import { byNetwork, CODE_BY_NETWORK } from './limits/limits.ts';
import { countRequest } from './limits/throttle.ts';
import type { Sent, SignInServices } from './services.ts';
import { type SignInResult, signInProven } from './sign-in.ts';

const LINK_FILE_NAME = 'setup-link';
const FILE_MODE = 0o600;

const SET_UP_LOCK = '00000000-0000-4000-8000-000000000005';

/** Processes that start together within this time print the same link. A later restart replaces the link. */
const STARTED_TOGETHER_MS = MINUTE_MS;

/** Issues a link, writes it to a file in `dataDir` and revokes earlier links. Returns `null` if an operator exists. */
export async function issueSetUpLink(
  context: Context,
  { baseUrl, dataDir }: { readonly baseUrl: string; readonly dataDir: string },
): Promise<string | null> {
  const code = await context.db.transaction(async (tx) => {
    await DIALECTS[context.db.engine].takeLock(tx, SET_UP_LOCK);
    return (await hasOperator(tx)) ? null : findOrIssueCode(tx, context);
  });
  const file = join(dataDir, LINK_FILE_NAME);
  if (code === null) {
    await rm(file, { force: true });
    return null;
  }
  const link = `${baseUrl}${SETUP_PATH}#${code}`;
  try {
    makeFolder(dataDir);
    // Delete an existing file first, because its mode may allow others to read it.
    await rm(file, { force: true });
    await writeFile(file, `${link}\n`, { mode: FILE_MODE, flag: 'wx' });
    await chmod(file, FILE_MODE);
  } catch {
    // With PostgreSQL, there may be no data folder. The link is also shown in the terminal.
  }
  return link;
}

/** Derives the code from the time of its row, because only its hash is stored, and processes share the secret key. */
async function findOrIssueCode(tx: Transaction, context: Context): Promise<string> {
  const codeOf = (createdAt: string) => {
    const bytes = Buffer.from(context.secretBox.hashOfSubject(`set-up:${createdAt}`), 'base64url');
    return newCode((length) => bytes.subarray(0, length));
  };
  const issued = await findSetUpCode(tx);
  if (issued !== undefined && Math.abs(context.now() - Date.parse(issued.created_at)) < STARTED_TOGETHER_MS) {
    const code = codeOf(issued.created_at);
    if (context.secretBox.hashesOfCode(code).includes(issued.code_hash)) return code;
  }
  await deleteCodes(tx, 'set-up');
  const now = context.now();
  const code = codeOf(toIso(now));
  await keepCode(tx, { ...context, now: () => now }, code, { purpose: 'set-up', accountId: null });
  return code;
}

/** Returns a function that checks whether an operator exists. A positive result is cached. */
export function createSetUpCheck(db: Queryable): () => Promise<boolean> {
  let isSetUp = false;
  return async () => {
    isSetUp ||= await hasOperator(db);
    return isSetUp;
  };
}

/** Only one of several concurrent uses of a link succeeds. */
export async function completeSetUp(
  services: SignInServices,
  /** `password`: `null` if people sign in only through the identity provider. */
  input: Sent<'code' | 'email' | 'name'> & { readonly password: string | null },
): Promise<SignInResult> {
  const { context } = services;
  await countRequest(services, input.caller, byNetwork(CODE_BY_NETWORK, input.caller.address));
  const hash = input.password === null ? null : await hashPassword(input.password, context.random);
  const accountId = await context.db.transaction(async (tx) => {
    await consumeCode(tx, context, 'set-up', input.code);
    if (await hasOperator(tx))
      throw invalid(message('This service already has an operator. Sign in instead.'));
    const id = await addOperator(tx, context, { ...input, hash, actor: 'self' });
    if (id === null) {
      throw invalid(message('An account with this email address already exists. Use another address.'));
    }
    return id;
  });
  return signInProven(services, { accountId, factors: 1, caller: input.caller, how: 'link' });
}

export async function makeNamedOperator(
  context: Context,
  admin: { readonly email: string; readonly password: SecretSource },
  baseUrl: string,
): Promise<boolean> {
  if (await hasOperator(context.db.read)) return false;
  const email = parseEmail(admin.email);
  const password = await readPassword(admin.password, { person: [email], baseUrl });
  const hash = await hashPassword(password, context.random);
  return context.db.transaction(async (tx) => {
    if (await hasOperator(tx)) return false;
    const id = await addOperator(tx, context, { email, name: 'Operator', hash, actor: 'operator' });
    // A process that started concurrently may have created the operator.
    if (id === null && !(await hasOperator(tx))) {
      throw invalid('ADMIN_EMAIL is the address of an account that is not an operator. Use another address.');
    }
    return id !== null;
  });
}

/** Error messages name the setting and never quote the password. */
async function readPassword(source: SecretSource, about: PasswordContext): Promise<string> {
  let text: string;
  try {
    text = readSecret(source);
  } catch (error) {
    throw invalid(`${source.name} cannot be read: ${explainFailure(error)}`);
  }
  try {
    const password = parsePassword(text);
    await refuseGuessablePassword(password, about);
    return password;
  } catch (error) {
    throw error instanceof Refusal ? invalid(`${source.name}: ${error.message}`) : error;
  }
}

async function addOperator(
  tx: Transaction,
  context: Context,
  {
    email,
    name,
    actor,
    hash,
  }: Pick<NewAccount, 'email' | 'name' | 'actor'> & { readonly hash: string | null },
): Promise<string | null> {
  const operator = { email, name, actor, plan: 'everything', operator: true, verified: true } as const;
  const account = await addAccount(tx, context, operator);
  if (account === null) return null;
  if (hash !== null) await putPassword(tx, account.id, hash, context.at());
  return account.id;
}
