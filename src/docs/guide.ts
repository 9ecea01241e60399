/** The pages of the documentation in the order of the menu. A page is a file in `docs/guide/` and its line here. */

/** The pages of errors are made from the definitions of the operations. */
export const ERRORS_PAGE = 'errors';

/** The file of the repository that a page shows; the others are in `docs/guide/`. */
export const FILES_ELSEWHERE: Readonly<Record<string, string>> = { changelog: 'CHANGELOG.md' };

export interface GuideSection {
  readonly title: string;
  /** Names of files without their ending. */
  readonly pages: readonly string[];
}

export const GUIDE: readonly GuideSection[] = [
  { title: 'Start', pages: ['README', 'quickstart', 'what-you-build', 'how-a-claim-works'] },
  {
    title: 'Integrate',
    pages: [
      'verify',
      'safe-retries',
      'test-mode',
      'recommended-page',
      'link-check',
      'campaigns',
      'reconciliation',
      'webhooks',
      'owner-api',
      'receipts',
    ],
  },
  { title: 'Look up', pages: [ERRORS_PAGE, 'limits', 'versions', 'changelog'] },
  { title: 'Operate', pages: ['self-hosting', 'scale', 'high-availability', 'citus', 'operator-api'] },
];
