/** Bundles the program and its libraries, because resolving 1,200 modules would slow down every start. */
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputChunk, type Plugin } from 'rolldown';
import { TRANSLATIONS } from '../src/platform/languages/translations.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SOURCES = join(ROOT, 'src');
/** The page scripts. Each becomes one file without imports. */
const CLIENT = globSync(join(SOURCES, 'pages', 'ui', 'client', '*.ts'));
/** The modules that are started or loaded by URL. Each becomes a file with the same name. */
const THREADS = [
  'platform/store/sqlite/plain-thread',
  'platform/store/sqlite/backup-process',
  'claims/verify/engines/verify-sqlite',
  'claims/export/export-thread',
  'marketplace/pictures/encoder-process',
  'app/demo/picture-process',
].map((name) => join(SOURCES, `${name}.ts`));
const PROGRAM = [join(SOURCES, 'main.ts'), ...THREADS];

const TRANSLATIONS_FOLDER = 'translations';

/**
 * Replaces the module that reads the PO files with one that reads each language from a JSON file. Most commands and
 * threads read none, so the texts take no memory there.
 */
const translations: Plugin = {
  name: 'translations',
  load(id) {
    if (id !== join(SOURCES, 'platform/languages/translations.ts')) return null;
    const readers = Object.entries(TRANSLATIONS).map(([code, read]) => {
      const fileName = `${TRANSLATIONS_FOLDER}/${code}.json`;
      this.emitFile({ type: 'asset', fileName, source: JSON.stringify(read()) });
      return `${JSON.stringify(code)}: () => read(${JSON.stringify(`./${fileName}`)})`;
    });
    return `import { readFileSync } from 'node:fs';
      const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
      export const TRANSLATIONS = { ${readers.join()} };`;
  },
};

/** Libraries with native code. They can't be bundled and are installed next to the program. */
export const NATIVE_LIBRARIES = ['sharp'];

const named = (files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]));

const options: BuildOptions = {
  tsconfig: join(ROOT, 'tsconfig.json'),
  // On a busy machine, the bundler would warn that plugins take long.
  checks: { bundlerTimings: false },
  // Any warning fails the build, because Rolldown reports a missing module only as a warning.
  onLog: (level, { message }) => {
    if (level === 'warn') throw new Error(message);
  },
};

const programOptions = (entries: readonly string[]): BuildOptions => ({
  ...options,
  input: named(entries),
  platform: 'node',
  plugins: [translations],
  // `pg` imports the optional package pg-native if it is installed.
  external: ['pg-native', ...NATIVE_LIBRARIES],
});

/**
 * Writes the program into a folder and resolves to its chunks. The caller must empty the folder first, because files of
 * earlier builds are not removed.
 */
export async function bundleProgram(folder: string): Promise<readonly OutputChunk[]> {
  const { output } = await build({
    ...programOptions(PROGRAM),
    output: { dir: folder, chunkFileNames: '[name].js', comments: false },
  });
  const chunks = output.filter((part) => part.type === 'chunk');
  for (const { fileName, code } of chunks) writeFileSync(join(folder, fileName), inAscii(code));
  return chunks;
}

/**
 * Writes the threads and child processes into a folder, for tests, which run the rest of the service from its sources.
 * Unchanged files are not written, because another test run may be using them.
 */
export async function bundleThreads(folder: string): Promise<void> {
  const { output } = await build({
    ...programOptions(THREADS),
    write: false,
    output: { chunkFileNames: '[name].js' },
  });
  mkdirSync(join(folder, TRANSLATIONS_FOLDER), { recursive: true });
  const files = output.map(
    (part) => [part.fileName, part.type === 'chunk' ? part.code : String(part.source)] as const,
  );
  for (const [name, code] of [...files, ['package.json', '{ "type": "module" }'] as const]) {
    const file = join(folder, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === code) continue;
    writeFileSync(`${file}.${process.pid}`, code);
    renameSync(`${file}.${process.pid}`, file);
  }
}

/**
 * Escapes all characters outside ASCII. V8 keeps the source in memory, and uses two bytes per character if any
 * character is outside Latin-1. Escaping saves 8 MB in the server and its threads.
 */
const inAscii = (code: string): string =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Writes the page scripts into a folder. */
export async function bundleClient(folder: string): Promise<void> {
  await build({
    ...options,
    input: named(CLIENT),
    platform: 'browser',
    output: { dir: folder, minify: true },
  });
}
