/** Builds dist/ if one of its source files is newer than the last build, before a command runs in a checkout. */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Its modification time is the start of the build, so a file that changes during the build is newer. */
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

/** When a file, or the newest file in a folder, was modified, in milliseconds. Removing a file modifies its folder. */
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
