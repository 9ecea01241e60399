import { message } from '../../platform/languages/translate.ts';
import type { SecretSource } from '../../platform/process/environment.ts';
import { type Complain, type FindSecret, isServiceUrl, quote, type ReadSetting } from './setting.ts';
import { PROVIDER_NUMBERS, type ProviderNumber, type SettingName, settingOfProvider } from './settings.ts';

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

/** The company's identity providers, in the order of their buttons. */
export interface OidcSettings {
  readonly providers: readonly NonNullable<ReturnType<typeof parseProvider>>[];
  /** Whether people can sign in only through these providers. */
  readonly isOnly: boolean;
}

export function parseOidc(setting: ReadSetting, secret: FindSecret, complain: Complain): OidcSettings {
  const providers = PROVIDER_NUMBERS.flatMap((number) => {
    const provider = parseProvider(number, { setting, secret, complain });
    return provider === null ? [] : [provider];
  });
  for (const [index, { number, issuer, issuerSetting, name }] of providers.entries()) {
    const earlier = providers.slice(0, index);
    const same = earlier.find((one) => withoutSlash(one.issuer) === withoutSlash(issuer));
    if (same !== undefined) complain(`${issuerSetting} is the same provider as ${same.issuerSetting}.`);
    if (earlier.some((one) => String(one.name) === String(name))) {
      complain(
        `${settingOfProvider('OIDC_NAME', number)} must differ from the names of the other identity providers.`,
      );
    }
  }
  const isOnly = parseFlag('OIDC_ONLY', setting, complain) ?? false;
  if (isOnly && providers.length === 0) {
    complain('OIDC_ONLY is true, but OIDC_ISSUER is not set.');
  }
  return { providers, isOnly };
}

const withoutSlash = (issuer: string): string => issuer.replace(/\/$/, '');

interface Reading {
  readonly setting: ReadSetting;
  readonly secret: FindSecret;
  readonly complain: Complain;
}

function parseProvider(number: ProviderNumber, { setting, secret, complain }: Reading) {
  const issuerSetting = settingOfProvider('OIDC_ISSUER', number);
  const idSetting = settingOfProvider('OIDC_CLIENT_ID', number);
  const secretSetting = settingOfProvider('OIDC_CLIENT_SECRET', number);
  const nameSetting = settingOfProvider('OIDC_NAME', number);
  const [issuer, clientId, clientSecret] = [
    setting(issuerSetting),
    setting(idSetting),
    secret(secretSetting),
  ];
  const name = setting(nameSetting);
  const trustsEmail = parseFlag(settingOfProvider('OIDC_TRUST_EMAIL', number), setting, complain);
  const claimSetting = settingOfProvider('OIDC_OPERATOR_CLAIM', number);
  const operatorClaim = parseClaim(claimSetting, setting, complain);
  if ((issuer ?? clientId ?? clientSecret ?? name ?? trustsEmail ?? operatorClaim) === null) return null;
  const needed = { [issuerSetting]: issuer, [idSetting]: clientId, [secretSetting]: clientSecret };
  for (const [one, value] of Object.entries(needed)) {
    if (value !== null) continue;
    complain(
      `${one} is not set; signing in through an identity provider needs ${Object.keys(needed).join(', ')}.`,
    );
  }
  if (name !== null && name.length > MAX_OIDC_NAME_LENGTH) {
    complain(`${nameSetting} has ${name.length} characters; at most ${MAX_OIDC_NAME_LENGTH} are allowed.`);
  }
  if (issuer === null || clientId === null || clientSecret === null) return null;
  if (!isServiceUrl(URL.parse(issuer))) {
    complain(
      `${issuerSetting} must be an https URL (http only for a server on this machine) without a user name, query or fragment (example: https://login.example.com).`,
    );
  }
  if (isOpenToTenants(issuer) && (trustsEmail === true || operatorClaim !== null)) {
    complain(
      `${issuerSetting} lets people of every organization sign in, so ${trustsEmail === true ? settingOfProvider('OIDC_TRUST_EMAIL', number) : claimSetting} can’t be set: anyone can create an organization and decide there what it says about its people. Use the issuer of your organization, with its ID in place of ${quote(tenantOf(issuer))}.`,
    );
  }
  return {
    number,
    issuer,
    issuerSetting,
    clientId,
    clientSecret,
    trustsEmail: trustsEmail ?? false,
    name: name ?? DEFAULT_OIDC_NAME,
    operatorClaim,
  };
}

const tenantOf = (issuer: string): string => new URL(issuer).pathname.split('/')[1] ?? '';

/** These issuers of Microsoft Entra accept the accounts of every tenant. The OpenID library then accepts every `tid`. */
const isOpenToTenants = (issuer: string): boolean =>
  URL.parse(issuer)?.hostname === 'login.microsoftonline.com' &&
  /^(?:common|organizations|consumers)$/i.test(tenantOf(issuer));

/** A claim and the value that it must have or, if it is a list, contain. */
interface RequiredClaim {
  readonly claim: string;
  readonly value: string;
}

/**
 * The standard claims in which people describe themselves. Not `preferred_username`, which some companies set for their
 * people: `doctor` reports it. `email` must be verified (`claimsFrom`).
 */
const SELF_DESCRIPTIONS: ReadonlySet<string> = new Set([
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'profile',
  'picture',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone_number',
  'address',
]);

function parseClaim(name: SettingName, setting: ReadSetting, complain: Complain): RequiredClaim | null {
  const text = setting(name);
  if (text === null) return null;
  // The value may contain the character, as in the name of a group in a directory.
  const end = text.indexOf('=');
  const [claim, value] = [text.slice(0, Math.max(0, end)).trim(), text.slice(end + 1).trim()];
  if (SELF_DESCRIPTIONS.has(claim.split('.')[0]!)) {
    complain(
      `${name} can’t be the claim ${quote(claim)}, because at most providers people choose its value themselves, so anyone could become an operator. Use a claim that only administrators of the provider set, such as a group or a role.`,
    );
    return null;
  }
  if (claim !== '' && value !== '') return { claim, value };
  complain(
    `${name} must be the name of a claim and its value, such as groups=claimcheck-operators; found ${quote(text)}.`,
  );
  return null;
}

function parseFlag(name: SettingName, setting: ReadSetting, complain: Complain): boolean | null {
  const text = setting(name);
  if (text !== null && text !== 'true' && text !== 'false') {
    complain(`${name} must be true or false; found ${quote(text)}.`);
  }
  return text === null ? null : text === 'true';
}
