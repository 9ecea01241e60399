/** All pages of the documentation, read and parsed once, when the first of them is asked for. */
import { readFile } from 'node:fs/promises';
import type { Operation } from '../http/operations/operation.ts';
import { ERROR_PAGES_PATH } from '../http/operations/problem.ts';
import { nextTurn } from '../http/server/turns.ts';
import { ROOT } from '../process/version.ts';
import { ERROR_CODES, errorIndexMarkdown, errorMarkdown } from './error-pages.ts';
import { ERRORS_PAGE, FILES_ELSEWHERE, GUIDE, guidePath } from './guide.ts';
import {
  type MarkdownPage,
  type Marked,
  parsePage,
  plainText,
  SNIPPETS_FOLDER,
  snippetsOf,
} from './markdown.ts';
import { indexOf, type SearchIndex } from './search.ts';

const GUIDE_FOLDER = 'docs/guide/';

export interface DocPage extends MarkdownPage {
  readonly path: string;
  /** The Markdown source, unchanged. */
  readonly markdown: string;
  /** The lead without markup, for lists of pages. */
  readonly summary: string;
  /** Names of the snippets that it includes. */
  readonly files: readonly string[];
}

export interface DocSection {
  readonly title: string;
  readonly pages: readonly DocPage[];
}

export interface Library {
  /** In the order of the menu. */
  readonly sections: readonly DocSection[];
  /** The menu's pages and the error pages, by path. */
  readonly pages: ReadonlyMap<string, DocPage>;
  /** Text of each snippet that a page includes, by the name of its file. */
  readonly snippets: ReadonlyMap<string, string>;
  readonly index: SearchIndex;
}

/** `operations`: all operations of the API. Throws `UnfitMarkdown` for a file that is not a valid page. */
export async function loadLibrary(operations: readonly Operation[]): Promise<Library> {
  // Imported lazily: loading it takes nine milliseconds, which would delay startup.
  const marked = await import('marked');
  const read = (name: string): Promise<string> | string =>
    name === ERRORS_PAGE
      ? errorIndexMarkdown(operations)
      : readFile(new URL(FILES_ELSEWHERE[name] ?? `${GUIDE_FOLDER}${name}.md`, ROOT), 'utf8');
  const sections = await Promise.all(
    GUIDE.map(async ({ title, pages }) => ({
      title,
      pages: await Promise.all(pages.map(async (name) => docPage(guidePath(name), await read(name), marked))),
    })),
  );
  const errors = await Promise.all(
    ERROR_CODES.map((code) =>
      docPage(`${ERROR_PAGES_PATH}/${code}`, errorMarkdown(code, operations), marked),
    ),
  );
  const all = [...sections.flatMap(({ pages }) => pages), ...errors];
  return {
    sections,
    pages: new Map(all.map((page) => [page.path, page])),
    snippets: await readSnippets(all),
    index: indexOf(all),
  };
}

/** Each page in its own event-loop turn: parsing them all at once would delay verifications by tenths of a second. */
async function docPage(path: string, markdown: string, marked: Marked): Promise<DocPage> {
  await nextTurn();
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
