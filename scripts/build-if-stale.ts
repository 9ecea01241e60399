/** Builds dist/ if a source file has changed since the last build. Runs before commands in a checkout. */
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/**
 * Path of a file whose modification time is the start of the last build. A source file that changes during a build is
 * therefore newer than this file.
 */
const STAMP = join(ROOT, 'dist', '.built');
const SOURCES = [
  'src',
  'languages',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build.ts',
  'scripts/bundle.ts',
];

const modifiedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Returns the latest modification time of a file, or of a folder and its contents. The folder's own time counts,
 * because it changes when a file is removed.
 */
function newestMs(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

const startedAt = new Date();
if (Math.max(...SOURCES.map((name) => newestMs(join(ROOT, name)))) > modifiedMs(STAMP)) {
  // In this process, because starting npm and another one takes half a second.
  await import('./build.ts');
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt, startedAt);
}
