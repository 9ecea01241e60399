import { readSettingFile } from '../process/files.ts';

/** A secret of the configuration. `name`: the variable that is set, for error messages. */
export type SecretSource =
  | { readonly name: string; readonly value: string }
  /** An absolute path. */
  | { readonly name: string; readonly path: string };

/** Reads the file at each call, so that a new secret needs no restart. Throws an error without the file's content. */
export const readSecret = (source: SecretSource): string =>
  'path' in source ? readSettingFile(source.path) : source.value;
