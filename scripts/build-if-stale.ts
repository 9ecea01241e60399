/** Builds dist/ where a file that goes into it is newer than the last build: a command of a checkout then starts at once. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Made before a build begins, so a file that changes meanwhile is newer. */
const STAMP = join(ROOT, 'dist', '.built');
const SOURCES = [
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build.ts',
  'scripts/bundle.ts',
];

const modifiedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Of a file, or of the newest one in a folder; a folder itself is newer after a file in it was removed. */
function newestMs(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

const startedAt = new Date();
if (Math.max(...SOURCES.map((name) => newestMs(join(ROOT, name)))) > modifiedMs(STAMP)) {
  execFileSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  writeFileSync(STAMP, '');
  utimesSync(STAMP, startedAt, startedAt);
}
