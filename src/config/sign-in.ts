import { resolve } from 'node:path';
import { message, type Words } from '../languages/translate.ts';
import { type Complain, isServiceUrl, quote } from './setting.ts';

const DEFAULT_OIDC_NAME = message('your company’s account');
const MAX_OIDC_NAME_LENGTH = 60;

export interface FirstOperator {
  readonly email: string;
  /** An absolute path. */
  readonly passwordFile: string;
}

export function parseAdmin(
  email: string | null,
  passwordFile: string | null,
  complain: Complain,
): FirstOperator | null {
  if (email !== null && passwordFile !== null) return { email, passwordFile: resolve(passwordFile) };
  if (email !== null) complain('ADMIN_EMAIL is set without ADMIN_PASSWORD_FILE. Set both or neither.');
  if (passwordFile !== null) {
    complain('ADMIN_PASSWORD_FILE is set without ADMIN_EMAIL. Set both or neither.');
  }
  return null;
}

export type SecondFactorRule = 'required' | 'optional';

export function parseSecondFactorRule(text: string | null, complain: Complain): SecondFactorRule | null {
  if (text === null || text === 'required' || text === 'optional') return text;
  complain(`OPERATOR_SECOND_FACTOR must be required or optional; found ${quote(text)}.`);
  return null;
}

export const secondFactorRule = (rule: SecondFactorRule | null, baseUrl: string): SecondFactorRule =>
  rule ?? (baseUrl.startsWith('https://') ? 'required' : 'optional');

export interface OidcSettings {
  /** Spelled as in the provider's metadata. */
  readonly issuer: string;
  readonly clientId: string;
  /** An absolute path. */
  readonly clientSecretFile: string;
  /** OIDC_TRUST_EMAIL: accept an address even if the provider does not say whether the address is confirmed. */
  readonly trustsEmail: boolean;
  /** What the sign-in button calls the provider. */
  readonly name: Words;
}

/** Returns `null` if a required setting is missing, and complains about it if any other is set. */
export function parseOidc(
  texts: Readonly<Record<keyof OidcSettings, string | null>>,
  complain: Complain,
): OidcSettings | null {
  const { issuer, clientId, clientSecretFile, trustsEmail, name } = texts;
  if (Object.values(texts).every((text) => text === null)) return null;
  const needed = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET_FILE: clientSecretFile,
  };
  const names = Object.keys(needed).join(', ');
  for (const [setting, text] of Object.entries(needed)) {
    if (text !== null) continue;
    complain(`${setting} is not set; signing in through an identity provider needs ${names}.`);
  }
  if (name !== null && name.length > MAX_OIDC_NAME_LENGTH) {
    complain(`OIDC_NAME has ${name.length} characters; at most ${MAX_OIDC_NAME_LENGTH} are allowed.`);
  }
  if (trustsEmail !== null && trustsEmail !== 'true' && trustsEmail !== 'false') {
    complain(`OIDC_TRUST_EMAIL must be true or false; found ${quote(trustsEmail)}.`);
  }
  if (issuer === null || clientId === null || clientSecretFile === null) return null;
  if (!isServiceUrl(URL.parse(issuer))) {
    complain(
      'OIDC_ISSUER must be an https URL (http only for a server on this machine) without user name, query or fragment (example: https://login.example.com).',
    );
  }
  return {
    issuer,
    clientId,
    clientSecretFile: resolve(clientSecretFile),
    trustsEmail: trustsEmail === 'true',
    name: name ?? DEFAULT_OIDC_NAME,
  };
}
