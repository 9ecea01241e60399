/** The program in few files, its libraries with it: most of a start would be the search for 1,200 modules otherwise. */
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputChunk } from 'rolldown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SOURCES = join(ROOT, 'src');
/** Of the scripts of pages: one file each, which imports nothing. */
const CLIENT = ['app', 'code', 'passkey', 'save'].map((name) => join(SOURCES, 'ui', 'client', `${name}.ts`));
/** The command, and what it starts or loads by address: each becomes a file of its own name beside it. */
const ENTRIES = [
  'main',
  'store/sqlite/worker',
  'store/sqlite/flusher',
  'claims/verify/verify-sqlite',
  'claims/export/export-thread',
].map((name) => join(SOURCES, `${name}.ts`));

const named = (files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]));

const options: BuildOptions = {
  tsconfig: join(ROOT, 'tsconfig.json'),
  // A module that is missing is among what is only a warning.
  onLog: (level, { message }) => {
    if (level === 'warn') throw new Error(message);
  },
};

/**
 * Writes the program into a folder and resolves to its parts. `plugins` see each source. The caller empties the folder
 * before: what is not written again stays.
 */
export async function bundleProgram(
  folder: string,
  plugins: BuildOptions['plugins'] = [],
): Promise<readonly OutputChunk[]> {
  const { output } = await build({
    ...options,
    input: named(ENTRIES),
    platform: 'node',
    plugins,
    // `pg` asks for it and goes on without it.
    external: ['pg-native'],
    output: { dir: folder, chunkFileNames: '[name].js' },
  });
  return output.filter((part) => part.type === 'chunk');
}

/** Writes the scripts of the pages into a folder. */
export async function bundleClient(folder: string): Promise<void> {
  await build({
    ...options,
    input: named(CLIENT),
    platform: 'browser',
    output: { dir: folder, minify: true },
  });
}
