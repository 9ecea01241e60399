/** All pages of the documentation and their Markdown versions, loaded when the first page is requested. */

import { readFile } from 'node:fs/promises';
import { DOCS_PATH, errorPagePath, guidePath } from '../../base/paths.ts';
import type { WebhookDescription } from '../../platform/http/operations/openapi-webhooks.ts';
import type { Operation } from '../../platform/http/operations/operation.ts';
import { ROOT } from '../../platform/process/version.ts';
import { yieldToEventLoop } from '../../platform/process/yielding.ts';
import type { Site } from '../ui/viewer.ts';
import { ERROR_CODES, errorIndexMarkdown, errorMarkdown } from './error-pages.ts';
import { eventsMarkdown } from './event-reference.ts';
import { EXAMPLE_BASE_URL, fill } from './fill.ts';
import {
  ERRORS_PAGE,
  EVENTS_PAGE,
  FILES_ELSEWHERE,
  GUIDE,
  isFile,
  markdownPath,
  PICTURES,
  type PictureSize,
  pageOf,
  REFERENCE_PAGE,
} from './guide.ts';
import {
  type MarkdownPage,
  type Marked,
  parsePage,
  plainText,
  SNIPPETS_FOLDER,
  snippetOf,
  snippetsOf,
} from './markdown.ts';
import { referenceIndexMarkdown, referenceMarkdown, referencePath } from './reference-pages.ts';
import { indexOf, type SearchIndex } from './search.ts';

const GUIDE_FOLDER = 'docs/guide/';

export interface DocPage extends MarkdownPage {
  readonly path: string;
  readonly markdown: string;
  /** The lead as plain text, for lists of pages. */
  readonly summary: string;
  /** File names of the snippets that the page includes. */
  readonly files: readonly string[];
}

export interface DocSection {
  readonly title: string;
  readonly pages: readonly DocPage[];
}

/** All operations of the API, and all requests that the service sends. */
export interface ApiDescription {
  readonly operations: readonly Operation[];
  readonly webhooks: readonly WebhookDescription[];
}

export interface Library {
  readonly sections: readonly DocSection[];
  /** The menu's pages, the error pages and the API reference, keyed by path. */
  readonly pages: ReadonlyMap<string, DocPage>;
  /** The text of each snippet that a page includes, keyed by file name. */
  readonly snippets: ReadonlyMap<string, string>;
  /** The sizes of the pictures, keyed by path. */
  readonly pictures: ReadonlyMap<string, PictureSize>;
  /** Built for the first search. */
  index(): Promise<SearchIndex>;
}

/** Throws `UnfitMarkdown` for a file that is not a valid page. */
export async function loadLibrary({ operations, webhooks }: ApiDescription): Promise<Library> {
  // Imported lazily, because loading the package would delay startup by nine milliseconds.
  const marked = await import('marked');
  const generated: Readonly<Record<string, () => string>> = {
    [ERRORS_PAGE]: () => errorIndexMarkdown(operations),
    [REFERENCE_PAGE]: () => referenceIndexMarkdown(operations),
    [EVENTS_PAGE]: () => eventsMarkdown(webhooks),
  };
  const read = (name: string): Promise<string> | string =>
    generated[name]?.() ??
    readFile(new URL(FILES_ELSEWHERE[name] ?? `${GUIDE_FOLDER}${name}.md`, ROOT), 'utf8');
  const sections = await Promise.all(
    GUIDE.map(async ({ title, pages }) => ({
      title,
      pages: await Promise.all(pages.map(async (name) => docPage(guidePath(name), await read(name), marked))),
    })),
  );
  const errors = await Promise.all(
    ERROR_CODES.map((code) => docPage(errorPagePath(code), errorMarkdown(code, operations), marked)),
  );
  const reference: DocPage[] = [];
  for (const operation of operations) {
    await yieldToEventLoop();
    reference.push(await docPage(referencePath(operation), referenceMarkdown(operation), marked));
  }
  const all = [...sections.flatMap(({ pages }) => pages), ...errors, ...reference];
  let index: Promise<SearchIndex> | undefined;
  return {
    sections,
    pages: new Map(all.map((page) => [page.path, page])),
    snippets: await readSnippets(all),
    pictures: await readPictureSizes(),
    index: () => (index ??= indexOf(all)),
  };
}

/** Yields to the event loop first. Parsing all pages in one go would delay verifications by tenths of a second. */
async function docPage(path: string, markdown: string, marked: Marked): Promise<DocPage> {
  await yieldToEventLoop();
  const page = parsePage(markdown, marked);
  const snippets = page.blocks.flatMap((block) => snippetsOf(block) ?? []);
  const files = snippets.flatMap(({ programs }) => programs.map(({ file }) => file));
  return { ...page, path, markdown, summary: plainText(page.lead), files };
}

