import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
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
  { path: 'src/app/find-viewer.ts', text: `import type { Context } from '../base/context.ts';` },
  { path: 'src/app/config/config.ts', text: `import { parseSmtpUrl } from './mail.ts';` },
  { path: 'src/app/config/connections.ts', text: '' },
  { path: 'src/base/brand/brand.ts', text: '' },
  { path: 'src/base/context.ts', text: `import type { Marketplace } from './brand/marketplace.ts';` },
  { path: 'src/platform/store/database.ts', text: '' },
  { path: 'src/marketplace/listings/listing.ts', text: '' },
  {
    path: 'src/marketplace/listings/queries.ts',
    text: `import type { Transaction } from '../../platform/store/database.ts';\nimport './listing.ts';\ndb.selectFrom('listings');`,
  },
  {
    path: 'src/marketplace/listings/approve.ts',
    text: `import { byId } from './queries.ts';\nimport { create } from '../offers/create.ts';\ndb.transaction(work);`,
  },
  { path: 'src/people/keys/end.ts', text: `import type { Context } from '../../base/context.ts';` },
  { path: 'src/marketplace/offers/queries.ts', text: '' },
  { path: 'src/marketplace/offers/create.ts', text: '' },
  {
    path: 'src/claims/creation/claim-offer.ts',
    text: `import { find } from '../../marketplace/listings/queries.ts';`,
  },
  { path: 'src/claims/verify/engines/verify-sqlite.ts', text: `connection.prepare('select 1');` },
  {
    path: 'src/pages/market/pages.tsx',
    text: `import { approve } from '../../marketplace/listings/approve.ts';`,
  },
  { path: 'src/base/jobs/queries.ts', text: `db.selectFrom('jobs');` },
  {
    path: 'src/base/jobs/pace.ts',
    text: 'const PAUSE_MS: Record<Engine, number> = { sqlite: 5, postgres: 0, citus: 0 };',
  },
  { path: 'src/pages/market/queries.ts', text: `db.selectFrom('listings');` },
];

