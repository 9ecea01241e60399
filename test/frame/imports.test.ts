import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { forbiddenImports, type SourceFile, strayTransactions } from './imports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function sourceFiles(): readonly SourceFile[] {
  return globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(`${ROOT}${path}`, 'utf8'),
  }));
}

describe('the arrows of src/', () => {
  it('hold', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(0);
    expect(forbiddenImports(files)).toEqual([]);
    expect(strayTransactions(files)).toEqual([]);
  });

  it.each([
    ['src/http/problem.ts', `import type { Claim } from '../claims/claim.ts';`],
    ['src/store/sqlite/worker.ts', `const { decide } = await import('../../claims/claim.ts');`],
    ['src/ui/shell.tsx', `export { list } from '../listings/queries.ts';`],
    ['src/listings/listing.ts', `import { approve } from './approve.ts';`],
    ['src/listings/listing.ts', `import {\n  byId,\n} from './queries.ts';\nimport '../http/problem.ts';`],
    [
      'src/listings/approve.ts',
      `import type { Context } from '../context.ts';\nimport '../cli/listings.ts';`,
    ],
    ['src/listings/queries.ts', `import { approve } from './approve.ts';`],
    ['src/main.ts', `import { approve } from './listings/approve.ts';`],
    ['src/errors.ts', `import './config.ts';`],
    ['src/helpers/strings.ts', ''],
  ])('are broken by %s', (path, text) => {
    const files = [
      { path: 'src/claims/claim-offer.ts', text: '' },
      { path: 'src/listings/queries.ts', text: `import type { Transaction } from '../store/database.ts';` },
      { path: 'src/listings/approve.ts', text: `import { byId } from './queries.ts';` },
    ];
    expect(forbiddenImports(files)).toEqual([]);
    const changed = [...files.filter((file) => file.path !== path), { path, text }];
    expect(forbiddenImports(changed)).toEqual([expect.stringContaining(path)]);
  });

  it('let nobody but a verb open a transaction', () => {
    const text = 'await context.db.transaction(async (tx) => {});';
    expect(strayTransactions([{ path: 'src/listings/approve.ts', text }])).toEqual([]);
    expect(strayTransactions([{ path: 'src/cli/listings.ts', text }])).toHaveLength(1);
    expect(strayTransactions([{ path: 'src/listings/pages.tsx', text }])).toHaveLength(1);
  });
});
