import { message } from '../../platform/languages/translate.ts';
import type { SecretSource } from '../../platform/secrets/secret-source.ts';
import { type Complain, type FindSecret, isServiceUrl, quote, type ReadSetting } from './setting.ts';

const DEFAULT_OIDC_NAME = message('your company’s account');
const MAX_OIDC_NAME_LENGTH = 60;

export interface FirstOperator {
  readonly email: string;
  readonly password: SecretSource;
}

export function parseAdmin(
  setting: ReadSetting,
  secret: FindSecret,
  complain: Complain,
): FirstOperator | null {
  const email = setting('ADMIN_EMAIL');
  const password = secret('ADMIN_PASSWORD');
  if (email !== null && password !== null) return { email, password };
  if (email !== null)
    complain('ADMIN_EMAIL is set without ADMIN_PASSWORD or ADMIN_PASSWORD_FILE. Set both or neither.');
  if (password !== null) complain(`${password.name} is set without ADMIN_EMAIL. Set both or neither.`);
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

export function parseOidc(setting: ReadSetting, secret: FindSecret, complain: Complain) {
  const needed = {
    OIDC_ISSUER: setting('OIDC_ISSUER'),
    OIDC_CLIENT_ID: setting('OIDC_CLIENT_ID'),
    OIDC_CLIENT_SECRET: secret('OIDC_CLIENT_SECRET'),
  };
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = needed;
  const name = setting('OIDC_NAME');
  const trustsEmail = setting('OIDC_TRUST_EMAIL');
  if ((issuer ?? clientId ?? clientSecret ?? name ?? trustsEmail) === null) return null;
  for (const [one, value] of Object.entries(needed)) {
    if (value !== null) continue;
    complain(
      `${one} is not set; signing in through an identity provider needs ${Object.keys(needed).join(', ')}.`,
    );
  }
  if (name !== null && name.length > MAX_OIDC_NAME_LENGTH) {
    complain(`OIDC_NAME has ${name.length} characters; at most ${MAX_OIDC_NAME_LENGTH} are allowed.`);
  }
  if (trustsEmail !== null && trustsEmail !== 'true' && trustsEmail !== 'false') {
    complain(`OIDC_TRUST_EMAIL must be true or false; found ${quote(trustsEmail)}.`);
  }
  if (issuer === null || clientId === null || clientSecret === null) return null;
  if (!isServiceUrl(URL.parse(issuer))) {
    complain(
      'OIDC_ISSUER must be an https URL (http only for a server on this machine) without a user name, query or fragment (example: https://login.example.com).',
    );
  }
  return {
    issuer,
    clientId,
    clientSecret,
    trustsEmail: trustsEmail === 'true',
    name: name ?? DEFAULT_OIDC_NAME,
  };
}
