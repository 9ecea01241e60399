/** `npm run pack` must create a package and an archive that run, even in a checkout that was never built. */
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
  'LICENSE',
  'README.md',
  'bin',
  'docs',
  'languages',
  'src',
  'package.json',
  'package-lock.json',
  'scripts',
  'tsconfig.json',
];

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const { dependencies: LIBRARIES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

const PICTURE = join(ROOT, 'docs', 'screenshots', 'claims-light.png');

/** Source files of the documentation pages. */
const PAGES_READ = [
  ...globSync(['docs/guide/*', 'docs/snippets/*', 'docs/screenshots/*-light.png'], { cwd: ROOT }),
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

test('npm run pack creates a package and an archive that run, with checksums and the bill of materials', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-pack-'));
  try {
    const checkout = join(folder, 'checkout');
    for (const name of SOURCES) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const release = join(folder, 'release');
    const run = (cwd: string, command: string, ...args: string[]) =>
      execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    run(checkout, process.execPath, 'scripts/pack.ts', release);
    const version = readVersion();
    const archive = `claimcheck-${version}-${process.platform}-${process.arch}`;
    const checked = run(release, 'sha256sum', '--check', 'SHA256SUMS').trim().split('\n');
    expect(checked.sort()).toEqual(
      [`${archive}.tar.gz`, `claimcheck-${version}.cdx.json`, `claimcheck-${version}.tgz`].map(
        (name) => `${name}: OK`,
      ),
    );

    const files = run(release, 'tar', '-tf', `claimcheck-${version}.tgz`).split('\n');
    expect(files).toContain('package/dist/main.js');
    for (const read of PAGES_READ) expect(files, read).toContain(`package/${read}`);
    expect(files.filter((name) => /\/src\/|\.test\.|node_modules/.test(name))).toEqual([]);
    run(release, 'tar', '-xf', `claimcheck-${version}.tgz`, '-C', folder);
    const packed = join(folder, 'package');
    const { dependencies } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as Manifest;
    expect(dependencies).toEqual({ sharp: LIBRARIES['sharp'] });
    expect(await encodeWith(packed)).toMatchObject({ failure: expect.stringContaining("'sharp'") });
    const licences = readFileSync(join(packed, 'dist', 'LICENSES.txt'), 'utf8');
    const { components } = JSON.parse(
      readFileSync(join(release, `claimcheck-${version}.cdx.json`), 'utf8'),
    ) as { components: { name: string; version: string }[] };
    const materials = components.map((component) => `${component.name} ${component.version}`);
    for (const [name, exact] of Object.entries(LIBRARIES)) {
      expect(licences).toContain(`\n${name} ${exact} (`);
      expect(materials).toContain(`${name} ${exact}`);
    }

    run(release, 'tar', '-xf', `${archive}.tar.gz`, '-C', folder);
    const unpacked = join(folder, archive);
    const program = join(unpacked, 'bin', 'claimcheck.js');
    expect(run(folder, process.execPath, program, '--version')).toBe(`${version}\n`);
    expect(await encodeWith(unpacked)).toMatchObject({ result: expect.any(Array) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
