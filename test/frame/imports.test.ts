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
  { path: 'src/config.ts', text: `import { parseSmtpUrl } from './config/mail.ts';` },
  { path: 'src/config/connections.ts', text: '' },
  { path: 'src/context.ts', text: '' },
  { path: 'src/store/database.ts', text: '' },
  { path: 'src/listings/listing.ts', text: '' },
  {
    path: 'src/listings/queries.ts',
    text: `import type { Transaction } from '../store/database.ts';\nimport './listing.ts';\ndb.selectFrom('listings');`,
  },
  {
    path: 'src/listings/approve.ts',
    text: `import { byId } from './queries.ts';\nimport { create } from '../offers/create.ts';\ndb.transaction(work);`,
  },
  { path: 'src/keys/end.ts', text: `import type { Context } from '../context.ts';` },
  { path: 'src/offers/queries.ts', text: '' },
  { path: 'src/offers/create.ts', text: '' },
  { path: 'src/claims/claim-offer.ts', text: `import { find } from '../listings/queries.ts';` },
  { path: 'src/claims/verify/engines/verify-sqlite.ts', text: `connection.prepare('select 1');` },
  { path: 'src/market/pages.tsx', text: `import { approve } from '../listings/approve.ts';` },
  { path: 'src/jobs/queries.ts', text: `db.selectFrom('jobs');` },
  {
    path: 'src/jobs/pace.ts',
    text: 'const PAUSE_MS: Record<Engine, number> = { sqlite: 5, postgres: 0, citus: 0 };',
  },
  { path: 'src/market/queries.ts', text: `db.selectFrom('listings');` },
];

