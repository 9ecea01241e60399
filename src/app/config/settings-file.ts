import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readSettingFile } from '../../platform/process/files.ts';
import { SETTINGS } from './settings.ts';

export const SETTINGS_FILE = 'claimcheck.env';

/** What an owner's server needs. The dashboard offers a new API key as a download with the same name. */
const OWNERS_VARIABLES = [
  'CLAIMCHECK_API_KEY',
  'CLAIMCHECK_KEY',
  'CLAIMCHECK_URL',
  'CLAIMCHECK_WEBHOOK_SECRET',
] as const;

const ALLOWED: ReadonlySet<string> = new Set([...SETTINGS, ...OWNERS_VARIABLES]);

/**
 * Adds the settings in `claimcheck.env` in this folder, if it exists, to the environment. Variables that are set already
 * take precedence. Throws if the file contains something else: other variables, such as NODE_OPTIONS, could run code.
 */
export function loadSettingsFile(folder: string, env: Record<string, string | undefined>): void {
  const path = join(folder, SETTINGS_FILE);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return;
  requireTrusted(path, stats);
  const settings = parseEnv(readSettingFile(path));
  for (const [name, value] of Object.entries(settings)) {
    if (!ALLOWED.has(name)) {
      throw new Error(`${path} sets ${name}, which is not a setting; see docs/guide/settings.md`);
    }
    env[name] ??= value;
  }
}

/** Whoever writes the file chooses the database and the secret key. */
function requireTrusted(path: string, { uid, mode }: Stats): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  if (uid !== user && uid !== 0) {
    throw new Error(
      `${path} belongs to another user, so its settings are not used; remove it or change its owner`,
    );
  }
  if ((mode & 0o022) !== 0) {
    throw new Error(`other users can write to ${path}, so its settings are not used; run chmod go-w on it`);
  }
}
