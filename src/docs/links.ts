/** Where the links of the files lead: they are written so that they work on a code host too. */
import { EXAMPLE_BASE_URL } from './fill.ts';
import { FILES_ELSEWHERE } from './guide.ts';
import { guidePath } from './paths.ts';

/** The root of the repository, from a page in `docs/guide/`. */
const ROOT = '../../';
const GUIDE_FILE = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/;

/** The address of a page of the documentation that a link names by its file; `null`: it names none. */
export function pageOf(href: string): string | null {
  const [, name, anchor = ''] = GUIDE_FILE.exec(href) ?? [];
  if (name !== undefined) return guidePath(name) + anchor;
  const elsewhere = Object.entries(FILES_ELSEWHERE).find(([, file]) => href === ROOT + file);
  return elsewhere === undefined ? null : guidePath(elsewhere[0]);
}

/** Where a link leads on this service; `null`: elsewhere. */
export function pathOf(href: string): string | null {
  if (href.startsWith('#')) return href;
  if (href.startsWith(EXAMPLE_BASE_URL)) return href.slice(EXAMPLE_BASE_URL.length) || '/';
  return pageOf(href);
}
