import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { layoutFaults, type SourceFile } from './imports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function sourceFiles(): readonly SourceFile[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(`${ROOT}${path}`, 'utf8'),
  }));
}

/** Files that break no rule. Each case below adds or replaces one file. */
const TREE: readonly SourceFile[] = [
  { path: 'src/app/find-viewer.ts', text: `import type { Context } from '../context.ts';` },
  { path: 'src/app/config/config.ts', text: `import { parseSmtpUrl } from './config/mail.ts';` },
  { path: 'src/config/connections.ts', text: '' },
  { path: 'src/base/context.ts', text: '' },
  { path: 'src/platform/store/database.ts', text: '' },
  { path: 'src/marketplace/listings/listing.ts', text: '' },
  {
    path: 'src/marketplace/listings/queries.ts',
    text: `import type { Transaction } from '../store/database.ts';\nimport './listing.ts';\ndb.selectFrom('listings');`,
  },
  {
    path: 'src/listings/approve.ts',
    text: `import { byId } from './queries.ts';\nimport { create } from '../offers/create.ts';\ndb.transaction(work);`,
  },
  { path: 'src/people/keys/end.ts', text: `import type { Context } from '../context.ts';` },
  { path: 'src/marketplace/offers/queries.ts', text: '' },
  { path: 'src/marketplace/offers/create.ts', text: '' },
  { path: 'src/claims/claim-offer.ts', text: `import { find } from '../listings/queries.ts';` },
  { path: 'src/claims/verify/engines/verify-sqlite.ts', text: `connection.prepare('select 1');` },
  { path: 'src/pages/market/pages.tsx', text: `import { approve } from '../listings/approve.ts';` },
  { path: 'src/base/jobs/queries.ts', text: `db.selectFrom('jobs');` },
  {
    path: 'src/jobs/pace.ts',
    text: 'const PAUSE_MS: Record<Engine, number> = { sqlite: 5, postgres: 0, citus: 0 };',
  },
  { path: 'src/pages/market/queries.ts', text: `db.selectFrom('listings');` },
];

