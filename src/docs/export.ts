/** The documentation as Markdown, with the address of this service filled in, and what points programs to it. */
import { EXAMPLE_BASE_URL, fill } from './fill.ts';
import { markdownPath, pageOf } from './guide.ts';
import type { DocPage, DocSection, Library } from './library.ts';
import { snippetOf } from './markdown.ts';

const SUMMARY =
  'A self-hosted marketplace of offers, and the service that checks their claims: one POST verifies a claim token and redeems it, once.';

const LINK = /\]\(([^)\s]+)\)/g;

/** One page. Links lead to Markdown too, and snippets are in it. */
export function pageMarkdown(page: DocPage, { snippets }: Library, baseUrl: string): string {
  const linked = page.markdown
    .replaceAll(LINK, (link, href: string) => {
      const [path = '', anchor] = pageOf(href)?.split('#') ?? [];
      if (path === '') return link;
      return `](${EXAMPLE_BASE_URL}${markdownPath(path)}${anchor === undefined ? '' : `#${anchor}`})`;
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

/** The language of a file as a Markdown code block names it. */
const fenceOf = (file: string): string => file.split('.').at(-1)!.replace('mjs', 'js');

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
  fillForPrograms(`- [${title}](${baseUrl}${markdownPath(path)}): ${summary}`, baseUrl);

const fillForPrograms = (text: string, baseUrl: string): string =>
  fill(text, { baseUrl, testToken: null, ownPage: null });

/** Every page, one after the other, each with its address. */
export function llmsFullTxt(library: Library, baseUrl: string): string {
  const inMenu = library.sections.flatMap(({ pages }: DocSection) => pages);
  const pages = [...new Set([...inMenu, ...library.pages.values()])];
  const texts = pages.map(
    (page) => `<!-- ${baseUrl}${page.path} -->\n\n${pageMarkdown(page, library, baseUrl).trim()}\n`,
  );
  return [`# Claimcheck\n\n> ${SUMMARY}\n`, ...texts].join('\n');
}
