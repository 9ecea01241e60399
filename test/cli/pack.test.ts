/** What `npm pack` makes of a checkout that was never built is a program that runs. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FILES_ELSEWHERE } from '../../src/docs/guide.ts';
import { readVersion } from '../../src/process/version.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['CHANGELOG.md', 'bin', 'docs', 'src', 'package.json', 'scripts', 'tsconfig.json'];

const LIBRARIES = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
).dependencies;

/** What the pages of the documentation are made from. */
const PAGES_READ = [
  ...globSync(['docs/guide/*', 'docs/snippets/*'], { cwd: ROOT }),
  ...Object.values(FILES_ELSEWHERE),
];

it('npm pack builds, and what it packs runs without the sources and without other packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-pack-'));
  try {
    const checkout = join(folder, 'checkout');
    for (const name of SOURCES) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    run('npm', 'pack', '--pack-destination', folder);
    const archive = join(folder, `claimcheck-${readVersion()}.tgz`);
    const files = run('tar', '-tf', archive).split('\n');
    expect(files).toContain('package/dist/main.js');
    for (const read of PAGES_READ) expect(files, read).toContain(`package/${read}`);
    expect(files.filter((name) => /\/src\/|\.test\./.test(name))).toEqual([]);

    run('tar', '-xf', archive, '-C', folder);
    expect(run(process.execPath, join(folder, 'package', 'bin', 'claimcheck.js'), '--version')).toBe(
      `${readVersion()}\n`,
    );
    const licences = readFileSync(join(folder, 'package', 'dist', 'LICENSES.txt'), 'utf8');
    for (const [name, version] of Object.entries(LIBRARIES))
      expect(licences).toContain(`\n${name} ${version} (`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
