import { guidePath } from '../../base/paths.ts';

/** In the order of `docs/guide/settings.md`. A secret can also be in a file, which `fileForm` of its name sets. */
export const SETTINGS = {
  PORT: {},
  HOST: {},
  BASE_URL: {},
  TRUSTED_PROXIES: {},
  KEEP_ALIVE_SECONDS: {},
  MARKETPLACE_NAME: {},
  MARKETPLACE_ACCENT: {},
  MARKETPLACE_HEADLINE: {},
  MARKETPLACE_LEAD: {},
  MARKETPLACE_LANGUAGE: {},
  MARKETPLACE_LANGUAGE_SWITCH: {},
  TIME_ZONE: {},
  SECURITY_CONTACT: {},
  MARKETPLACE_IMPRINT: {},
  MARKETPLACE_PRIVACY: {},
  MARKETPLACE_TERMS: {},
  MARKETPLACE_TERMS_DATE: {},
  MARKETPLACE_CONSENT: {},
  MARKETPLACE_FOOTER: {},
  MARKETPLACE_RUNS_ON: {},
  DATA_DIR: {},
  DATABASE_URL: { isSecret: true },
  DATABASE_PASSWORD: { isSecret: true },
  SECRET_KEY: { isSecret: true },
  BACKUP_DIR: {},
  BACKUP_EVERY: {},
  BACKUP_KEEP: {},
  BACKUP_S3_URL: {},
  BACKUP_S3_KEY_ID: {},
  BACKUP_S3_SECRET: { isSecret: true },
  BACKUP_S3_REGION: {},
  SMTP_URL: { isSecret: true },
  MAIL_FROM: {},
  ADMIN_EMAIL: {},
  ADMIN_PASSWORD: { isSecret: true },
  OPERATOR_SECOND_FACTOR: {},
  OIDC_ISSUER: {},
  OIDC_CLIENT_ID: {},
  OIDC_CLIENT_SECRET: { isSecret: true },
  OIDC_TRUST_EMAIL: {},
  OIDC_NAME: {},
  WEBHOOK_ALLOW_NETWORKS: {},
  LOG_LEVEL: {},
  METRICS_TOKEN: { isSecret: true },
  VERIFY_RATE_LIMIT: {},
  REQUEST_LOG_DAYS: {},
  REQUEST_LOG_CALLS: {},
  EVENT_LOG_MONTHS: {},
} as const;

export type SettingName = keyof typeof SETTINGS;

export type SecretName = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { readonly isSecret: true } ? Name : never;
}[SettingName];

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

export const isSecretName = (name: SettingName): name is SecretName => 'isSecret' in SETTINGS[name];

/** The setting that names a file with the secret. */
export const fileForm = (name: SecretName): `${SecretName}_FILE` => `${name}_FILE`;

/** The setting of each variable, also for the variables that name a file with a secret. */
export const SETTING_OF_VARIABLE: ReadonlyMap<string, SettingName> = new Map(
  SETTING_NAMES.flatMap((name) => [
    [name, name] as const,
    ...(isSecretName(name) ? [[fileForm(name), name] as const] : []),
  ]),
);

const VARIABLES = new RegExp(String.raw`\b(?:${[...SETTING_OF_VARIABLE.keys()].join('|')})\b`);

/** Returns the documentation path of the first setting in the sentence, or `null` if there is none. */
export function docsOfSetting(sentence: string): string | null {
  const name = SETTING_OF_VARIABLE.get(VARIABLES.exec(sentence)?.[0] ?? '');
  return name === undefined ? null : guidePath(`settings#${name.toLowerCase()}`);
}

/** Returns the source file of a documentation page, for errors while the service is not running. */
export const fileOfDocs = (path: string): string => path.replace(/^\/docs\/([\w-]+)/, 'docs/guide/$1.md');
