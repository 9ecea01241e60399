/** What the parsers of several settings use. A setting that is unset is `null` to them. */

import { docsOfSetting, fileOfDocs, type SettingName } from './settings.ts';

export type ReadSetting = (name: SettingName) => string | null;

/** Records a problem: a sentence that names the setting, without a secret. The parser then returns a placeholder. */
export type Complain = (problem: string) => void;

/** The configuration is not valid; one sentence for each problem, none with a secret. The message adds where its setting is described. */
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

/** A value that holds no secret, for a sentence. */
export const quote = (text: string): string => JSON.stringify(text);
