/**
 * A copy of the built program from which a guard is removed. Control tests run it to show that the real test would fail
 * without the guard.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from './folders.ts';
import { REPOSITORY } from './program.ts';

/**
 * A pattern that matches a text of the bundle, and what replaces that text. Write it for the bundle, whose quotes and
 * line breaks differ from the source's: the bundle has double quotes.
 */
export type Replacement = readonly [pattern: RegExp, replacement: string];

interface UnguardedBuild {
  /** Its `bin/claimcheck.js`. */
  readonly program: string;
  remove(): void;
}

/** Throws where a pattern does not match exactly once. */
export function buildWithout(...replacements: readonly Replacement[]): UnguardedBuild {
  const folder = makeTemporaryFolder('claimcheck-unguarded-');
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  const files = globSync(join(folder, 'dist', '*.js'));
  for (const [pattern, replacement] of replacements) {
    const matches = files.flatMap((file) => {
      const code = readFileSync(file, 'utf8');
      return [...code.matchAll(new RegExp(pattern, 'g'))].map(() => ({ file, code }));
    });
    if (matches.length !== 1) throw new Error(`${pattern} is in the program ${matches.length} times`);
    const [{ file, code }] = matches as [{ file: string; code: string }];
    writeFileSync(file, code.replace(pattern, replacement));
  }
  return {
    program: join(folder, 'bin', 'claimcheck.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
