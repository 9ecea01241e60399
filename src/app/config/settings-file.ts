import { type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readSettingFile, settingOf } from '../../platform/process/environment.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { type Environment, quote } from './setting.ts';
import { fileForm, isSecretName, SETTING_OF_VARIABLE } from './settings.ts';

export const SETTINGS_FILE = 'claimcheck.env';

/** What an owner's server needs. The dashboard offers a new API key as a download with the same name. */
const OWNERS_VARIABLES = [
  'CLAIMCHECK_API_KEY',
  'CLAIMCHECK_KEY',
  'CLAIMCHECK_URL',
  'CLAIMCHECK_WEBHOOK_SECRET',
] as const;

const ALLOWED: ReadonlySet<string> = new Set([...SETTING_OF_VARIABLE.keys(), ...OWNERS_VARIABLES]);

const ASSIGNMENT = /^\s*(?:export\s+)?([a-z_]\w*)\s*=(.*)$/i;
/** Without quotes and with a `#` that no space precedes, as in `#17594d` or in a password. */
const CUT_VALUE = /^(?!\s*["'`])(?:[^#]*[^\s#])?#/;

export interface SettingsFile {
  readonly path: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The command that hides secrets in the file from other users; `null`: only this user can read them. */
  readonly repair: 'chmod 600' | 'chmod o-r' | null;
}

/**
 * Reads the file, or else `claimcheck.env` in the folder. Returns `null` if neither is given.
 * Throws if the file contains anything but settings: other variables, such as NODE_OPTIONS, could run code.
 */
export function readSettingsFile(file: string | null, folder: string): SettingsFile | null {
  const path = file === null ? join(folder, SETTINGS_FILE) : resolve(file);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined && file === null) return null;
  if (stats !== undefined) requireTrusted(path, stats);
  const text = readText(path);
  const lines = text.split('\n');
  const variables = parseEnv(text) as Readonly<Record<string, string>>;
  for (const name of Object.keys(variables)) refuseForeign(path, name, lines);
  refuseBroken(path, lines, variables);
  if (file === null && variables['DATA_DIR'] !== undefined) {
    throw new Error(
      `${lineOf(path, 'DATA_DIR', lines)}: DATA_DIR can't be set in the file that is in this folder; set it in the environment, or name the file with --env-file`,
    );
  }
  return { path, variables, repair: stats === undefined ? null : repairOf(stats, Object.keys(variables)) };
}

export const exposureOf = ({ path, repair }: SettingsFile): string =>
  `Other users can read ${path}, which contains secrets. Run ${repair} on it.`;

/** Variables of the environment that are not empty take precedence, in each form of a secret over both forms. */
export function addSettings(env: Record<string, string | undefined>, { variables }: SettingsFile): void {
  const additions = Object.entries(variables).filter(([name]) =>
    formsOf(name).every((form) => settingOf(env, form) === null),
  );
  Object.assign(env, Object.fromEntries(additions));
}

function formsOf(variable: string): readonly string[] {
  const name = SETTING_OF_VARIABLE.get(variable);
  return name !== undefined && isSecretName(name) ? [name, fileForm(name)] : [variable];
}

function readText(path: string): string {
  try {
    return readSettingFile(path);
  } catch (cause) {
    throw new Error(`The settings file cannot be read: ${explainFailure(cause)}`, { cause });
  }
}

const nameOf = (line: string): string | undefined => ASSIGNMENT.exec(line)?.[1];

function lineOf(path: string, name: string, lines: readonly string[]): string {
  const index = lines.findIndex((line) => nameOf(line) === name);
  return index === -1 ? path : `${path}, line ${index + 1}`;
}

function refuseForeign(path: string, name: string, lines: readonly string[]): void {
  if (ALLOWED.has(name)) return;
  const isName = /^\w{1,60}$/.test(name);
  // Anything else may be part of a secret.
  throw new Error(
    isName
      ? `${lineOf(path, name, lines)}: ${name} is not a setting; see docs/guide/settings.md`
      : `${path} has a line in which the text before = is not the name of a setting`,
  );
}

/** `parseEnv` ignores what it can't read. A line without effect is therefore one that changes nothing if it is absent. */
function refuseBroken(path: string, lines: readonly string[], variables: Environment): void {
  const all = JSON.stringify(variables);
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const fault = faultOf(
      line,
      variables,
      () => JSON.stringify(parseEnv(lines.toSpliced(index, 1).join('\n'))) === all,
    );
    if (fault !== null) throw new Error(`${path}, line ${index + 1}: ${fault}`);
  }
}

function faultOf(line: string, variables: Environment, hasNoEffect: () => boolean): string | null {
  const [, name = '', value = ''] = ASSIGNMENT.exec(line) ?? [];
  const isSetting = ALLOWED.has(name);
  if (isSetting && CUT_VALUE.test(value)) {
    return `put the value of ${name} in quotation marks, because # starts a comment`;
  }
  const [quotation] = /^["'`]/.exec(variables[name] ?? '') ?? [];
  if (isSetting && quotation !== undefined && variables[name]!.lastIndexOf(quotation) === 0) {
    return `the value of ${name} starts with ${quote(quotation)}, but doesn't end with it`;
  }
  if (!hasNoEffect()) return null;
  return isSetting
    ? `${name} is set again on a later line`
    : 'expected NAME=value, a comment that starts with #, or an empty line';
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

/** A file of root may be readable by a group, because the service may read it as a member of this group. */
function repairOf({ uid, mode }: Stats, names: readonly string[]): SettingsFile['repair'] {
  const user = process.getuid?.();
  const holdsSecrets = names.some((name) => {
    const setting = SETTING_OF_VARIABLE.get(name);
    return setting === name ? isSecretName(setting) : setting === undefined;
  });
  if (user === undefined || !holdsSecrets) return null;
  if (uid === user) return (mode & 0o044) === 0 ? null : 'chmod 600';
  return (mode & 0o004) === 0 ? null : 'chmod o-r';
}
