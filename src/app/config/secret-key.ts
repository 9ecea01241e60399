/** Loads the secret keys. If none is configured, the first start creates one in the data folder. */

import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettingFile } from '../../platform/process/environment.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { flush, isCode, makeFolder } from '../../platform/process/files.ts';
import { parseSecretKeys, type SecretKeys } from '../../platform/secrets/secret-keys.ts';
import { type Complain, ConfigProblems, type FindSecret } from './setting.ts';

/** In the data folder. */
export const SECRET_KEY_NAME = 'secret.key';

interface KeySettings {
  readonly secretKey: SecretKeySource;
  readonly dataDir: string;
}

/** `data-folder`: the first start creates the file. */
export type SecretKeySource =
  | { readonly from: 'environment'; readonly keys: SecretKeys }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'data-folder'; readonly path: string };

export function parseSecretKeySource(
  secret: FindSecret,
  { dataDir, usesPostgres }: { readonly dataDir: string; readonly usesPostgres: boolean },
  complain: Complain,
): SecretKeySource {
  const source = secret('SECRET_KEY');
  if (source !== null && 'path' in source) return { from: 'file', path: source.path };
  if (source !== null) {
    const keys = parseSecretKeys(source.value, (problem) => complain(`SECRET_KEY ${problem}.`));
    return { from: 'environment', keys };
  }
  if (usesPostgres) {
    complain(
      'DATABASE_URL needs SECRET_KEY or SECRET_KEY_FILE, because every process needs the same keys (create one with openssl rand -base64 32).',
    );
  }
  return { from: 'data-folder', path: join(dataDir, SECRET_KEY_NAME) };
}

const MADE_BYTES = 32;

/** Returns `null` if the data folder has no key yet. Throws `ConfigProblems` for unusable keys. */
export async function loadSecretKeys(config: KeySettings): Promise<SecretKeys | null> {
  const source = config.secretKey;
  if (source.from === 'environment') return source.keys;
  const name = source.from === 'file' ? 'SECRET_KEY_FILE' : 'The secret key in the data folder (DATA_DIR)';
  let text: string;
  try {
    text = readSettingFile(source.path);
  } catch (cause) {
    if (source.from === 'data-folder' && isCode(cause, 'ENOENT')) return null;
    throw new ConfigProblems([`${name} cannot be read: ${explainFailure(cause)}.`], { cause });
  }
  const problems: string[] = [];
  const keys = parseSecretKeys(text, (problem) => problems.push(`${name} (${source.path}) ${problem}.`));
  if (problems.length > 0) throw new ConfigProblems(problems);
  return keys;
}

/**
 * The keys in the data folder, or a new one unless `hasKnownKey` (the database was used with a key). Processes that
 * start together get the same key. Throws `ConfigProblems` if the known key is missing or none can be created.
 */
export async function makeSecretKey(
  config: KeySettings,
  hasKnownKey: boolean,
  random: (bytes: number) => Uint8Array = randomBytes,
): Promise<SecretKeys> {
  const { path } = config.secretKey as { path: string };
  if (!hasKnownKey) await makeFile(config.dataDir, path, random);
  const keys = await loadSecretKeys(config);
  if (keys !== null) return keys;
  throw new ConfigProblems([
    `The secret key ${path} of this database is missing. Put the file back. If the file is lost, set SECRET_KEY_FILE to a file with a new key. With a new key, the links of earlier claims can no longer be shown.`,
  ]);
}

/** Creates the file atomically. Never replaces a file: `link` fails if `path` exists. */
async function makeFile(dataDir: string, path: string, random: (bytes: number) => Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}.${Buffer.from(random(8)).toString('hex')}`;
  try {
    makeFolder(dataDir);
    const key = Buffer.from(random(MADE_BYTES)).toString('base64url');
    await writeFile(draft, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, path).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
    await rm(draft);
    flush(dataDir);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new ConfigProblems(
      [`The secret key cannot be created in the data folder (DATA_DIR): ${explainFailure(cause)}.`],
      { cause },
    );
  }
}
