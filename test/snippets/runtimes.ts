/** Finds and runs the compilers and interpreters for the documentation's example programs. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inTurn } from './turns.ts';

const run = promisify(execFile);

/** Environment variables, by name. */
export type Env = Readonly<Record<string, string>>;

export interface Command {
  readonly command: readonly string[];
  readonly env: Env;
}

/** The path of an executable, or `null` if it is not in PATH. */
const find = (name: string): string | null =>
  (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path)) ?? null;

/** The first of these commands that is not installed, or `null` if all are installed. */
export const missingCommand = (...names: readonly string[]): string | null =>
  names.find((name) => find(name) === null) ?? null;

const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** A Python that has the module, or `null`. Debian's Python packages are visible only to `/usr/bin/python3`. */
export const pythonWith = (module: string): string | null =>
  ['python3', '/usr/bin/python3'].find((python) =>
    succeeds(python, ['-c', `import sys, importlib.util as u; sys.exit(u.find_spec('${module}') is None)`]),
  ) ?? null;

/** Returns the Debian package of PHP or of the first missing module, or `null` if nothing is missing. */
export function phpMisses(...modules: readonly string[]): string | null {
  if (missingCommand('php') !== null) return 'php';
  const loaded = spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout.split('\n');
  const missing = modules.find((module) => !loaded.includes(module));
  return missing === undefined ? null : `php-${missing}`;
}

export const rubyHas = (gem: string): boolean =>
  succeeds('ruby', ['-e', `exit Gem::Specification.any? { |found| found.name == '${gem}' }`]);

/** The class path of Java libraries from Debian packages, or `null` if a library is missing. */
function jars(...names: readonly string[]): string | null {
  const files = names.map((name) => `/usr/share/java/${name}.jar`);
  return files.every((file) => existsSync(file)) ? files.join(':') : null;
}

/** A test case that is skipped if its requirements are not installed. */
export interface Runnable {
  readonly title: string;
  /** What is not installed, or `null` if nothing is missing. */
  readonly missing: string | null;
}

/** The name of a test, with the reason if it is skipped. */
export const nameOf = ({ title, missing }: Runnable): string =>
  missing === null ? title : `${title} (requires ${missing})`;

/** Lists the skipped test cases in the output of the tests. */
export function reportMissing(what: string, runnables: readonly Runnable[]): void {
  const names = runnables.filter(({ missing }) => missing !== null).map(nameOf);
  if (names.length > 0) process.stderr.write(`\nSome ${what} are skipped: ${names.join('; ')}.\n\n`);
}

export const JACKSON = jars('jackson-databind', 'jackson-core', 'jackson-annotations');
export const SPRING = jars(
  ...['web', 'web.servlet', 'core', 'beans', 'context', 'aop', 'expression'].map((part) => `spring3-${part}`),
  ...[
    'catalina',
    'coyote',
    'util',
    'util-scan',
    'juli',
    'servlet-api',
    'api',
    'annotations-api',
    'jni',
    'jaspic-api',
  ].map((part) => `tomcat9-${part}`),
  'commons-logging',
);

const compile = (command: string, args: readonly string[], folder: string) =>
  inTurn(() => run(command, args, { cwd: folder, env: { PATH: process.env['PATH']!, HOME: folder } }));

/** Compiles the program in each subfolder named in `programs`. Returns the folder of the executables. */
export async function compileGo(folder: string, programs: readonly string[]): Promise<string> {
  writeFileSync(join(folder, 'go.mod'), 'module example.com\n\ngo 1.19\n');
  const packages = programs.map((program) => `./${program}`);
  // Linking takes half the time without debug symbols.
  await compile('go', ['build', '-ldflags=-s -w', '-o', 'built/', ...packages], folder);
  return join(folder, 'built');
}

/** Options for a fast start: the programs exit before further optimization would pay off. */
const JVM_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData'];
const classPath = (folder: string) => [folder, JACKSON, SPRING].filter((jar) => jar !== null).join(':');

/** Returns the folder of the classes. */
export async function compileJava(folder: string, files: readonly string[]): Promise<string> {
  const options = JVM_OPTIONS.map((option) => `-J${option}`);
  await compile('javac', [...options, '-proc:none', '-cp', classPath(folder), '-d', '.', ...files], folder);
  return folder;
}

/** The command that runs a class compiled by `compileJava`. */
export const javaCommand = (folder: string, main: string): readonly string[] => [
  'java',
  ...JVM_OPTIONS,
  ...['-cp', classPath(folder), main],
];
