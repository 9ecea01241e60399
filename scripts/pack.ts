/**
 * `npm run pack [FOLDER]`: builds, and writes the files of a release into an empty folder (`release/` by default): the
 * package for npm, an archive for this platform that runs without npm, the bill of materials and the checksums.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NATIVE_LIBRARIES } from './bundle.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Fields of the checkout's manifest that the package has too. */
const PACKED_FIELDS = ['name', 'version', 'description', 'license', 'type', 'bin', 'engines'];

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** The libraries that aren't bundled, with their dependencies as far as npm has installed them on this platform. */
function nativeLibraries(): ReadonlySet<string> {
  const names = new Set(NATIVE_LIBRARIES);
  for (const name of names) {
    const { dependencies, optionalDependencies } = manifestIn(join(ROOT, 'node_modules', name));
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (existsSync(join(ROOT, 'node_modules', other))) names.add(other);
    }
  }
  return names;
}

/** Copies what the package contains. Its manifest names only the libraries that aren't bundled. */
function stage(folder: string): void {
  const [listed] = JSON.parse(npm(ROOT, 'pack', '--dry-run', '--json')) as [{ files: { path: string }[] }];
  for (const { path } of listed.files) cpSync(join(ROOT, path), join(folder, path));
  const manifest = manifestIn(ROOT);
  const packed = {
    ...Object.fromEntries(PACKED_FIELDS.map((field) => [field, manifest[field]])),
    dependencies: Object.fromEntries(NATIVE_LIBRARIES.map((name) => [name, manifest.dependencies![name]])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

const target = resolve(process.argv[2] ?? join(ROOT, 'release'));
mkdirSync(target, { recursive: true });
if (readdirSync(target).length > 0) {
  process.stderr.write(`${target} is not empty. Name another folder, or remove it first.\n`);
  process.exit(1);
}
npm(ROOT, 'run', '-s', 'build');
const { version } = manifestIn(ROOT);
const archive = `claimcheck-${version}-${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'claimcheck-release-'));
try {
  const staged = join(folder, archive);
  stage(staged);
  npm(ROOT, 'pack', staged, '--pack-destination', target);
  for (const name of nativeLibraries()) {
    cpSync(join(ROOT, 'node_modules', name), join(staged, 'node_modules', name), { recursive: true });
  }
  execFileSync('tar', [
    '-C',
    folder,
    '--owner=0',
    '--group=0',
    '-czf',
    join(target, `${archive}.tar.gz`),
    archive,
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
cpSync(join(ROOT, 'dist', 'sbom.cdx.json'), join(target, `claimcheck-${version}.cdx.json`));
const sums = readdirSync(target).map((name) => {
  const hash = createHash('sha256')
    .update(readFileSync(join(target, name)))
    .digest('hex');
  return `${hash}  ${name}\n`;
});
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
process.stdout.write(`Written to ${target}: ${readdirSync(target).join(', ')}\n`);
