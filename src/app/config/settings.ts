import { guidePath } from '../../base/paths.ts';

/** In the order of `docs/guide/settings.md`. */
export const SETTINGS = [
  'PORT',
  'HOST',
  'BASE_URL',
  'TRUSTED_PROXIES',
  'KEEP_ALIVE_SECONDS',
  'MARKETPLACE_NAME',
  'MARKETPLACE_ACCENT',
  'MARKETPLACE_HEADLINE',
  'MARKETPLACE_LEAD',
  'MARKETPLACE_LANGUAGE',
  'MARKETPLACE_LANGUAGE_SWITCH',
  'TIME_ZONE',
  'SECURITY_CONTACT',
  'MARKETPLACE_IMPRINT',
  'MARKETPLACE_PRIVACY',
  'MARKETPLACE_TERMS',
  'MARKETPLACE_TERMS_DATE',
  'MARKETPLACE_CONSENT',
  'MARKETPLACE_FOOTER',
  'MARKETPLACE_RUNS_ON',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_PASSWORD_FILE',
  'SECRET_KEY',
  'SECRET_KEY_FILE',
  'BACKUP_DIR',
  'BACKUP_EVERY',
  'BACKUP_KEEP',
  'BACKUP_S3_URL',
  'BACKUP_S3_KEY_ID',
  'BACKUP_S3_SECRET_FILE',
  'BACKUP_S3_REGION',
  'SMTP_URL',
  'MAIL_FROM',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD_FILE',
  'OPERATOR_SECOND_FACTOR',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET_FILE',
  'OIDC_TRUST_EMAIL',
  'OIDC_NAME',
  'WEBHOOK_ALLOW_NETWORKS',
  'LOG_LEVEL',
  'METRICS_TOKEN',
  'VERIFY_RATE_LIMIT',
  'REQUEST_LOG_DAYS',
  'REQUEST_LOG_CALLS',
  'EVENT_LOG_MONTHS',
] as const;

export type SettingName = (typeof SETTINGS)[number];

const NAMES = new RegExp(String.raw`\b(?:${SETTINGS.join('|')})\b`);

/** Returns the documentation path of the first setting in the sentence, or `null` if there is none. */
export function docsOfSetting(sentence: string): string | null {
  const name = NAMES.exec(sentence)?.[0];
  return name === undefined ? null : guidePath(`settings#${name.toLowerCase()}`);
}

/** Returns the source file of a documentation page, for errors while the service is not running. */
export const fileOfDocs = (path: string): string => path.replace(/^\/docs\/([\w-]+)/, 'docs/guide/$1.md');