describe('the layout of src/', () => {
  it('breaks no rule', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(300);
    expect(layoutFaults(files)).toEqual([]);
  });

  it.each([
    // Infrastructure must not import domains or the configuration.
    [
      'arrow',
      'src/platform/http/operations/problem.ts',
      `import type { Claim } from '../../claims/claim-offer.ts';`,
    ],
    ['arrow', 'src/pages/ui/shell.tsx', `export { list } from '../listings/queries.ts';`],
    ['arrow', 'src/platform/store/sqlite/worker.ts', `await import('../../listings/listing.ts');`],
    [
      'arrow',
      'src/store/sqlite/pool.ts',
      `new URL('../../claims/verify/engines/verify-sqlite.ts', import.meta.url)`,
    ],
    ['arrow', 'src/http/server/log.ts', `import type { ServiceAddress } from '../../config/address.ts';`],
    ['arrow', 'src/platform/store/open.ts', `import type { Config } from '../config.ts';`],
    ['arrow', 'src/jobs/jobs.ts', `import { approve } from '../listings/approve.ts';`],
    // A domain may import only earlier domains.
    ['order', 'src/listings/approve.ts', `import { claim } from '../claims/claim-offer.ts';`],
    ['order', 'src/base/events/queries.ts', `import { listingKey } from '../listings/listing.ts';`],
    ['order', 'src/marketplace/offers/queries.ts', `import type { Claim } from '../claims/queries.ts';`],
    // Forbidden imports in domain files.
    ['arrow', 'src/marketplace/listings/listing.ts', `import { roll } from '../keys/end.ts';`],
    ['arrow', 'src/marketplace/listings/listing.ts', `import {\n  byId,\n} from '../keys/queries.ts';`],
    ['arrow', 'src/marketplace/listings/listing.ts', `import type { Context } from '../context.ts';`],
    ['arrow', 'src/marketplace/listings/queries.ts', `import { roll } from '../keys/end.ts';`],
    ['arrow', 'src/listings/approve.ts', `import { page } from '../http/pages.ts';`],
    ['arrow', 'src/listings/approve.ts', `import '../cli/listings.ts';`],
    ['arrow', 'src/listings/approve.ts', `import { listingPath } from '../market/paths.ts';`],
    ['arrow', 'src/claims/verify/engines/verify-sqlite.ts', `import { find } from '../queries.ts';`],
    // Forbidden imports in pages and in the remaining parts.
    ['audience', 'src/desk/pages.tsx', `import { Ticket } from '../market/pages.tsx';`],
    [
      'audience',
      'src/pages/market/queries.ts',
      `import { byOwner } from '../dashboard/listings/queries.ts';`,
    ],
    ['arrow', 'src/pages/market/queries.ts', `import { listingPath } from './paths.ts';`],
    ['arrow', 'src/pages/market/pages.tsx', `import { createFindViewer } from '../app/find-viewer.ts';`],
    ['arrow', 'src/pages/market/pages.tsx', `import { output } from '../cli/output.ts';`],
    ['arrow', 'src/app/demo/data.ts', `import type { Progress } from '../cli/output.ts';`],
    ['arrow', 'src/main.ts', `import { approve } from './listings/approve.ts';`],
    ['arrow', 'src/platform/errors.ts', `import './config.ts';`],
    ['arrow', 'src/config/connections.ts', `import { smtpSecurity } from '../mail/smtp.ts';`],
    // Files outside the layout, and code in the wrong file.
    ['layout', 'src/helpers/strings.ts', ''],
    ['layout', 'src/strings.ts', ''],
    ['layout', 'src/listings/approve.ts', `import { pad } from '../strings.ts';`],
    ['layout', 'src/listings/approve.ts', `import { pad } from '../helpers/strings.ts';`],
    ['markup', 'src/listings/badge.tsx', ''],
    ['markup', 'src/cli/table.tsx', ''],
    ['transaction', 'src/cli/listings.ts', 'await context.db.transaction(async (tx) => {});'],
    ['transaction', 'src/pages/market/pages.tsx', 'await db.transaction(async (tx) => {});'],
    ['transaction', 'src/marketplace/listings/queries.ts', 'await db.transaction(async (tx) => {});'],
    ['sql', 'src/listings/approve.ts', `db.selectFrom('listings')`],
    ['sql', 'src/listings/approve.ts', `tx.insertInto('listings')`],
    ['sql', 'src/listings/approve.ts', `tx\n  .updateTable('listings')`],
    ['sql', 'src/listings/approve.ts', `tx.deleteFrom('listings')`],
    ['sql', 'src/listings/approve.ts', 'sql`select 1`'],
    ['sql', 'src/listings/approve.ts', 'sql<{ n: number }>`select 1 as n`'],
    ['sql', 'src/background/system/checks.ts', `await client.query('select 1')`],
    ['sql', 'src/claims/verify/decision/verification.ts', `connection.prepare('select 1')`],
    ['sql', 'src/pages/market/pages.tsx', `db.selectFrom('listings')`],
    ['sql', 'src/jobs/jobs.ts', `db.selectFrom('jobs')`],
    ['engine', 'src/marketplace/listings/queries.ts', `engine === 'postgres' ? query.forUpdate() : query`],
    ['engine', 'src/listings/approve.ts', `if (db.engine !== 'sqlite') return;`],
    ['engine', 'src/platform/store/database.ts', `'postgres' === engine`],
    ['engine', 'src/background/system/checks.ts', `switch (engine) { case 'postgres': }`],
    ['engine', 'src/platform/store/open.ts', `switch (engine) { case 'citus': }`],
    // Mentions of Citus outside its folders.
    ['citus', 'src/base/events/queries.ts', '// On Citus each node draws its own numbers.'],
    [
      'citus',
      'src/platform/store/postgres/pool.ts',
      `const SETTINGS = { 'citus.propagate_set_commands': 'local' };`,
    ],
    [
      'citus',
      'src/platform/store/postgres/migrate.ts',
      `import { distribute } from '../citus/distribution.ts';`,
    ],
    ['citus', 'src/jobs/jobs.ts', 'for (const shard of shards) run(shard);'],
    ['citus', 'src/jobs/jobs.ts', `const RUNS: Record<Engine, Run> = { citus: run }; // Citus too`],
    // Circular imports, including type imports.
    ['circle', 'src/marketplace/offers/create.ts', `import type { Listing } from '../listings/approve.ts';`],
  ])('breaks the rule %s if %s contains %s', (rule, path, text) => {
    expect(layoutFaults(TREE)).toEqual([]);
    const planted = [...TREE.filter((file) => file.path !== path), { path, text }];
    expect(layoutFaults(planted)).toEqual([expect.stringMatching(new RegExp(`^${rule}: .*${path}`))]);
  });
});
