/** The change policy: a release has everything that earlier releases of the same major version have. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readVersion } from '../../src/platform/process/version.ts';
import { surface } from '../support/surface.ts';

const majorOf = (version: string): string => version.split('.')[0]!;

const RELEASES = globSync('*/surface.txt', { cwd: import.meta.dirname }).filter(
  (file) => majorOf(dirname(file)) === majorOf(readVersion()),
);

test('there is at least one release to compare with', () => {
  expect(RELEASES.length).toBeGreaterThan(0);
});

test.each(RELEASES)('nothing of %s was removed or renamed', (file) => {
  const stored = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
  const current = new Set(surface());
  expect(stored.length).toBeGreaterThan(1_000);
  expect(
    stored.filter((line) => !current.has(line)),
    `Users of ${dirname(file)} rely on this. Keep it, or deprecate it for the next major version.`,
  ).toEqual([]);
  // Control: a line that is missing is noticed.
  expect(['setting OF_NO_RELEASE'].filter((line) => !current.has(line))).toHaveLength(1);
});
