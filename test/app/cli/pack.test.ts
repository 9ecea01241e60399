/** `npm pack` must create a package that runs, even in a checkout that was never built. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FILES_ELSEWHERE } from '../../../src/pages/docs/guide.ts';
import { readVersion } from '../../../src/platform/process/version.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = [
  'CHANGELOG.md',
  'bin',
  'docs',
  'languages',
  'src',
  'package.json',
  'scripts',
  'tsconfig.json',
];

const LIBRARIES = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
).dependencies;

const PICTURE = join(ROOT, 'docs', 'screenshots', 'claims-light.png');

/** Source files of the documentation pages. */
const PAGES_READ = [
  ...globSync(['docs/guide/*', 'docs/snippets/*'], { cwd: ROOT }),
  ...Object.values(FILES_ELSEWHERE),
];

/** Encodes a picture with the packed program and returns the response. */
async function encodeWith(packed: string): Promise<unknown> {
  const child = fork(join(packed, 'dist', 'encoder-process.js'), { execArgv: [], serialization: 'advanced' });
  const answer = once(child, 'message');
  child.send({ kind: 'icon', upload: readFileSync(PICTURE) });
  const [message] = await answer;
  child.kill('SIGKILL');
  return message;
}

test('npm pack creates a package that runs with only the dependencies of the Docker image', async () => {
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
    const packed = join(folder, 'package');
    expect(await encodeWith(packed)).toMatchObject({ failure: expect.stringContaining("'sharp'") });
    const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
    for (const [, library] of dockerfile.matchAll(/ (node_modules\/\S+)$/gm)) {
      cpSync(join(ROOT, library!), join(packed, library!), { recursive: true });
    }
    expect(await encodeWith(packed)).toMatchObject({ result: expect.any(Array) });
    const licences = readFileSync(join(folder, 'package', 'dist', 'LICENSES.txt'), 'utf8');
    for (const [name, version] of Object.entries(LIBRARIES))
      expect(licences).toContain(`\n${name} ${version} (`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
