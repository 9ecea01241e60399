/**
 * Parses the Markdown of the documentation. Syntax that pages can't show, such as raw HTML and images, is refused, so
 * that a page shows everything in its file.
 */
import type { MarkedToken, Token, Tokens } from 'marked';

/** The package `marked`, which is imported when the first page is requested. */
export type Marked = Pick<typeof import('marked'), 'lexer' | 'walkTokens'>;

export interface Heading extends Tokens.Heading {
  /** The anchor, the same as on code hosts. */
  readonly id: string;
}

export type Block = Exclude<MarkedToken, Tokens.Heading> | Heading;

export interface MarkdownPage {
  readonly title: string;
  /** The first paragraph, which says what the page is about. */
  readonly lead: readonly Token[];
  readonly blocks: readonly Block[];
}

export class UnfitMarkdown extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UnfitMarkdown';
  }
}

/** A page is a heading of the first level, a paragraph about the page, then its blocks. Throws `UnfitMarkdown`. */
export function parsePage(markdown: string, { lexer, walkTokens }: Marked): MarkdownPage {
  const [first, second, ...blocks] = lexer(markdown).filter(({ type }) => type !== 'space') as Block[];
  if (first?.type !== 'heading' || first.depth !== 1) {
    throw new UnfitMarkdown('the page does not begin with a heading of the first level');
  }
  if (second?.type !== 'paragraph') throw new UnfitMarkdown('no paragraph follows the heading of the page');
  const makeId = createIds();
  walkTokens([...first.tokens, second, ...blocks], (token) => {
    requireShown(token as MarkedToken);
    if (token.type === 'heading') Object.assign(token, { id: makeId(plainText(token.tokens)) });
  });
  return { title: plainText(first.tokens), lead: second.tokens, blocks };
}

const SHOWN: ReadonlySet<string> = new Set([
  ...['space', 'heading', 'paragraph', 'text', 'list', 'list_item', 'table', 'code', 'blockquote'],
  ...['escape', 'codespan', 'strong', 'em', 'link'],
]);
const WITH_TEXT = ['heading', 'paragraph', 'text', 'table'];

/** A character reference such as `&amp;`, which a page would show literally. */
const REFERENCE = /(?<!\\)&(?:\w+|#\w+);/;
const CODE_SPAN = /`[^`]*`/g;

function requireShown(token: MarkedToken): void {
  const { type, raw } = token;
  if (!SHOWN.has(type)) throw new UnfitMarkdown(`${type}, which pages do not show: ${raw.slice(0, 60)}`);
  if (type === 'heading' && token.depth !== 2 && token.depth !== 3) {
    throw new UnfitMarkdown(`heading of level ${token.depth}: ${token.text}`);
  }
  if (type === 'code' && token.codeBlockStyle === 'indented') {
    throw new UnfitMarkdown(`code without a fence: ${token.text}`);
  }
  if (WITH_TEXT.includes(type) && REFERENCE.test(raw.replaceAll(CODE_SPAN, ''))) {
    throw new UnfitMarkdown(`a character reference: ${raw}`);
  }
}

/** With typographic apostrophes, as on the other pages. */
export const typographic = (text: string): string => text.replaceAll(/(?<=\p{L})'(?=\p{L}|\s|$)/gu, '’');

export const plainText = (tokens: readonly Token[] = []): string =>
  (tokens as readonly MarkedToken[])
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      return 'text' in token ? token.text.replaceAll('\n', ' ') : '';
    })
    .join('');

/** Creates anchors as code hosts do: a second heading with the same text gets a number. */
function createIds(): (text: string) => string {
  const used = new Map<string, number>();
  return (text) => {
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

export interface Snippet {
  /** The language or framework, as readers see it. */
  readonly title: string;
  /** `file`: in `docs/snippets/`. `name`: for readers; `null` for a single file, for which the title is enough. */
  readonly programs: readonly { readonly name: string | null; readonly file: string }[];
}

/** The folder of snippets, from a page in `docs/guide/`. */
export const SNIPPETS_FOLDER = '../snippets/';

const LINK = /\[([^\]]+)\]\(\.\.\/snippets\/([\w.-]+)\)/;
const SNIPPET = new RegExp(`^(?:(?<title>.+): )?${LINK.source}(?:, ${LINK.source})*$`);

/** A program in a list: `[Title](file)`, or `Title: [name](file), [name](file)`. */
export function snippetOf(item: string): Snippet | null {
  const match = SNIPPET.exec(item);
  if (match === null) return null;
  const programs = [...item.matchAll(new RegExp(LINK, 'g'))].map(([, name = '', file = '']) => ({
    name,
    file,
  }));
  const title = match.groups?.['title'];
  if (title !== undefined) return { title, programs };
  const [{ name, file } = { name: '', file: '' }, ...more] = programs;
  return more.length > 0 ? null : { title: name, programs: [{ name: null, file }] };
}

/** One program in several languages; `null` unless the block is a list with nothing but titles and links to files. */
export function snippetsOf(block: Block): readonly Snippet[] | null {
  if (block.type !== 'list') return null;
  const snippets = block.items.flatMap(({ text }) => snippetOf(text) ?? []);
  return snippets.length === block.items.length ? snippets : null;
}
