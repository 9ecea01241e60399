import { resolve } from 'node:path';
import { DAY_MS, parseHoursOrDays } from '../../platform/text/durations.ts';
import { withoutTail } from '../../platform/text/text.ts';
import {
  type Complain,
  type FindSecret,
  isServiceUrl,
  parseInteger,
  quote,
  type ReadSetting,
} from './setting.ts';

const DEFAULT_EVERY = '24h';
const MAX_EVERY_MS = 31 * DAY_MS;
const DEFAULT_KEPT = 7;
const MAX_KEPT = 1_000;
const DEFAULT_REGION = 'us-east-1';

/** Returns `null` if BACKUP_DIR is not set, because backups are not scheduled without a folder. */
export function parseBackups(setting: ReadSetting, secret: FindSecret, complain: Complain) {
  const dir = setting('BACKUP_DIR');
  const every = setting('BACKUP_EVERY');
  const everyMs = parseHoursOrDays(every ?? DEFAULT_EVERY);
  if (everyMs === null || everyMs > MAX_EVERY_MS) {
    complain(
      `BACKUP_EVERY must be a number of hours or days from 1h to 31d; found ${quote(every ?? '')} (example: 6h).`,
    );
  }
  const keep = parseInteger('BACKUP_KEEP', setting('BACKUP_KEEP'), DEFAULT_KEPT, [1, MAX_KEPT], complain);
  const copies = parseCopies(setting, secret, complain);
  if (dir === null && (every ?? setting('BACKUP_KEEP') ?? copies) !== null) {
    complain(
      'BACKUP_EVERY, BACKUP_KEEP and BACKUP_S3_URL need BACKUP_DIR, the folder for backups (example: /var/backups/claimcheck).',
    );
  }
  return dir === null ? null : { dir: resolve(dir), everyMs: everyMs ?? DAY_MS, keep, copies };
}

/** Returns the S3 bucket for copies of backups, or `null` if the settings of the bucket are missing or incomplete. */
function parseCopies(setting: ReadSetting, secretOf: FindSecret, complain: Complain) {
  const needed = {
    BACKUP_S3_URL: setting('BACKUP_S3_URL'),
    BACKUP_S3_KEY_ID: setting('BACKUP_S3_KEY_ID'),
    BACKUP_S3_SECRET: secretOf('BACKUP_S3_SECRET'),
  };
  const { BACKUP_S3_URL: url, BACKUP_S3_KEY_ID: keyId, BACKUP_S3_SECRET: secret } = needed;
  const region = setting('BACKUP_S3_REGION');
  if ((url ?? keyId ?? secret ?? region) === null) return null;
  for (const [name, value] of Object.entries(needed)) {
    if (value !== null) continue;
    complain(`${name} is not set; copies of backups need ${Object.keys(needed).join(', ')}.`);
  }
  if (url === null || keyId === null || secret === null) return null;
  return {
    url: parseBucketUrl(url, complain),
    keyId,
    secret,
    region: region ?? DEFAULT_REGION,
  };
}

const EXAMPLE = 'example: https://s3.eu-central-1.amazonaws.com/bucket/claimcheck';

function parseBucketUrl(text: string, complain: Complain): string {
  const url = URL.parse(text);
  if (!isServiceUrl(url)) {
    complain(
      `BACKUP_S3_URL must be an https URL (http only for a server on this machine) without a user name, query or fragment (${EXAMPLE}).`,
    );
    return '';
  }
  const path = withoutTail(url.pathname, /\//);
  if (path === '')
    complain(`BACKUP_S3_URL names no bucket. Add the bucket name after the host (${EXAMPLE}).`);
  return url.origin + path;
}
