/** The documentation's pages: their menu, paths and links. A page is a file in `docs/guide/` and a name in `GUIDE`. */
import { EXAMPLE_BASE_URL } from './fill.ts';

/** This page, and one page per error, are generated from the definitions of the operations. */
export const ERRORS_PAGE = 'errors';

/** Pages whose files are outside `docs/guide/`, with their paths in the repository. */
export const FILES_ELSEWHERE: Readonly<Record<string, string>> = { changelog: 'CHANGELOG.md' };

/** Files that pages link to, served below `/docs/` with the same path as in `docs/`. */
export const DOWNLOADS = ['grafana/claimcheck.json'] as const;

/** The menu: sections, each with the names of its files without the extension. */
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
      'languages',
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

export const markdownPath = (path: string): string => `${path}.md`;

export const isDownload = (path: string): boolean =>
  DOWNLOADS.some((file) => path === `${DOCS_PATH}/${file}`);

/** The root of the repository, from a page in `docs/guide/`. */
const ROOT = '../../';
/** The folder `docs/`, from a page in `docs/guide/`. */
const DOCS_FOLDER = '../';
const GUIDE_FILE = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/;

/** The path of the page or download whose file a link points to; `null` for other links. */
export function pageOf(href: string): string | null {
  const [, name, anchor = ''] = GUIDE_FILE.exec(href) ?? [];
  if (name !== undefined) return guidePath(name) + anchor;
  const download = DOWNLOADS.find((file) => href === DOCS_FOLDER + file);
  if (download !== undefined) return `${DOCS_PATH}/${download}`;
  const elsewhere = Object.entries(FILES_ELSEWHERE).find(([, file]) => href === ROOT + file);
  return elsewhere === undefined ? null : guidePath(elsewhere[0]);
}

/** The path or anchor to which a link leads on this service; `null` if it leads elsewhere. */
export function pathOf(href: string): string | null {
  if (href.startsWith('#')) return href;
  if (href.startsWith(EXAMPLE_BASE_URL)) return href.slice(EXAMPLE_BASE_URL.length) || '/';
  return pageOf(href);
}
