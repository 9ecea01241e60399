import { parseConfig } from '../../src/app/config/config.ts';
import { ConfigProblems } from '../../src/app/config/setting.ts';

/** The sentences with which the settings are refused; empty if they are valid. */
export function problemsOf(env: Readonly<Record<string, string>>, overrides = {}): readonly string[] {
  try {
    parseConfig(env, overrides);
  } catch (error) {
    if (error instanceof ConfigProblems) return error.problems;
    throw error;
  }
  return [];
}
