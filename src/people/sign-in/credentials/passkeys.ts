/** Passkeys (WebAuthn level 3). User verification is required, so a passkey counts as both factors. */

import { isIP } from 'node:net';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { invalid, Refusal } from '../../../platform/errors.ts';
import { message } from '../../../platform/languages/translate.ts';
import { withoutBrackets } from '../../../platform/network/network.ts';
import { DatabaseUnavailable, type Transaction } from '../../../platform/store/database.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { parseLine } from '../../../platform/text/text.ts';
import { consumeCode, deleteCodes, keepCode } from '../codes/queries.ts';
import { byNetwork, PASSKEY_BY_NETWORK } from '../limits/limits.ts';
import { countRequest } from '../limits/throttle.ts';
import type { Caller, SignInServices } from '../services.ts';
import { appendAccountEvent, type OwnSession, type Renewed, renewedAfter } from '../sessions/sessions.ts';
import { deletePasskey, findPasskey, insertPasskey, listCredentials, updatePasskeyUse } from './queries.ts';

const CHALLENGE_BYTES = 32;
/** Ed25519, ES256 and RS256 (COSE). The library's default may include ML-DSA, for which Node prints warnings. */
const ALGORITHMS = [-8, -7, -257];
const MAX_NAME_LENGTH = 60;
const MAX_PASSKEYS = 20;

export const parsePasskeyName = (text: string): string =>
  parseLine(text, message('The name of the passkey'), MAX_NAME_LENGTH);

/** Base64url of at most 1,023 bytes (WebAuthn level 3 section 4). PostgreSQL stores no U+0000, which JSON can contain. */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/;

/** The host name for passkeys; `null` if the service uses an IP address, which WebAuthn doesn't allow. */
export function passkeyHost(baseUrl: string): string | null {
  const { hostname } = new URL(baseUrl);
  return isIP(withoutBrackets(hostname)) === 0 ? hostname : null;
}

function requireHost(baseUrl: string): string {
  const host = passkeyHost(baseUrl);
  if (host !== null) return host;
  throw invalid(message('Passkeys need a host name, but this service is reached at an IP address.'));
}

/** Loaded on first use, because loading is slow. */
const webAuthn = () => import('@simplewebauthn/server');

export type PasskeyOptions = Readonly<Record<string, unknown>>;

export async function beginPasskey(
  services: SignInServices,
  { accountId, email }: Pick<OwnSession, 'accountId' | 'email'>,
): Promise<PasskeyOptions> {
  const { context, baseUrl } = services;
  const rpID = requireHost(baseUrl);
  const credentials = await listCredentials(context.db.read, accountId);
  if (credentials.length >= MAX_PASSKEYS) {
    throw invalid(
      message('An account can have at most {max} passkeys. Remove one first.', {
        max: MAX_PASSKEYS,
      }),
    );
  }
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: context.marketplace.brand.name,
    rpID,
    userName: email,
    userID: handleOf(accountId),
    challenge: new Uint8Array(context.random(CHALLENGE_BYTES)),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: credentials.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: JSON.parse(transports) as string[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await context.db.transaction(async (tx) => {
    // Replaces the challenge of an earlier, unfinished attempt.
    await deleteCodes(tx, 'add-passkey', accountId);
    await keepCode(tx, context, options.challenge, { purpose: 'add-passkey', accountId });
  });
  return { ...options };
}

/** Stores a passkey that answers an unused challenge of this account. The session then has two factors. */
export async function addPasskey(
  services: SignInServices,
  {
    session,
    name,
    credential: signed,
  }: { readonly session: OwnSession; readonly name: string; readonly credential: string },
): Promise<Renewed> {
  const { context, baseUrl } = services;
  const { accountId } = session;
  const rpID = requireHost(baseUrl);
  const { verifyRegistrationResponse } = await webAuthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: jsonOf(signed),
    expectedChallenge: (challenge) => useChallenge(services, 'add-passkey', challenge, accountId),
    expectedOrigin: new URL(baseUrl).origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse);
  if (!verified) throw invalid(DID_NOT_WORK);
  const { credential } = registrationInfo;
  const id = uuidv7(context);
  const add = async (tx: Transaction) => {
    const isNew = await insertPasskey(tx, {
      id,
      account_id: accountId,
      name,
      credential_id: credential.id,
      public_key: credential.publicKey,
      counter: credential.counter,
      transports: JSON.stringify(transportsOf(credential.transports)),
      created_at: context.at(),
    });
    if (!isNew) throw invalid(message('This passkey is already registered.'));
    await appendAccountEvent(context, tx, accountId, 'session.passkey_added', { name }, id);
  };
  return renewedAfter(services, session, add, 2);
}

