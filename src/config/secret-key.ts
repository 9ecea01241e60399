/** SECRET_KEY and SECRET_KEY_FILE: where the secret keys come from. `src/config/secret-key-file.ts` reads the files. */
import { join, resolve } from 'node:path';
import { parseSecretKeys, type SecretKeys } from '../secrets/secret-keys.ts';
import type { Complain } from './setting.ts';

const FILE_NAME = 'secret.key';

/** Source of the secret keys. `data-folder`: read there; the first start makes one. */
export type SecretKeySource =
  | { readonly from: 'environment'; readonly keys: SecretKeys }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'data-folder'; readonly path: string };

/** `onPostgres`: DATABASE_URL is set. */
export function parseSecretKeySource(
  value: string | null,
  file: string | null,
  dataDir: string,
  onPostgres: boolean,
  complain: Complain,
): SecretKeySource {
  if (value !== null && file !== null)
    complain('SECRET_KEY and SECRET_KEY_FILE are both set. Set only one of them.');
  if (value !== null) {
    const keys = parseSecretKeys(value, (problem) => complain(`SECRET_KEY ${problem}.`));
    return { from: 'environment', keys };
  }
  if (file !== null) return { from: 'file', path: resolve(file) };
  if (onPostgres) {
    complain(
      'DATABASE_URL needs SECRET_KEY or SECRET_KEY_FILE, because every process needs the same keys (create one with openssl rand -base64 32).',
    );
  }
  return { from: 'data-folder', path: join(dataDir, FILE_NAME) };
}
