/** The build without one guard, for controls: the test beside must fail on it. */
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from './folders.ts';
import { REPOSITORY } from './program.ts';

/** A file under `dist`, and the replacements in it; each pattern must match exactly once. */
export interface Guard {
  readonly file: string;
  readonly replacements: readonly (readonly [RegExp, string])[];
}

export interface UnguardedBuild {
  /** Its `bin/claimcheck.js`. */
  readonly program: string;
  remove(): void;
}

/** Throws where a replacement does not apply. */
export function buildWithout({ file, replacements }: Guard): UnguardedBuild {
  const folder = makeTemporaryFolder('claimcheck-unguarded-');
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, 'dist', file);
  let code = readFileSync(path, 'utf8');
  for (const [guard, replacement] of replacements) {
    if (code.match(new RegExp(guard, 'g'))?.length !== 1) throw new Error(`${guard} is not in ${file} once`);
    code = code.replace(guard, replacement);
  }
  writeFileSync(path, code);
  return {
    program: join(folder, 'bin', 'claimcheck.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
