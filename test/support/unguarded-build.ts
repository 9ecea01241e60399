/**
 * Copies the built program and removes guards from the copy, such as locks. Control tests run the copy to prove that a
 * test fails without the guards.
 */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from './folders.ts';
import { REPOSITORY } from './program.ts';

/** The pattern must match the bundle, which differs from the source in quotes (always double) and line breaks. */
export type Replacement = readonly [pattern: RegExp, replacement: string];

interface UnguardedBuild {
  /** Path of the copy's `bin/claimcheck.js`. */
  readonly program: string;
  remove(): void;
}

/** Throws unless every pattern matches exactly once. */
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
    if (matches.length !== 1)
      throw new Error(`${pattern} matches the bundle ${matches.length} times, expected once`);
    const [{ file, code }] = matches as [{ file: string; code: string }];
    writeFileSync(file, code.replace(pattern, replacement));
  }
  return {
    program: join(folder, 'bin', 'claimcheck.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
