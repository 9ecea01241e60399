/** Rejects Markdown that pages can't render, such as raw HTML and foreign images, so that no content is lost. */
import type { MarkedToken, Token, Tokens } from 'marked';

/** The package `marked`, which `loadLibrary` imports lazily. */
export type Marked = Pick<typeof import('marked'), 'lexer' | 'walkTokens'>;

export interface Heading extends Tokens.Heading {
  /** The anchor, generated as on GitHub. */
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

/** Throws `UnfitMarkdown` if the page doesn't begin with a title and a lead paragraph, or has unsupported syntax. */
export function parsePage(markdown: string, { lexer, walkTokens }: Marked): MarkdownPage {
  const [first, second, ...blocks] = lexer(markdown).filter(({ type }) => type !== 'space') as Block[];
  if (first?.type !== 'heading' || first.depth !== 1) {
    throw new UnfitMarkdown('the page does not begin with a heading of the first level');
  }
  if (second?.type !== 'paragraph') throw new UnfitMarkdown('no paragraph follows the first heading');
  const makeId = createIds();
  walkTokens([...first.tokens, second, ...blocks], (token) => {
    requireShown(token as MarkedToken);
    if (token.type === 'heading') Object.assign(token, { id: makeId(plainText(token.tokens)) });
  });
  return { title: plainText(first.tokens), lead: second.tokens, blocks };
}

const SUPPORTED_TOKENS: ReadonlySet<string> = new Set([
  ...['space', 'heading', 'paragraph', 'text', 'list', 'list_item', 'table', 'code', 'blockquote'],
  ...['escape', 'codespan', 'strong', 'em', 'link', 'image'],
]);
const WITH_TEXT = ['heading', 'paragraph', 'text', 'table'];

/** A character reference such as `&amp;`, which a page would show literally. */
const REFERENCE = /(?<!\\)&(?:\w+|#\w+);/;
/** Pictures are served from this folder only. */
const SCREENSHOT = /^\.\.\/screenshots\/[\w-]+\.png$/;
const CODE_SPAN = /`[^`]*`/g;

function requireShown(token: MarkedToken): void {
  const { type, raw } = token;
  if (!SUPPORTED_TOKENS.has(type))
    throw new UnfitMarkdown(`unsupported syntax (${type}): ${raw.slice(0, 60)}`);
  if (type === 'image' && !SCREENSHOT.test(token.href)) {
    throw new UnfitMarkdown(`unsupported picture: ${raw}`);
  }
  if (type === 'heading' && token.depth !== 2 && token.depth !== 3) {
    throw new UnfitMarkdown(`unsupported heading level ${token.depth}: ${token.text}`);
  }
  if (type === 'code' && token.codeBlockStyle === 'indented') {
    throw new UnfitMarkdown(`unsupported indented code block: ${token.text}`);
  }
  if (WITH_TEXT.includes(type) && REFERENCE.test(raw.replaceAll(CODE_SPAN, ''))) {
    throw new UnfitMarkdown(`unsupported character reference: ${raw}`);
  }
}

/** Replaces straight apostrophes with typographic ones, as on all other pages of the site. */
export const typographic = (text: string): string => text.replaceAll(/(?<=\p{L})'(?=\p{L}|\s|$)/gu, '’');

export const plainText = (tokens: readonly Token[] = []): string =>
  (tokens as readonly MarkedToken[])
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      return 'text' in token ? token.text.replaceAll('\n', ' ') : '';
    })
    .join('');

/** Generates anchors as GitHub does. A repeated heading text gets a number. */
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
  /** `file`: the name in `docs/snippets/`. `name`: the name that readers see; `null` if readers see only the title. */
  readonly programs: readonly { readonly name: string | null; readonly file: string }[];
}

/** The folder of snippets, relative to `docs/guide/`. */
export const SNIPPETS_FOLDER = '../snippets/';

const LINK = /\[([^[\]]+)\]\(\.\.\/snippets\/([\w.-]+)\)/;
const SNIPPET = new RegExp(`^(?:(?<title>.+): )?${LINK.source}(?:, ${LINK.source})*$`);

/** Parses a list item: `[Title](file)`, or `Title: [name](file), [name](file)`. `null` for other items. */
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

/** The snippets in a list, one per item. `null` if the block is not a list, or if any item is not a snippet. */
export function snippetsOf(block: Block): readonly Snippet[] | null {
  if (block.type !== 'list') return null;
  const snippets = block.items.flatMap(({ text }) => snippetOf(text) ?? []);
  return snippets.length === block.items.length ? snippets : null;
}
