import { guidePath } from '../../base/paths.ts';
import type { Words } from '../../platform/languages/translate.ts';
import { explainFailure } from '../../platform/process/failure.ts';

/** In the order of `docs/guide/doctor.md`, which has a section about each check. */
export const CHECKS = [
  'settings',
  'database',
  'durability',
  'servers',
  'failover',
  'connection limit',
  'schema',
  'schema objects',
  'writing',
  'backup',
  'background work',
  'clock',
  'codes',
  'event log',
  'partitions',
  'secret key',
  'earlier secret keys',
  'missing secret key',
  'secret files',
  'folders',
  'disk',
  'file system',
  'write-ahead log',
  'mail',
  'mail delivery',
  'unused mail',
  'identity provider',
  'database connection',
  'proxies',
  'updates',
  'content',
  'operator',
] as const;

export type CheckName = (typeof CHECKS)[number];

export const docsOfCheck = (check: CheckName): string =>
  `${guidePath('doctor')}#${check.replaceAll(' ', '-')}`;

export interface Check {
  readonly check: CheckName;
  readonly ok: boolean;
  /** The check passed, but the operator should read `detail`. */
  readonly note?: true;
  /** The finding and, if the check failed, the fix. */
  readonly detail: Words;
}

export const passed = (check: CheckName, detail: Words): Check => ({ check, ok: true, detail });
export const noted = (check: CheckName, detail: Words): Check => ({ check, ok: true, note: true, detail });
export const failed = (check: CheckName, detail: Words): Check => ({ check, ok: false, detail });

export async function examined(
  check: CheckName,
  examine: () => Promise<Check | readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return [await examine()].flat();
  } catch (error) {
    return [failed(check, explainFailure(error))];
  }
}
