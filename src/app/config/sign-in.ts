import { resolve } from 'node:path';
import { message } from '../../platform/languages/translate.ts';
import { type Complain, isServiceUrl, quote, type ReadSetting } from './setting.ts';

const DEFAULT_OIDC_NAME = message('your company’s account');
const MAX_OIDC_NAME_LENGTH = 60;

export interface FirstOperator {
  readonly email: string;
  /** An absolute path. */
  readonly passwordFile: string;
}

export function parseAdmin(setting: ReadSetting, complain: Complain): FirstOperator | null {
  const email = setting('ADMIN_EMAIL');
  const passwordFile = setting('ADMIN_PASSWORD_FILE');
  if (email !== null && passwordFile !== null) return { email, passwordFile: resolve(passwordFile) };
  if (email !== null) complain('ADMIN_EMAIL is set without ADMIN_PASSWORD_FILE. Set both or neither.');
  if (passwordFile !== null) complain('ADMIN_PASSWORD_FILE is set without ADMIN_EMAIL. Set both or neither.');
  return null;
}

export type SecondFactorRule = 'required' | 'optional';

export function parseSecondFactorRule(setting: ReadSetting, complain: Complain): SecondFactorRule | null {
  const text = setting('OPERATOR_SECOND_FACTOR');
  if (text === null || text === 'required' || text === 'optional') return text;
  complain(`OPERATOR_SECOND_FACTOR must be required or optional; found ${quote(text)}.`);
  return null;
}

export const secondFactorRule = (rule: SecondFactorRule | null, baseUrl: string): SecondFactorRule =>
  rule ?? (baseUrl.startsWith('https://') ? 'required' : 'optional');

export function parseOidc(setting: ReadSetting, complain: Complain) {
  const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET_FILE'] as const;
  const [issuer, clientId, clientSecretFile] = needed.map(setting) as [
    string | null,
    string | null,
    string | null,
  ];
  const name = setting('OIDC_NAME');
  const trustsEmail = setting('OIDC_TRUST_EMAIL');
  if ((issuer ?? clientId ?? clientSecretFile ?? name ?? trustsEmail) === null) return null;
  for (const one of needed) {
    if (setting(one) !== null) continue;
    complain(`${one} is not set; signing in through an identity provider needs ${needed.join(', ')}.`);
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
      'OIDC_ISSUER must be an https URL (http only for a server on this machine) without a user name, query or fragment (example: https://login.example.com).',
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
