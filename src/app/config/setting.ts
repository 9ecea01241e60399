/** Helpers for parsing settings. */

import { resolve } from 'node:path';
import { isLoopbackHost } from '../../platform/network/network.ts';
import { readSecret, type SecretSource, settingOf } from '../../platform/process/environment.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import {
  ALL_SETTING_NAMES,
  docsOfSetting,
  fileForm,
  fileOfDocs,
  isSecretName,
  type SecretName,
  type SettingName,
} from './settings.ts';

/** Returns the value of a setting, which for a secret may be in a file. */
export type ReadSetting = (name: SettingName) => string | null;

/** Returns where a secret is, without reading the file that may hold it. */
export type FindSecret = (name: SecretName) => SecretSource | null;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Records a problem: a sentence that names the setting, without secrets. Parsing continues. */
export type Complain = (problem: string) => void;

/** The message also says where each setting is documented. */
export class ConfigProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.map(withDocs).join('\n'), options);
    this.name = 'ConfigProblems';
    this.problems = problems;
  }
}

function withDocs(problem: string): string {
  const docs = docsOfSetting(problem);
  return docs === null ? problem : `${problem} See ${fileOfDocs(docs)}.`;
}

export interface SettingsReader {
  readonly setting: ReadSetting;
  readonly secret: FindSecret;
  /** The path of each file with a secret, by the variable that names the file. */
  readonly secretFiles: Readonly<Record<string, string>>;
}

/** An empty variable counts as unset. Reports each secret that is set twice, or that `setting` can't read. */
export function createReader(env: Environment, complain: Complain): SettingsReader {
  const sources = new Map(
    ALL_SETTING_NAMES.filter(isSecretName).map((name) => [name, sourceOf(env, name, complain)]),
  );
  const secret: FindSecret = (name) => sources.get(name) ?? null;
  const texts = new Map<SecretName, string | null>();
  const setting: ReadSetting = (name) => {
    if (!isSecretName(name)) return settingOf(env, name);
    if (!texts.has(name)) texts.set(name, readText(secret(name), complain));
    return texts.get(name) ?? null;
  };
  const files = [...sources.values()].flatMap((source) =>
    source !== null && 'path' in source ? [[source.name, source.path] as const] : [],
  );
  return { setting, secret, secretFiles: Object.fromEntries(files) };
}

function sourceOf(env: Environment, name: SecretName, complain: Complain): SecretSource | null {
  const [value, path] = [settingOf(env, name), settingOf(env, fileForm(name))];
  if (value !== null && path !== null) {
    complain(`${name} and ${fileForm(name)} are both set. Set only one of them.`);
  }
  if (value !== null) return { name, value };
  return path === null ? null : { name: fileForm(name), path: resolve(path) };
}

function readText(source: SecretSource | null, complain: Complain): string | null {
  if (source === null) return null;
  try {
    const text = readSecret(source).trim();
    if (text !== '') return text;
    complain(`${source.name} names an empty file.`);
  } catch (error) {
    complain(`${source.name} cannot be read: ${explainFailure(error)}.`);
  }
  return null;
}

export function parseInteger<Fallback extends number | null>(
  name: SettingName | '--port',
  text: string | null,
  fallback: Fallback,
  [min, max]: readonly [min: number, max: number],
  complain: Complain,
): number | Fallback {
  if (text === null) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  complain(`${name} must be a whole number from ${min} to ${max}; found ${quote(text)}.`);
  return fallback;
}

/** Whether the URL is https (or http on this machine), without a user name, query or fragment. */
export const isServiceUrl = (url: URL | null): url is URL =>
  (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))) &&
  url.search + url.hash + url.username + url.password === '';

/** Quotes a value for a message. The value must not be a secret. */
export const quote = (text: string): string => JSON.stringify(text);
