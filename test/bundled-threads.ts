/**
 * Tests start the threads and child processes of the service from a bundle: from the sources, each would load a hundred
 * modules, and a test run starts thousands of them.
 */
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
/** `test/global-setup.ts` writes the bundle. */
export const THREADS_FOLDER = fileURLToPath(new URL('../node_modules/.cache/threads/', import.meta.url));

const CALL = 'siblingModule(import.meta.url,';
const BUNDLED = `siblingModule(${JSON.stringify(`${pathToFileURL(THREADS_FOLDER)}x.js`)},`;

export const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(SOURCES) && code.includes(CALL) ? code.replaceAll(CALL, BUNDLED) : null,
};
