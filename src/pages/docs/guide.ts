/** The documentation's pages: their menu, paths and links. A page is a file in `docs/guide/` and a name in `GUIDE`. */
import { DOCS_PATH, guidePath } from '../../base/paths.ts';
import { EXAMPLE_BASE_URL } from './fill.ts';

/** Name of the page that lists all errors. The page has no file. It is generated from the operations. */
export const ERRORS_PAGE = 'errors';

/** Name of the page that lists all operations. Generated too. */
export const REFERENCE_PAGE = 'reference';

/** Name of the page that lists all events of webhooks. Generated too. */
export const EVENTS_PAGE = 'webhook-events';

/** Pages whose files are outside `docs/guide/`, mapped to the files' paths in the repository. */
export const FILES_ELSEWHERE: Readonly<Record<string, string>> = { changelog: 'CHANGELOG.md' };

/** Pictures that pages show, as light in both themes. The file `docs/x` is served at `/docs/x`. */
export const PICTURES: readonly string[] = ['marketplace', 'desk-listing', 'claims', 'campaigns', 'keys'].map(
  (name) => `screenshots/${name}-light.png`,
);

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Files that pages link to. The file `docs/x` is served at `/docs/x`. */
export const DOWNLOADS = ['grafana/claimcheck.json'] as const;

/** The sections of the menu. `pages`: the file names without the extension. */
export const GUIDE: readonly { readonly title: string; readonly pages: readonly string[] }[] = [
  {
    title: 'Start',
    pages: ['README', 'tour', 'quickstart', 'what-you-build', 'how-a-claim-works', 'alternatives'],
  },
  {
    title: 'Integrate',
    pages: [
      'verify',
      'safe-retries',
      'test-mode',
      'recommended-page',
      'link-check',
      'campaigns',
      'waiting-lists',
      'reconciliation',
      'webhooks',
      'members',
      'members-only',
      'owner-api',
      'receipts',
    ],
  },
  {
    title: 'Look up',
    pages: [
      REFERENCE_PAGE,
      EVENTS_PAGE,
      ERRORS_PAGE,
      'limits',
      'privacy',
      'outgoing',
      'versions',
      'changelog',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'self-hosting',
      'upgrade',
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

export const markdownPath = (path: string): string => `${path}.md`;

/** Whether the path belongs to a file that is not a page. */
export const isFile = (path: string): boolean =>
  [...DOWNLOADS, ...PICTURES].some((file) => path === `${DOCS_PATH}/${file}`);

/** The root of the repository, relative to `docs/guide/`. */
const ROOT = '../../';
const DOCS_FOLDER = '../';
const GUIDE_FILE = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/;

/** Resolves a relative link between files to the path of a page, picture or download. `null` for other links. */
export function pageOf(href: string): string | null {
  const [, name, anchor = ''] = GUIDE_FILE.exec(href) ?? [];
  if (name !== undefined) return guidePath(name) + anchor;
  const file = [...DOWNLOADS, ...PICTURES].find((one) => href === DOCS_FOLDER + one);
  if (file !== undefined) return `${DOCS_PATH}/${file}`;
  const elsewhere = Object.entries(FILES_ELSEWHERE).find(([, file]) => href === ROOT + file);
  return elsewhere === undefined ? null : guidePath(elsewhere[0]);
}

/** The path or anchor of a link to this service; `null` for an external link. */
export function pathOf(href: string): string | null {
  if (href.startsWith('#')) return href;
  if (href.startsWith(EXAMPLE_BASE_URL)) return href.slice(EXAMPLE_BASE_URL.length) || '/';
  return pageOf(href);
}