export async function removePasskey(
  { context }: SignInServices,
  { accountId, passkeyId }: { readonly accountId: string; readonly passkeyId: string },
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const name = await deletePasskey(tx, accountId, passkeyId);
    if (name === null) return false;
    await appendAccountEvent(context, tx, accountId, 'session.passkey_removed', { name }, passkeyId);
    return true;
  });
}

/** Rate-limited (429), because each challenge is stored until it is used or expires. */
export async function beginPasskeySignIn(services: SignInServices, caller: Caller): Promise<PasskeyOptions> {
  const { context, baseUrl } = services;
  const rpID = requireHost(baseUrl);
  await countRequest(services, caller, byNetwork(PASSKEY_BY_NETWORK, caller.address));
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(context.random(CHALLENGE_BYTES)),
    userVerification: 'required',
  });
  await context.db.transaction((tx) =>
    keepCode(tx, context, options.challenge, { purpose: 'use-passkey', accountId: null }),
  );
  return { ...options };
}

/** Verifies that a registered passkey signed an unused challenge. Returns the id of the passkey's account. */
export async function verifyPasskey(services: SignInServices, credential: string): Promise<string> {
  const { context, baseUrl } = services;
  const rpID = requireHost(baseUrl);
  const response = jsonOf<AuthenticationResponseJSON>(credential);
  const isId = typeof response.id === 'string' && CREDENTIAL_ID.test(response.id);
  const passkey = isId ? await findPasskey(context.db.read, response.id) : undefined;
  if (passkey === undefined) {
    throw invalid(message('This passkey is not registered here. Use another way to sign in.'));
  }
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => useChallenge(services, 'use-passkey', challenge),
    expectedOrigin: new URL(baseUrl).origin,
    expectedRPID: rpID,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: Number(passkey.counter),
    },
    requireUserVerification: true,
  }).catch(refuse);
  if (!verified || !isHandleOf(response, passkey.account_id)) throw invalid(DID_NOT_WORK);
  const { newCounter } = authenticationInfo;
  await context.db.transaction((tx) => updatePasskeyUse(tx, passkey.id, newCounter, context.at()));
  return passkey.account_id;
}

/** The browser sends any text. Unknown transports are valid (WebAuthn level 3 section 5.8.4). */
const transportsOf = (transports: unknown): readonly string[] =>
  Array.isArray(transports)
    ? transports.filter((one) => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one)).slice(0, 10)
    : [];

const DID_NOT_WORK = message('The passkey did not work. Try again.');

/** Consumes a challenge. Returns true only once for each challenge, and only for its purpose and account. */
async function useChallenge(
  { context }: SignInServices,
  purpose: 'add-passkey' | 'use-passkey',
  challenge: string,
  accountId?: string,
): Promise<boolean> {
  try {
    await context.db.transaction((tx) => consumeCode(tx, context, purpose, challenge, accountId));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

const refuse = (error: unknown): never => {
  throw error instanceof DatabaseUnavailable ? error : invalid(DID_NOT_WORK);
};

function jsonOf<T>(text: string): T {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as T;
  } catch {}
  throw invalid(DID_NOT_WORK);
}

const handleOf = (accountId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(accountId.replaceAll('-', ''), 'hex'));

/** Whether the user handle, if any, matches the account (WebAuthn level 3 section 7.2 step 6). */
const isHandleOf = ({ response }: AuthenticationResponseJSON, accountId: string): boolean =>
  response.userHandle === undefined ||
  response.userHandle === Buffer.from(handleOf(accountId)).toString('base64url');
