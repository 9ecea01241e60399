/** The documentation as Markdown, with the address of this service filled in, and what points programs to it. */
import { EXAMPLE_BASE_URL, fill } from './fill.ts';
import type { DocPage, DocSection, Library } from './library.ts';
import { pageOf } from './links.ts';
import { markdownPath } from './paths.ts';

const SUMMARY =
  'A self-hosted marketplace of offers, and the service that checks their claims: one POST verifies a claim token and redeems it, once.';

const LINK = /\]\(([^)\s]+)\)/g;
const SNIPPET_LINE = /^- \[([^\]]+)\]\(\.\.\/snippets\/([\w.-]+)\)$/gm;

/** One page. Links lead to Markdown too, and snippets are in it. */
export function pageMarkdown(page: DocPage, { snippets }: Library, baseUrl: string): string {
  const linked = page.markdown
    .replaceAll(LINK, (link, href: string) => {
      const [path = '', anchor] = pageOf(href)?.split('#') ?? [];
      if (path === '') return link;
      return `](${EXAMPLE_BASE_URL}${markdownPath(path)}${anchor === undefined ? '' : `#${anchor}`})`;
    })
    .replaceAll(
      SNIPPET_LINE,
      (_, title: string, file: string) =>
        `${title}:\n\n\`\`\`${file.split('.').at(-1)}\n${snippets.get(file) ?? ''}\n\`\`\`\n`,
    );
  return fill(linked, { baseUrl, testToken: null });
}

/** The list of pages, in the form of llmstxt.org. */
export const llmsTxt = ({ sections }: Library, baseUrl: string): string =>
  [
    '# Claimcheck',
    `> ${SUMMARY}`,
    `The API is described at ${baseUrl}/openapi.json. All pages in one file: ${baseUrl}/llms-full.txt`,
    ...sections.map(
      ({ title, pages }) => `## ${title}\n\n${pages.map((page) => entry(page, baseUrl)).join('\n')}`,
    ),
    '',
  ].join('\n\n');

const entry = ({ title, path, summary }: DocPage, baseUrl: string): string =>
  fill(`- [${title}](${baseUrl}${markdownPath(path)}): ${summary}`, { baseUrl, testToken: null });

/** Every page, one after the other, each with its address. */
export function llmsFullTxt(library: Library, baseUrl: string): string {
  const inMenu = library.sections.flatMap(({ pages }: DocSection) => pages);
  const pages = [...new Set([...inMenu, ...library.pages.values()])];
  const texts = pages.map(
    (page) => `<!-- ${baseUrl}${page.path} -->\n\n${pageMarkdown(page, library, baseUrl).trim()}\n`,
  );
  return [`# Claimcheck\n\n> ${SUMMARY}\n`, ...texts].join('\n');
}
