/** The pages of the documentation: their menu, paths and links. A page is a file in `docs/guide/` and its line here. */
import { EXAMPLE_BASE_URL } from './fill.ts';

/** The pages of errors are made from the definitions of the operations. */
export const ERRORS_PAGE = 'errors';

/** The file of the repository that a page shows; the others are in `docs/guide/`. */
export const FILES_ELSEWHERE: Readonly<Record<string, string>> = { changelog: 'CHANGELOG.md' };

/** Files that pages link to and the service sends, by the path in `docs/` and below `/docs/`. */
export const DOWNLOADS = ['grafana/claimcheck.json'] as const;

/** The menu: sections each with the names of its files without the extension. */
export const GUIDE: readonly { readonly title: string; readonly pages: readonly string[] }[] = [
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
      'members',
      'owner-api',
      'receipts',
    ],
  },
  { title: 'Look up', pages: [ERRORS_PAGE, 'limits', 'privacy', 'versions', 'changelog'] },
  {
    title: 'Operate',
    pages: [
      'self-hosting',
      'settings',
      'deploy',
      'doctor',
      'metrics',
      'scale',
      'high-availability',
      'citus',
      'operator-api',
      'being-found',
    ],
  },
];

export const DOCS_PATH = '/docs';
export const SEARCH_PATH = `${DOCS_PATH}/search`;

/** A page of the guide by the name of its file; the folder's README is the first page. */
export const guidePath = (name: string): string => (name === 'README' ? DOCS_PATH : `${DOCS_PATH}/${name}`);

/** The same page as Markdown. */
export const markdownPath = (path: string): string => `${path}.md`;

/** The root of the repository, from a page in `docs/guide/`. */
const ROOT = '../../';
/** The folder `docs/`, from a page in `docs/guide/`. */
const DOCS_FOLDER = '../';
const GUIDE_FILE = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/;

/** The address of a page or file of the documentation that a link names by its file; `null`: it names none. */
export function pageOf(href: string): string | null {
  const [, name, anchor = ''] = GUIDE_FILE.exec(href) ?? [];
  if (name !== undefined) return guidePath(name) + anchor;
  const download = DOWNLOADS.find((file) => href === DOCS_FOLDER + file);
  if (download !== undefined) return `${DOCS_PATH}/${download}`;
  const elsewhere = Object.entries(FILES_ELSEWHERE).find(([, file]) => href === ROOT + file);
  return elsewhere === undefined ? null : guidePath(elsewhere[0]);
}

/** Where a link leads on this service; `null`: elsewhere. */
export function pathOf(href: string): string | null {
  if (href.startsWith('#')) return href;
  if (href.startsWith(EXAMPLE_BASE_URL)) return href.slice(EXAMPLE_BASE_URL.length) || '/';
  return pageOf(href);
}
