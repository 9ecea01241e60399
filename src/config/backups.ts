/** BACKUP_DIR, BACKUP_EVERY and BACKUP_KEEP. */
import { resolve } from 'node:path';
import { DAY_MS, parseHoursOrDays } from '../text/durations.ts';
import { type Complain, parseInteger, quote, type ReadSetting } from './setting.ts';

const DEFAULT_EVERY = '24h';
const MAX_EVERY_MS = 31 * DAY_MS;
const DEFAULT_KEPT = 7;
const MAX_KEPT = 1_000;

/** `null`: no scheduled backups. */
export function parseBackups(setting: ReadSetting, complain: Complain) {
  const dir = setting('BACKUP_DIR');
  const every = setting('BACKUP_EVERY');
  const everyMs = parseHoursOrDays(every ?? DEFAULT_EVERY);
  if (everyMs === null || everyMs > MAX_EVERY_MS) {
    complain(`BACKUP_EVERY must be hours or days from 1h to 31d; found ${quote(every ?? '')} (example: 6h).`);
  }
  const keep = parseInteger('BACKUP_KEEP', setting('BACKUP_KEEP'), DEFAULT_KEPT, [1, MAX_KEPT], complain);
  if (dir === null && (every ?? setting('BACKUP_KEEP')) !== null) {
    complain(
      'BACKUP_EVERY and BACKUP_KEEP need BACKUP_DIR, the folder for backups (example: /var/backups/claimcheck).',
    );
  }
  return dir === null ? null : { dir: resolve(dir), everyMs: everyMs ?? DAY_MS, keep };
}
