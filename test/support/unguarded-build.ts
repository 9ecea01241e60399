/** The program without a guard, for controls: the test beside must fail on it. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram } from '../../scripts/bundle.ts';
import { makeTemporaryFolder } from './folders.ts';
import { REPOSITORY } from './program.ts';

/** A file under `src`, and the replacements in it; each pattern must match exactly once. */
export interface Guard {
  readonly file: string;
  readonly replacements: readonly (readonly [RegExp, string])[];
}

export interface UnguardedBuild {
  /** Its `bin/claimcheck.js`. */
  readonly program: string;
  remove(): void;
}

/** Rejects where a replacement does not apply. */
export async function buildWithout(...guards: readonly Guard[]): Promise<UnguardedBuild> {
  const folder = makeTemporaryFolder('claimcheck-unguarded-');
  for (const name of ['bin', 'dist/client', 'package.json']) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  const missing = new Set(guards);
  const transform = (code: string, id: string): string | null => {
    const guard = guards.find(({ file }) => join(REPOSITORY, 'src', file) === id);
    if (guard === undefined) return null;
    missing.delete(guard);
    return guard.replacements.reduce((changed, [pattern, replacement]) => {
      const count = changed.match(new RegExp(pattern, 'g'))?.length ?? 0;
      if (count !== 1) throw new Error(`${pattern} is in ${guard.file} ${count} times`);
      return changed.replace(pattern, replacement);
    }, code);
  };
  await bundleProgram(join(folder, 'dist'), [{ name: 'without-guard', transform }]);
  for (const { file } of missing) throw new Error(`${file} is no part of the program`);
  return {
    program: join(folder, 'bin', 'claimcheck.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
