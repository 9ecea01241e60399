/** The documentation as static files. All links are relative, so the files work in any folder and without a server. */
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { raw } from 'hono/html';
import { DOCS_PATH } from '../../base/paths.ts';
import { ROOT, readVersion } from '../../platform/process/version.ts';
import { isolated, SOFTWARE } from '../../platform/text/text.ts';
import { iconOf, MORE_STYLE_SHEETS, SCRIPTS, STYLE_SHEET } from '../ui/assets.ts';
import { Mark } from '../ui/icon.tsx';
import { Main } from '../ui/shell-parts.tsx';
import { type Rendered, renderPage } from './content.tsx';
import { DocContent, DocMenu, Doors } from './doc-page.tsx';
import { EXAMPLE_BASE_URL } from './fill.ts';
import { DOWNLOADS, PICTURES } from './guide.ts';
import { type ApiDescription, type DocPage, type DocSection, loadLibrary } from './library.ts';

interface ExportedFile {
  /** Relative to the folder of the export. */
  readonly name: string;
  readonly content: string | Buffer;
}

const ICON = iconOf(null);
const DOCS_STYLE_SHEET = MORE_STYLE_SHEETS.docs;
/** As a classic script, because browsers refuse modules of `file:` URLs. */
const SCRIPT = { path: SCRIPTS.app.path, text: SCRIPTS.app.text.replace(/\bexport\s*\{\s*\};?/, '') };
const OPENAPI_PATH = '/openapi.json';

const pageFile = (path: string): string =>
  path === DOCS_PATH ? 'index.html' : `${path.slice(DOCS_PATH.length + 1)}.html`;

const otherFile = (path: string): string => path.replace(`${DOCS_PATH}/`, '').replace(/^\//, '');

/**
 * Uses the example URL for the service, and tokens and keys that work without an account. `openApi`: returns the OpenAPI
 * document of a service.
 */
export async function exportDocs(
  api: ApiDescription,
  openApi: (baseUrl: string) => object,
): Promise<readonly ExportedFile[]> {
  const { pages, sections, snippets, pictures } = await loadLibrary(api);
  const files = await Promise.all(
    [...DOWNLOADS, ...PICTURES].map(async (file) => ({
      path: `${DOCS_PATH}/${file}`,
      text: await readFile(new URL(`docs/${file}`, ROOT)),
    })),
  );
  const description = { path: OPENAPI_PATH, text: JSON.stringify(openApi(EXAMPLE_BASE_URL)) };
  const others = [STYLE_SHEET, DOCS_STYLE_SHEET, ICON, SCRIPT, description, ...files];
  const names = new Map([
    ...[...pages.keys()].map((path) => [path, pageFile(path)] as const),
    ...others.map(({ path }) => [path, otherFile(path)] as const),
  ]);
  const view = { snippets, pictures, baseUrl: EXAMPLE_BASE_URL, testToken: null, ownPage: null };
  const rendered = [...pages.values()].map(async (page) => {
    const props = { page, sections, rendered: await renderPage(page, { ...view, path: page.path }) };
    const text = String(await (<ExportedPage {...props} />).toString());
    return { name: pageFile(page.path), content: withFileLinks(text, pageFile(page.path), names) };
  });
  return [
    ...(await Promise.all(rendered)),
    ...others.map(({ path, text }) => ({ name: otherFile(path), content: text })),
  ];
}

interface ExportedPageProps {
  readonly page: DocPage;
  readonly sections: readonly DocSection[];
  readonly rendered: Rendered;
}

const ExportedPage = ({ page, sections, rendered }: ExportedPageProps) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={page.summary} />
        <title>{`${isolated(page.title)} · ${SOFTWARE}`}</title>
        <link rel="icon" href={ICON.path} type="image/svg+xml" />
        <link rel="stylesheet" href={STYLE_SHEET.path} />
        <link rel="stylesheet" href={DOCS_STYLE_SHEET.path} />
        <script src={SCRIPT.path} defer />
      </head>
      <body>
        <a class="skip" href="#main-content">
          Skip to the content
        </a>
        <div class="public">
          <header class="site-header">
            <div>
              <a class="brand" href={DOCS_PATH}>
                <Mark />
                <span>{SOFTWARE}</span>
              </a>
            </div>
          </header>
          <div class="with-menu">
            <DocMenu sections={sections} path={page.path} query={null} />
            <Main>
              <DocContent
                page={page}
                sections={sections}
                rendered={rendered}
                above={page.path === DOCS_PATH && <Doors isSignedIn={false} />}
                hasMarkdown={false}
              />
            </Main>
          </div>
          <footer class="site-footer">
            <div>
              <p>
                {`The documentation of ${SOFTWARE} ${readVersion()}. A running service has it too, under ${DOCS_PATH}, with a search, its own URL in the examples, and links to its pages.`}
              </p>
            </div>
          </footer>
        </div>
      </body>
    </html>
  </>
);

/** A start tag that may have a link, or the end of a link. Text and attributes are escaped, so they have no `<` or `>`. */
const LINKING_TAG = /<(?:a|img|link|script) [^<>]*>|<\/a>/g;
const PATH_ATTRIBUTE = / (href|src)="(\/[^"]*)"/;

/** Links to pages that only a running service has become plain text. */
function withFileLinks(page: string, name: string, names: ReadonlyMap<string, string>): string {
  let isUnlinked = false;
  return page.replaceAll(LINKING_TAG, (tag) => {
    if (tag === '</a>') {
      const end = isUnlinked ? '' : tag;
      isUnlinked = false;
      return end;
    }
    const [attribute, key, href = ''] = PATH_ATTRIBUTE.exec(tag) ?? [];
    if (attribute === undefined) return tag;
    const [path = '', anchor] = href.split('#');
    const target = names.get(path);
    if (target === undefined) {
      isUnlinked = true;
      return '';
    }
    const link = posix.relative(posix.dirname(name), target) + (anchor === undefined ? '' : `#${anchor}`);
    return tag.replace(attribute, () => ` ${key}="${link}"`);
  });
}
