/** The order of the test files: the longest first, so that at the end no worker waits for another one for long. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Below `test/`, longest first. A fresh clone has no durations of an earlier run, and size says little. */
const LONG_FILES = [
  'pages/scripts',
  'pages/everywhere',
  'pages/story',
  'pages/tenants',
  'cli/operate',
  'claims/claim',
  'pages/desk',
  'accounts/passkeys',
  'pages/owner-listings',
  'pages/gallery',
  'pages/owner-campaigns',
  'accounts/set-up',
  'cli/demo',
  'cli/pack',
  'reliability/crash',
  'reliability/processes',
  'reliability/bulk',
  'reliability/postgres-away',
  'reliability/backup',
  'reliability/once',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const index = LONG_FILES.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return index < 0 ? LONG_FILES.length : index;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.sort((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}
