import { readFile } from 'node:fs/promises';
import { raw } from 'hono/html';
import type { Context } from '../../base/context.ts';
import { DOCS_PATH, DOCS_SEARCH_PATH, errorPagePath, guidePath } from '../../base/paths.ts';
import { causesOf } from '../../claims/attempts/cause.ts';
import { type ListedAttempt, searchAttempts } from '../../claims/attempts/search-queries.ts';
import type { RequestLogLimits } from '../../claims/attempts/sweep.ts';
import { findClaim } from '../../claims/queries.ts';
import { searchClaims } from '../../claims/search/search.ts';
import { findLinkForTests } from '../../marketplace/offers/queries.ts';
import { planHasApiKeys } from '../../people/accounts/account.ts';
import type { Mode } from '../../people/keys/key.ts';
import { ERROR_PAGES_PATH, isErrorCode, nothingThere } from '../../platform/errors.ts';
import { errorsOf } from '../../platform/http/operations/operation.ts';
import { type Shared, share } from '../../platform/http/server/page-cache.ts';
import { ROOT } from '../../platform/process/version.ts';
import { yieldToEventLoop } from '../../platform/process/yielding.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, page } from '../frame/pages.ts';
import type { Markup } from '../ui/markup.ts';
import type { Viewer } from '../ui/viewer.ts';
import { renderPage } from './content.tsx';
import { DocContent, DocMenu, Doors, OwnCases, SearchPage } from './doc-page.tsx';
import { EXAMPLE_TEST_TOKEN, type OwnPage, ownPageOf } from './fill.ts';
import { DOWNLOADS, GUIDE, markdownPath, PICTURES, REFERENCE_PAGE } from './guide.ts';
import {
  type ApiDescription,
  type DocPage,
  type Library,
  llmsFullTxt,
  llmsTxt,
  loadLibrary,
  pageMarkdown,
} from './library.ts';
import { referencePath } from './reference-pages.ts';
import { MAX_QUERY_LENGTH, search } from './search.ts';

const CASES_SHOWN = 5;
const ALWAYS: Shared = { reads: [], lifetime: 'always' };
/** `Cache-Control` of Markdown, text files and downloads. They never contain personal data. */
const CACHED = 'public, max-age=300';

interface Docs {
  readonly context: Context;
  readonly operations: ApiDescription['operations'];
  /** Retention of the request log, in days. */
  readonly days: number;
  library(): Promise<Library>;
  /** Rendered pages without personal data, keyed by path and whether the viewer is signed in. */
  readonly rendered: Map<string, string>;
}

export function docsPages(
  app: PageRouter,
  context: Context,
  api: ApiDescription,
  { days }: RequestLogLimits,
): void {
  let loading: Promise<Library> | undefined;
  const library = (): Promise<Library> => {
    loading ??= loadLibrary(api).catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const { operations } = api;
  const docs: Docs = { context, operations, days, library, rendered: new Map() };

  app.get(DOCS_SEARCH_PATH, { for: 'anyone' }, async (c) => {
    const query = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_LENGTH);
    const { index, sections } = await library();
    return page(c, <SearchPage query={query} hits={search(await index(), query)} />, {
      title: query === '' ? 'Search' : `${query} · Search`,
      menu: <DocMenu sections={sections} path={DOCS_SEARCH_PATH} query={query} />,
      shared: { reads: ['q'], lifetime: 'briefly' },
    });
  });

  for (const path of GUIDE.flatMap(({ pages }) => pages.map(guidePath))) {
    app.get(path, { for: 'anyone' }, (c) => show(c, path, docs));
    app.get(markdownPath(path), { for: 'anyone' }, (c) => showMarkdown(c, path, docs));
  }
  app.get(`${ERROR_PAGES_PATH}/:code`, { for: 'anyone' }, (c) => {
    const [, code = '', ending] = /^(\w+)(\.md)?$/.exec(c.req.param('code')) ?? [];
    if (!isErrorCode(code)) throw nothingThere();
    const path = errorPagePath(code);
    return ending === undefined ? show(c, path, docs) : showMarkdown(c, path, docs);
  });

  const referencePaths = operations.map(referencePath);
  app.get(`${guidePath(REFERENCE_PAGE)}/:operation`, { for: 'anyone' }, (c) => {
    const [, path = '', ending] = /^(.+?)(\.md)?$/.exec(c.req.path) ?? [];
    if (!referencePaths.includes(path)) throw nothingThere();
    return ending === undefined ? show(c, path, docs) : showMarkdown(c, path, docs);
  });

  for (const file of DOWNLOADS) {
    app.get(`${DOCS_PATH}/${file}`, { for: 'anyone' }, async (c) => {
      c.header('Content-Disposition', 'attachment');
      return sendText(c, await readFile(new URL(`docs/${file}`, ROOT), 'utf8'), 'application/json');
    });
  }

  for (const file of PICTURES) {
    app.get(`${DOCS_PATH}/${file}`, { for: 'anyone' }, async (c) => {
      share(c.env.outgoing, { ...ALWAYS, forSignedIn: true });
      const headers = { 'Content-Type': 'image/png', 'Cache-Control': CACHED };
      return c.body(new Uint8Array(await readFile(new URL(`docs/${file}`, ROOT))), 200, headers);
    });
  }

  app.get('/llms.txt', { for: 'anyone' }, async (c) => sendText(c, llmsTxt(await library(), c.get('site'))));
  app.get('/llms-full.txt', { for: 'anyone' }, async (c) =>
    sendText(c, llmsFullTxt(await library(), c.get('site'))),
  );
}