describe('the layout of src/', () => {
  it('breaks no rule', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(300);
    expect(layoutFaults(files)).toEqual([]);
  });

  it.each([
    // Infrastructure must not import domains or the configuration.
    ['arrow', 'src/http/operations/problem.ts', `import type { Claim } from '../../claims/claim-offer.ts';`],
    ['arrow', 'src/ui/shell.tsx', `export { list } from '../listings/queries.ts';`],
    ['arrow', 'src/store/sqlite/worker.ts', `await import('../../listings/listing.ts');`],
    [
      'arrow',
      'src/store/sqlite/pool.ts',
      `new URL('../../claims/verify/engines/verify-sqlite.ts', import.meta.url)`,
    ],
    ['arrow', 'src/http/server/log.ts', `import type { ServiceAddress } from '../../config/address.ts';`],
    ['arrow', 'src/store/open.ts', `import type { Config } from '../config.ts';`],
    ['arrow', 'src/jobs/jobs.ts', `import { approve } from '../listings/approve.ts';`],
    // A domain may import only earlier domains.
    ['order', 'src/listings/approve.ts', `import { claim } from '../claims/claim-offer.ts';`],
    ['order', 'src/events/queries.ts', `import { listingKey } from '../listings/listing.ts';`],
    ['order', 'src/offers/queries.ts', `import type { Claim } from '../claims/queries.ts';`],
    // Forbidden imports in domain files.
    ['arrow', 'src/listings/listing.ts', `import { roll } from '../keys/end.ts';`],
    ['arrow', 'src/listings/listing.ts', `import {\n  byId,\n} from '../keys/queries.ts';`],
    ['arrow', 'src/listings/listing.ts', `import type { Context } from '../context.ts';`],
    ['arrow', 'src/listings/queries.ts', `import { roll } from '../keys/end.ts';`],
    ['arrow', 'src/listings/approve.ts', `import { page } from '../http/pages.ts';`],
    ['arrow', 'src/listings/approve.ts', `import '../cli/listings.ts';`],
    ['arrow', 'src/listings/approve.ts', `import { listingPath } from '../market/paths.ts';`],
    ['arrow', 'src/claims/verify/engines/verify-sqlite.ts', `import { find } from '../queries.ts';`],
    // Forbidden imports in pages and in the remaining parts.
    ['audience', 'src/desk/pages.tsx', `import { Ticket } from '../market/pages.tsx';`],
    ['audience', 'src/market/queries.ts', `import { byOwner } from '../dashboard/listings/queries.ts';`],
    ['arrow', 'src/market/queries.ts', `import { listingPath } from './paths.ts';`],
    ['arrow', 'src/market/pages.tsx', `import { createFindViewer } from '../app/find-viewer.ts';`],
    ['arrow', 'src/market/pages.tsx', `import { output } from '../cli/output.ts';`],
    ['arrow', 'src/demo/data.ts', `import type { Progress } from '../cli/output.ts';`],
    ['arrow', 'src/main.ts', `import { approve } from './listings/approve.ts';`],
    ['arrow', 'src/errors.ts', `import './config.ts';`],
    ['arrow', 'src/config/connections.ts', `import { smtpSecurity } from '../mail/smtp.ts';`],
    // Files outside the layout, and code in the wrong file.
    ['layout', 'src/helpers/strings.ts', ''],
    ['layout', 'src/strings.ts', ''],
    ['layout', 'src/listings/approve.ts', `import { pad } from '../strings.ts';`],
    ['layout', 'src/listings/approve.ts', `import { pad } from '../helpers/strings.ts';`],
    ['markup', 'src/listings/badge.tsx', ''],
    ['markup', 'src/cli/table.tsx', ''],
    ['transaction', 'src/cli/listings.ts', 'await context.db.transaction(async (tx) => {});'],
    ['transaction', 'src/market/pages.tsx', 'await db.transaction(async (tx) => {});'],
    ['transaction', 'src/listings/queries.ts', 'await db.transaction(async (tx) => {});'],
    ['sql', 'src/listings/approve.ts', `db.selectFrom('listings')`],
    ['sql', 'src/listings/approve.ts', `tx.insertInto('listings')`],
    ['sql', 'src/listings/approve.ts', `tx\n  .updateTable('listings')`],
    ['sql', 'src/listings/approve.ts', `tx.deleteFrom('listings')`],
    ['sql', 'src/listings/approve.ts', 'sql`select 1`'],
    ['sql', 'src/listings/approve.ts', 'sql<{ n: number }>`select 1 as n`'],
    ['sql', 'src/system/checks.ts', `await client.query('select 1')`],
    ['sql', 'src/claims/verify/decision/verification.ts', `connection.prepare('select 1')`],
    ['sql', 'src/market/pages.tsx', `db.selectFrom('listings')`],
    ['sql', 'src/jobs/jobs.ts', `db.selectFrom('jobs')`],
    ['engine', 'src/listings/queries.ts', `engine === 'postgres' ? query.forUpdate() : query`],
    ['engine', 'src/listings/approve.ts', `if (db.engine !== 'sqlite') return;`],
    ['engine', 'src/store/database.ts', `'postgres' === engine`],
    ['engine', 'src/system/checks.ts', `switch (engine) { case 'postgres': }`],
    ['engine', 'src/store/open.ts', `switch (engine) { case 'citus': }`],
    // Mentions of Citus outside its folders.
    ['citus', 'src/events/queries.ts', '// On Citus each node draws its own numbers.'],
    ['citus', 'src/store/postgres/pool.ts', `const SETTINGS = { 'citus.propagate_set_commands': 'local' };`],
    ['citus', 'src/store/postgres/migrate.ts', `import { distribute } from '../citus/distribution.ts';`],
    ['citus', 'src/jobs/jobs.ts', 'for (const shard of shards) run(shard);'],
    ['citus', 'src/jobs/jobs.ts', `const RUNS: Record<Engine, Run> = { citus: run }; // Citus too`],
    // Circular imports, including type imports.
    ['circle', 'src/offers/create.ts', `import type { Listing } from '../listings/approve.ts';`],
  ])('breaks the rule %s if %s contains %s', (rule, path, text) => {
    expect(layoutFaults(TREE)).toEqual([]);
    const planted = [...TREE.filter((file) => file.path !== path), { path, text }];
    expect(layoutFaults(planted)).toEqual([expect.stringMatching(new RegExp(`^${rule}: .*${path}`))]);
  });
});
