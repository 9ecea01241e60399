/** Bundles program and libraries into few files: otherwise most of a start would be the search for 1,200 modules. */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputChunk } from 'rolldown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SOURCES = join(ROOT, 'src');
/** The scripts of pages: each becomes one file that imports nothing. */
const CLIENT = globSync(join(SOURCES, 'ui', 'client', '*.ts'));
/** The command, and the modules that it starts or loads by address. Each becomes a file with the same name. */
const ENTRIES = [
  'main',
  'store/sqlite/worker',
  'store/sqlite/flusher',
  'store/sqlite/backup-process',
  'claims/verify/engines/verify-sqlite',
  'claims/export/export-thread',
  'pictures/encoder-process',
].map((name) => join(SOURCES, `${name}.ts`));

/** Libraries with native code, which are installed next to the program. */
export const NATIVE_LIBRARIES = ['sharp'];

const named = (files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]));

const options: BuildOptions = {
  tsconfig: join(ROOT, 'tsconfig.json'),
  // A missing module is only a warning to Rolldown.
  onLog: (level, { message }) => {
    if (level === 'warn') throw new Error(message);
  },
};

/**
 * Writes the program into a folder and resolves to its parts. The caller empties the folder first: files that are not
 * written again stay.
 */
export async function bundleProgram(folder: string): Promise<readonly OutputChunk[]> {
  const { output } = await build({
    ...options,
    input: named(ENTRIES),
    platform: 'node',
    // `pg` loads it where it is installed, and works without it.
    external: ['pg-native', ...NATIVE_LIBRARIES],
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