describe('the layout of src/', () => {
  test('breaks no rule', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(300);
    expect(layoutFaults(files)).toEqual([]);
  });

  test.each([
    // A zone imports only from itself and the zones below.
    [
      'zone',
      'src/platform/http/operations/problem.ts',
      `import type { Claim } from '../../../claims/claim-offer.ts';`,
    ],
    [
      'zone',
      'src/platform/store/sqlite/worker.ts',
      `await import('../../../marketplace/listings/listing.ts');`,
    ],
    [
      'zone',
      'src/platform/store/sqlite/pool.ts',
      `new URL('../../../claims/verify/engines/verify-sqlite.ts', import.meta.url)`,
    ],
    [
      'zone',
      'src/platform/http/server/log.ts',
      `import type { ServiceAddress } from '../../../app/config/address.ts';`,
    ],
    ['zone', 'src/platform/store/open.ts', `import type { Config } from '../../app/config/config.ts';`],
    ['zone', 'src/platform/errors.ts', `import '../app/config/config.ts';`],
    ['zone', 'src/base/jobs/jobs.ts', `import { approve } from '../../marketplace/listings/approve.ts';`],
    ['zone', 'src/base/events/queries.ts', `import { key } from '../../marketplace/listings/listing.ts';`],
    ['zone', 'src/base/context.ts', `import type { Claim } from '../claims/claim-offer.ts';`],
    ['zone', 'src/people/keys/end.ts', `import { find } from '../../marketplace/listings/queries.ts';`],
    ['zone', 'src/marketplace/listings/approve.ts', `import { claim } from '../../claims/claim-offer.ts';`],
    ['zone', 'src/marketplace/listings/approve.ts', `import '../../app/cli/listings.ts';`],
    [
      'zone',
      'src/marketplace/listings/approve.ts',
      `import { listingPath } from '../../pages/market/paths.ts';`,
    ],
    ['zone', 'src/pages/market/pages.tsx', `import { createFindViewer } from '../../app/find-viewer.ts';`],
    ['zone', 'src/pages/market/pages.tsx', `import { output } from '../../app/cli/output.ts';`],
    // Within a zone, a folder imports only from the folders to the right in `ZONES`.
    ['order', 'src/people/accounts/edit.ts', `import { endRole } from '../members/end-role.ts';`],
    ['order', 'src/marketplace/offers/queries.ts', `import type { Label } from '../campaigns/label.ts';`],
    ['order', 'src/pages/ui/shell.tsx', `export { list } from '../market/pages.tsx';`],
    ['order', 'src/app/demo/data.ts', `import type { Progress } from '../cli/output.ts';`],
    ['order', 'src/platform/store/open.ts', `import { listen } from '../http/server/listen.ts';`],
    ['audience', 'src/pages/desk/pages.tsx', `import { Ticket } from '../market/pages.tsx';`],
    [
      'audience',
      'src/pages/market/queries.ts',
      `import { byOwner } from '../dashboard/listings/queries.ts';`,
    ],
    // The kind of a file limits what it imports.
    ['kind', 'src/marketplace/listings/listing.ts', `import { roll } from '../../people/keys/end.ts';`],
    [
      'kind',
      'src/marketplace/listings/listing.ts',
      `import {\n  byId,\n} from '../../people/keys/queries.ts';`,
    ],
    ['kind', 'src/marketplace/listings/listing.ts', `import type { Context } from '../../base/context.ts';`],
    ['kind', 'src/marketplace/listings/queries.ts', `import { roll } from '../../people/keys/end.ts';`],
    [
      'kind',
      'src/marketplace/listings/approve.ts',
      `import { routes } from '../../platform/http/operations/operation-routes.ts';`,
    ],
    ['kind', 'src/claims/verify/engines/verify-sqlite.ts', `import { find } from '../../queries.ts';`],
    ['kind', 'src/pages/market/queries.ts', `import { listingPath } from './paths.ts';`],
    [
      'kind',
      'src/pages/ui/shell.tsx',
      `import type { Listing } from '../../marketplace/listings/listing.ts';`,
    ],
    ['kind', 'src/pages/frame/pages.ts', `import { byId } from '../../marketplace/listings/queries.ts';`],
    ['kind', 'src/main.ts', `import { approve } from './marketplace/listings/approve.ts';`],
    ['kind', 'src/app/config/connections.ts', `import { smtpSecurity } from '../../people/mail/smtp.ts';`],
    // Files outside the layout, and code in the wrong file.
    ['layout', 'src/helpers/strings.ts', ''],
    ['layout', 'src/strings.ts', ''],
    ['layout', 'src/marketplace/strings.ts', ''],
    ['layout', 'src/marketplace/auctions/auction.ts', ''],
    ['layout', 'src/base/strings.ts', ''],
    ['layout', 'src/marketplace/listings/approve.ts', `import { pad } from '../../strings.ts';`],
    ['layout', 'src/marketplace/listings/approve.ts', `import { pad } from '../../helpers/strings.ts';`],
    ['markup', 'src/marketplace/listings/badge.tsx', ''],
    ['markup', 'src/app/cli/table.tsx', ''],
    ['transaction', 'src/app/cli/listings.ts', 'await context.db.transaction(async (tx) => {});'],
    ['transaction', 'src/pages/market/pages.tsx', 'await db.transaction(async (tx) => {});'],
    ['transaction', 'src/marketplace/listings/queries.ts', 'await db.transaction(async (tx) => {});'],
    ['sql', 'src/marketplace/listings/approve.ts', `db.selectFrom('listings')`],
    ['sql', 'src/marketplace/listings/approve.ts', `tx.insertInto('listings')`],
    ['sql', 'src/marketplace/listings/approve.ts', `tx\n  .updateTable('listings')`],
    ['sql', 'src/marketplace/listings/approve.ts', `tx.deleteFrom('listings')`],
    ['sql', 'src/marketplace/listings/approve.ts', 'sql`select 1`'],
    ['sql', 'src/marketplace/listings/approve.ts', 'sql<{ n: number }>`select 1 as n`'],
    ['sql', 'src/background/system/examine.ts', `await client.query('select 1')`],
    ['sql', 'src/claims/verify/decision/verification.ts', `connection.prepare('select 1')`],
    ['sql', 'src/pages/market/pages.tsx', `db.selectFrom('listings')`],
    ['sql', 'src/base/jobs/jobs.ts', `db.selectFrom('jobs')`],
    ['engine', 'src/marketplace/listings/queries.ts', `engine === 'postgres' ? query.forUpdate() : query`],
    ['engine', 'src/marketplace/listings/approve.ts', `if (db.engine !== 'sqlite') return;`],
    ['engine', 'src/platform/store/database.ts', `'postgres' === engine`],
    ['engine', 'src/background/system/examine.ts', `switch (engine) { case 'postgres': }`],
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
    ['citus', 'src/base/jobs/jobs.ts', 'for (const shard of shards) run(shard);'],
    ['citus', 'src/base/jobs/jobs.ts', `const RUNS: Record<Engine, Run> = { citus: run }; // Citus too`],
    // Circular imports, including type imports.
    ['circle', 'src/marketplace/offers/create.ts', `import type { Listing } from '../listings/approve.ts';`],
  ])('breaks the rule %s if %s contains %s', (rule, path, text) => {
    expect(layoutFaults(TREE)).toEqual([]);
    const planted = [...TREE.filter((file) => file.path !== path), { path, text }];
    expect(layoutFaults(planted)).toEqual([expect.stringMatching(new RegExp(`^${rule}: .*${path}`))]);
  });

  test('says which way to turn an import', () => {
    const path = 'src/people/keys/end.ts';
    const text = `import { find } from '../../marketplace/listings/queries.ts';`;
    expect(layoutFaults([...TREE.filter((file) => file.path !== path), { path, text }])).toEqual([
      'zone: src/people/keys/end.ts must not import src/marketplace/listings/queries.ts: marketplace is above people. Move what both need to people or below, or let the caller pass it in.',
    ]);
  });
});
