/** Helpers for parsing settings. */

import { isLoopbackHost } from '../../platform/network/network.ts';
import { docsOfSetting, fileOfDocs, type SettingName } from './settings.ts';

export type ReadSetting = (name: SettingName) => string | null;

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
  return docs === null ? problem : `${problem} See ${fileOfDocs(docs)}`;
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