async function readSnippets(pages: readonly DocPage[]): Promise<ReadonlyMap<string, string>> {
  const folder = new URL(SNIPPETS_FOLDER, new URL(GUIDE_FOLDER, ROOT));
  const texts = [...new Set(pages.flatMap(({ files }) => files))].map(
    async (file) => [file, (await readFile(new URL(file, folder), 'utf8')).trimEnd()] as const,
  );
  return new Map(await Promise.all(texts));
}

/** Reads the header of each PNG file (section 11.2.1 of its specification). */
async function readPictureSizes(): Promise<ReadonlyMap<string, PictureSize>> {
  const sizes = PICTURES.map(async (file) => {
    const bytes = await readFile(new URL(`docs/${file}`, ROOT));
    return [
      `${DOCS_PATH}/${file}`,
      { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
    ] as const;
  });
  return new Map(await Promise.all(sizes));
}

const SUMMARY =
  'A self-hosted marketplace of offers, and the service that verifies claims on them: one POST verifies a claim token and redeems the claim, exactly once.';

const LINK = /\]\(([^()\s]+)\)/g;

/** The Markdown version of a page. Links point to Markdown versions of other pages, and snippets are inlined. */
export function pageMarkdown(page: DocPage, { snippets }: Library, baseUrl: string): string {
  const linked = page.markdown
    .replaceAll(LINK, (link, href: string) => {
      const [path = '', anchor] = pageOf(href)?.split('#') ?? [];
      if (path === '') return link;
      return `](${EXAMPLE_BASE_URL}${isFile(path) ? path : markdownPath(path)}${anchor === undefined ? '' : `#${anchor}`})`;
    })
    .replaceAll(/^- (.+)$/gm, (line, item: string) => {
      const snippet = snippetOf(item);
      if (snippet === null) return line;
      const programs = snippet.programs.map(({ name, file }) => {
        const heading = name === null ? snippet.title : `${snippet.title}, ${name}`;
        return `${heading}:\n\n\`\`\`${fenceOf(file)}\n${snippets.get(file) ?? ''}\n\`\`\`\n`;
      });
      return programs.join('\n');
    });
  return fillForPrograms(linked, baseUrl);
}

const fenceOf = (file: string): string => file.split('.').at(-1)!.replace('mjs', 'js');

type NamedSite = Pick<Site, 'brand' | 'baseUrl'>;

/** The list of pages in the llms.txt format (llmstxt.org). */
export const llmsTxt = ({ sections }: Library, { brand, baseUrl }: NamedSite): string =>
  [
    `# ${brand.name}`,
    `> ${SUMMARY}`,
    `The API is described at ${baseUrl}/openapi.json. All pages in one file: ${baseUrl}/llms-full.txt`,
    ...sections.map(
      ({ title, pages }) => `## ${title}\n\n${pages.map((page) => entry(page, baseUrl)).join('\n')}`,
    ),
    '',
  ].join('\n\n');

const entry = ({ title, path, summary }: DocPage, baseUrl: string): string =>
  fillForPrograms(`- [${title}](${baseUrl}${markdownPath(path)}): ${summary}`, baseUrl);

const fillForPrograms = (text: string, baseUrl: string): string =>
  fill(text, { baseUrl, testToken: null, ownPage: null });

interface FullText {
  readonly name: string;
  readonly baseUrl: string;
  readonly text: string;
}

/** The newest text of each library, because joining all pages takes milliseconds on the thread that redeems. */
const fullTexts = new WeakMap<Library, FullText>();

export function llmsFullTxt(library: Library, site: NamedSite): string {
  const { brand, baseUrl } = site;
  const latest = fullTexts.get(library);
  if (latest?.name === brand.name && latest.baseUrl === baseUrl) return latest.text;
  const text = joinPages(library, site);
  fullTexts.set(library, { name: brand.name, baseUrl, text });
  return text;
}

function joinPages(library: Library, { brand, baseUrl }: NamedSite): string {
  const inMenu = library.sections.flatMap(({ pages }) => pages);
  const pages = [...new Set([...inMenu, ...library.pages.values()])];
  const texts = pages.map(
    (page) => `<!-- ${baseUrl}${page.path} -->\n\n${pageMarkdown(page, library, baseUrl).trim()}\n`,
  );
  return [`# ${brand.name}\n\n> ${SUMMARY}\n`, ...texts].join('\n');
}
