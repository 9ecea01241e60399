/** Databases exist that released migrations have made, so a changed migration would no longer describe them. */
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { MIGRATIONS } from '../../src/platform/store/migrations/migrations.ts';
import { describeMigrations, RELEASES, readRelease } from '../upgrades/stored.ts';

const CHANGED =
  'A released migration has changed. Undo the change, and add a new migration to src/platform/store/migrations/ instead.';

test.each(RELEASES)('the migrations of version %s have not changed', (version) => {
  const { migrations } = readRelease(version);
  expect(describeMigrations(MIGRATIONS).slice(0, migrations.length), CHANGED).toEqual(migrations);
});

test('every migration is numbered, and compatible with itself or an earlier one', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  expect(MIGRATIONS.filter(({ version, compatibleWith }) => compatibleWith > version)).toEqual([]);
});

test('this version has stored databases', () => {
  expect(RELEASES, 'Run `npm run store-release`.').toContain(manifest.version);
});
