/** The order of the test files: the longest first, so that at the end no worker waits for another one for long. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Below `test/`, longest first. A fresh clone has no durations of an earlier run, and size says little. */
const LONG_FILES = [
  'pages/everywhere',
  'pages/scripts',
  'snippets/snippets',
  'pages/story',
  'accounts/passkeys',
  'cli/operate',
  'pages/owner-start',
  'pages/gallery',
  'pages/owner-claims',
  'store/following-pool',
  'claims/claim',
  'claims/exporter',
  'accounts/set-up',
  'pages/claimant',
  'accounts/looks',
  'pages/owner-offers',
  'pages/desk',
  'accounts/account',
  'accounts/sign-in',
  'claims/search',
  'pages/owner-campaigns',
  'http/drain',
  'pages/tenants',
  'store/sqlite',
  'cli/demo',
  'cli/pack',
  'store/partitions',
  'reliability/processes',
  'reliability/crash',
  'reliability/failover',
  'reliability/postgres-away',
  'reliability/bulk',
  'reliability/webhooks',
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