async function show(c: PageContext, path: string, docs: Docs): Promise<Response> {
  const { pages, sections, snippets, pictures } = await docs.library();
  const docPage = pages.get(path)!;
  const viewer = c.get('viewer');
  const isSignedIn = viewer !== null;
  const testToken = viewer && wantsTestToken(docPage, snippets) ? await readTestToken(docs, viewer) : null;
  const ownPage = viewer && docPage.files.length > 0 ? await readOwnPage(docs, viewer) : null;
  const cases = viewer && (await readCases(docs, viewer, path));
  const view = { path, snippets, pictures, baseUrl: c.get('site').baseUrl, testToken, ownPage };
  const content = async () => (
    <DocContent
      page={docPage}
      sections={sections}
      rendered={await renderPage(docPage, view)}
      above={path === DOCS_PATH && <Doors isSignedIn={isSignedIn} />}
    >
      {cases !== null && <OwnCases code={codeOf(path)} cases={cases} days={docs.days} />}
    </DocContent>
  );
  const hasOwn = testToken !== null || ownPage !== null || cases !== null;
  return page(c, hasOwn ? await content() : await renderedOnce(docs, `${path} ${isSignedIn}`, content), {
    title: docPage.title,
    head: { path, title: docPage.title, description: docPage.summary, picture: null },
    menu: <DocMenu sections={sections} path={path} />,
    markdown: markdownPath(path),
    holdsSecret: testToken !== null,
    shared: ALWAYS,
  });
}

async function renderedOnce(
  { rendered }: Docs,
  key: string,
  content: () => Promise<Markup>,
): Promise<Markup> {
  let text = rendered.get(key);
  if (text === undefined) {
    await yieldToEventLoop();
    text = String(await content());
    rendered.set(key, text);
  }
  return raw(text);
}

async function showMarkdown(c: PageContext, path: string, { library }: Docs): Promise<Response> {
  const all = await library();
  const text = pageMarkdown(all.pages.get(path)!, all, c.get('site').baseUrl);
  return sendText(c, text, 'text/markdown; charset=utf-8');
}

/** The token of the viewer's newest unredeemed test claim, or `null`. */
async function readTestToken({ context }: Docs, { accountId }: Viewer): Promise<string | null> {
  const filter = { mode: 'test', state: 'not_redeemed' } as const;
  const { rows } = await searchClaims(context, { accountId, filter, limit: 1 });
  const claim = rows[0] && (await findClaim(context.db, accountId, { id: rows[0].id }));
  return (claim && context.tokens.recover(claim.id, 'test', claim.token_hash)?.token) ?? null;
}

async function readOwnPage({ context }: Docs, { accountId }: Viewer): Promise<OwnPage | null> {
  const link = await findLinkForTests(context.db.read, accountId);
  return link === null ? null : ownPageOf(link);
}

/** `null` if the page isn't about an error of the API, or if the viewer's plan has no API keys. */
async function readCases(
  { context, operations }: Docs,
  { accountId, plan }: Viewer,
  path: string,
): Promise<readonly ListedAttempt[] | null> {
  const code = codeOf(path);
  if (!isErrorCode(code) || !planHasApiKeys(plan)) return null;
  if (!operations.some((operation) => code in errorsOf(operation))) return null;
  const filter = { code: causesOf(code) };
  const read = async (mode: Mode) =>
    (await searchAttempts(context.db, { accountId, mode }, filter, { limit: CASES_SHOWN })).rows;
  const cases = [...(await read('live')), ...(await read('test'))];
  return cases.sort((a, b) => (a.at > b.at ? -1 : 1)).slice(0, CASES_SHOWN);
}

const codeOf = (path: string): string => path.slice(ERROR_PAGES_PATH.length + 1);

const wantsTestToken = ({ markdown, files }: DocPage, snippets: Library['snippets']): boolean =>
  [markdown, ...files.map((file) => snippets.get(file)!)].some((text) => text.includes(EXAMPLE_TEST_TOKEN));

function sendText(c: PageContext, text: string, type = 'text/plain; charset=utf-8'): Response {
  c.header('Cache-Control', CACHED);
  share(c.env.outgoing, { ...ALWAYS, forSignedIn: true });
  return c.body(text, 200, { 'Content-Type': type });
}
