import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { slowestFiles } from './test/slowest-files.ts';

/**
 * A test that starts several servers may take this long; most take milliseconds. A server that the tester named may have
 * several nodes, on which thousands of statements take minutes.
 */
const TEST_TIMEOUT_MS = process.env['TEST_DATABASE_URL'] === undefined ? 180_000 : 240_000;
const HOOK_TIMEOUT_MS = 120_000;
/** The frame's tests read files and nothing else. */
const FRAME_TIMEOUT_MS = 60_000;
/** One more than the cores of a small machine: with four of them a run takes a tenth longer. */
const MAX_WORKERS = 3;

/** Replaces a module of Node, so it cannot share its modules with other files. */
const WITH_MOCKS = ['test/store/restore.test.ts'];

/** It stops the servers that other tests use. */
const NODES = ['test/nodes/**/*.test.ts'];

const RELIABILITY = ['test/reliability/**/*.test.ts', 'test/http/slow-clients.test.ts'];

/** What Node compiled of the sources: each database on SQLite starts two threads, which read them anew. */
const COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/tests', import.meta.url));

export default defineConfig({
  test: {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    pool: 'forks',
    // Most objects of a test die young; in Node's default of 16 MB many are moved before they do.
    execArgv: ['--max-semi-space-size=64'],
    // Modules are loaded once a worker and not once a file; only the project `mocks` changes what others import.
    isolate: false,
    maxWorkers: MAX_WORKERS,
    reporters: ['default', 'json', slowestFiles],
    outputFile: { json: 'test-results.json' },
    projects: [
      {
        extends: true,
        test: {
          name: 'check',
          include: ['test/frame/**/*.test.ts'],
          testTimeout: FRAME_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'main',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/frame/**', ...WITH_MOCKS, ...NODES, ...RELIABILITY],
          globalSetup: ['test/global-setup.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'mocks',
          include: WITH_MOCKS,
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'reliability',
          include: RELIABILITY,
          // After all others: these load the machine by themselves.
          sequence: { groupOrder: 1 },
          globalSetup: ['test/global-setup.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'nodes',
          include: NODES,
          sequence: { groupOrder: 2 },
          // One of them stops the servers that the others use as well. Unlike `maxWorkers`, this holds on any command line.
          fileParallelism: false,
          globalSetup: ['test/global-setup.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
    ],
  },
});
