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
  OIDC_ISSUER: { isOfProvider: true },
  OIDC_CLIENT_ID: { isOfProvider: true },
  OIDC_CLIENT_SECRET: { isOfProvider: true, isSecret: true },
  OIDC_TRUST_EMAIL: { isOfProvider: true },
  OIDC_NAME: { isOfProvider: true },
  OIDC_OPERATOR_CLAIM: { isOfProvider: true },
  OIDC_ONLY: {},
  WEBHOOK_ALLOW_NETWORKS: {},
  UPDATE_CHECK_URL: {},
  LOG_LEVEL: {},
  METRICS_TOKEN: { isSecret: true },
  VERIFY_RATE_LIMIT: {},
  REQUEST_LOG_DAYS: {},
  REQUEST_LOG_CALLS: {},
  EVENT_LOG_MONTHS: {},
} as const;

type DocumentedName = keyof typeof SETTINGS;

type NamesWith<Trait> = {
  [Name in DocumentedName]: (typeof SETTINGS)[Name] extends Trait ? Name : never;
}[DocumentedName];

type ProviderSetting = NamesWith<{ readonly isOfProvider: true }>;

/** The first provider's settings have no number. The others have one, such as `OIDC_2_ISSUER`. */
export const PROVIDER_NUMBERS = [1, 2, 3, 4, 5] as const;
export type ProviderNumber = (typeof PROVIDER_NUMBERS)[number];

type Numbered<Name extends DocumentedName> = Name extends `OIDC_${infer Rest}`
  ? `OIDC_${Exclude<ProviderNumber, 1>}_${Rest}`
  : never;

export type SettingName = DocumentedName | Numbered<ProviderSetting>;

type DocumentedSecret = NamesWith<{ readonly isSecret: true }>;
export type SecretName = DocumentedSecret | Numbered<DocumentedSecret & ProviderSetting>;

export const SETTING_NAMES = Object.keys(SETTINGS) as DocumentedName[];

/** Returns the name of a provider's setting, such as `OIDC_2_ISSUER`. */
export const settingOfProvider = <Name extends ProviderSetting>(
  name: Name,
  number: ProviderNumber,
): Name | Numbered<Name> =>
  number === 1 ? name : (name.replace('OIDC_', `OIDC_${number}_`) as Numbered<Name>);

/** `OIDC_2_ISSUER` is documented as `OIDC_ISSUER`. */
const documentedName = (name: SettingName): DocumentedName =>
  name.replace(/^OIDC_\d_/, 'OIDC_') as DocumentedName;

const isProviderSetting = (name: DocumentedName): name is ProviderSetting => 'isOfProvider' in SETTINGS[name];

export const ALL_SETTING_NAMES: readonly SettingName[] = [
  ...SETTING_NAMES,
  ...PROVIDER_NUMBERS.slice(1).flatMap((number) =>
    SETTING_NAMES.filter(isProviderSetting).map((name) => settingOfProvider(name, number)),
  ),
];

export const isSecretName = <Name extends SettingName>(name: Name): name is Name & SecretName =>
  'isSecret' in SETTINGS[documentedName(name)];

/** The setting that names a file with the secret. */
export const fileForm = (name: SecretName): `${SecretName}_FILE` => `${name}_FILE`;

/** The setting of each variable, also for the variables that name a file with a secret. */
export const SETTING_OF_VARIABLE: ReadonlyMap<string, SettingName> = new Map(
  ALL_SETTING_NAMES.flatMap((name) => [
    [name, name] as const,
    ...(isSecretName(name) ? [[fileForm(name), name] as const] : []),
  ]),
);

const VARIABLES = new RegExp(String.raw`\b(?:${[...SETTING_OF_VARIABLE.keys()].join('|')})\b`);

/** Returns the documentation path of the first setting in the sentence, or `null` if there is none. */
export function docsOfSetting(sentence: string): string | null {
  const name = SETTING_OF_VARIABLE.get(VARIABLES.exec(sentence)?.[0] ?? '');
  return name === undefined ? null : guidePath(`settings#${documentedName(name).toLowerCase()}`);
}

/** Returns the source file of a documentation page, for errors while the service is not running. */
export const fileOfDocs = (path: string): string => path.replace(/^\/docs\/([\w-]+)/, 'docs/guide/$1.md');
