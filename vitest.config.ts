import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { bundledThreads } from './test/bundled-threads.ts';
import { slowestFiles } from './test/slowest-files.ts';

/**
 * Long enough for tests that start several servers. Longer if TEST_DATABASE_URL is set: the URL may be that of a Citus
 * cluster, where thousands of statements take minutes.
 */
const USUAL_TIMEOUT_MS = process.env['TEST_DATABASE_URL'] === undefined ? 180_000 : 480_000;
const TEST_TIMEOUT_MS = process.env['TEST_THOROUGH'] === undefined ? USUAL_TIMEOUT_MS : 3_600_000;
const HOOK_TIMEOUT_MS = 120_000;
const POLL_TIMEOUT_MS = 30_000;
/** Timeout of the tests in test/check/, which only read files. */
const FRAME_TIMEOUT_MS = 60_000;
/** Chosen for a machine with two cores. On such a machine, a run with four workers takes 10% longer. */
const MAX_WORKERS = 3;

/** These tests mock a Node module, so they cannot share modules with other files. */
const WITH_MOCKS = ['test/platform/store/restore.test.ts'];

/** Tests of Citus nodes. One of these files stops the database servers that the other files use. */
const NODES = ['test/nodes/**/*.test.ts'];
/** Without this variable, a run starts a single PostgreSQL server, and the tests of nodes are skipped. */
const MAY_HAVE_NODES = process.env['TEST_DATABASE_URL'] !== undefined;

/** Slow tests. With the project `nodes`, they are the tests of `npm run test:full`. */
const FULL = [
  // The whole browser matrix, and every route for every person.
  'test/pages/docs/browser.test.ts',
  'test/pages/everywhere.test.ts',
  'test/pages/frame/forgery.test.ts',
  'test/pages/frame/hostile-requests.test.ts',
  'test/pages/frame/hostile-text.test.ts',
  'test/pages/long-words.test.ts',
  'test/pages/mails.test.ts',
  'test/pages/right-to-left.test.ts',
  'test/pages/market/claimant-looks.test.ts',
  'test/pages/scripts.test.ts',
  'test/pages/story.test.ts',
  'test/pages/tenants.test.ts',
  'test/pages/ui/gallery.test.ts',
  'test/people/sign-in/looks.test.ts',
  // Processes, and servers that are slow or fail. These tests often wait, so they run next to the others.
  'test/reliability/**/*.test.ts',
  'test/app/cli/backup-copies.test.ts',
  'test/app/cli/demo.test.ts',
  'test/app/cli/deploy.test.ts',
  'test/app/cli/operate.test.ts',
  'test/app/cli/pack.test.ts',
  'test/app/cli/scheduled-backups.test.ts',
  'test/background/system/clock.test.ts',
  'test/claims/deadline.test.ts',
  'test/claims/exporter.test.ts',
  'test/pages/frame/export-drain.test.ts',
  'test/people/sign-in/email/attacks.test.ts',
  'test/people/sign-in/limits/challenge.test.ts',
  'test/platform/store/foreign-schema.test.ts',
  'test/platform/store/following-pool.test.ts',
  'test/platform/store/move.test.ts',
  'test/platform/store/partitions.test.ts',
  'test/platform/store/primary-watch.test.ts',
  // Stored databases of released versions.
  'test/upgrades/**/*.test.ts',
  // Foreign tools and files.
  'test/api/typescript-client.test.ts',
  'test/claims/spreadsheet.test.ts',
  'test/marketplace/pictures/hostile.test.ts',
  'test/platform/http/real-proxies.test.ts',
  'test/platform/http/slow-clients.test.ts',
  'test/snippets/**/*.test.ts',
];

/** Cache of compiled sources. Without it, the two threads of each SQLite database would compile the sources again. */
const COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/tests', import.meta.url));

export default defineConfig({
  plugins: [bundledThreads],
  test: {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    // Vitest's default of a second is too short for a busy machine.
    expect: { poll: { timeout: POLL_TIMEOUT_MS } },
    pool: 'forks',
    // Most objects in tests are short-lived. With Node's default of 16 MB, many would be copied before they are freed.
    execArgv: ['--max-semi-space-size=64'],
    // Modules are loaded once per worker instead of once per file. Only the project `mocks` needs isolation.
    isolate: false,
    maxWorkers: MAX_WORKERS,
    reporters: ['default', 'json', slowestFiles],
    outputFile: { json: 'test-results.json' },
    projects: [
      {
        extends: true,
        test: {
          name: 'check',
          include: ['test/check/**/*.test.ts'],
          testTimeout: FRAME_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'main',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/check/**', ...WITH_MOCKS, ...NODES, ...FULL],
          globalSetup: ['test/global-setup.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'full',
          include: MAY_HAVE_NODES ? FULL : [...FULL, ...NODES],
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
          globalSetup: ['test/global-setup.ts'],
          isolate: true,
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: 'nodes',
          include: MAY_HAVE_NODES ? NODES : [],
          sequence: { groupOrder: 1 },
          // Files run one at a time. Unlike `maxWorkers: 1`, this holds even with --maxWorkers on the command line.
          fileParallelism: false,
          globalSetup: ['test/global-setup.ts'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
    ],
  },
});
