/** Paths of the documentation. Error pages begin with `ERROR_PAGES_PATH` in `src/http/operations/problem.ts`. */

export const DOCS_PATH = '/docs';
export const SEARCH_PATH = `${DOCS_PATH}/search`;

/** A page of the guide by the name of its file; the folder's README is the first page. */
export const guidePath = (name: string): string => (name === 'README' ? DOCS_PATH : `${DOCS_PATH}/${name}`);

/** The same page as Markdown. */
export const markdownPath = (path: string): string => `${path}.md`;
