/**
 * Markdown of the documentation as blocks that pages render. What they do not render, such as raw HTML and pictures, is
 * refused, so that no page shows less than its file.
 */
import type { MarkedToken, Token } from 'marked';

/** `lexer` of the library, which is loaded with the first page. */
export type Lexer = (markdown: string) => readonly Token[];

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] };

export interface Heading {
  readonly kind: 'heading';
  readonly depth: 2 | 3;
  /** The anchor that code hosts give it too. */
  readonly id: string;
  readonly children: readonly Inline[];
}

export type Block =
  | Heading
  /** `isTight`: the text of an item of a list without blank lines. */
  | { readonly kind: 'paragraph'; readonly isTight: boolean; readonly children: readonly Inline[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Block[])[] }
  | {
      readonly kind: 'table';
      readonly header: readonly (readonly Inline[])[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly children: readonly Block[] }
  /** One program in several languages: a list that has only titles and links to files in `docs/snippets/`. */
  | { readonly kind: 'snippets'; readonly snippets: readonly Snippet[] };

export interface Snippet {
  /** The language or framework, as readers see it. */
  readonly title: string;
  readonly programs: readonly Program[];
}

export interface Program {
  /** Title of the file; `null`: it is the only file of the snippet and the snippet's title is enough. */
  readonly name: string | null;
  /** Name of the file in `docs/snippets/`. */
  readonly file: string;
}

export interface MarkdownPage {
  readonly title: string;
  /** The first paragraph, which says what the page is about. */
  readonly lead: readonly Inline[];
  readonly blocks: readonly Block[];
}

/** Thrown for a file that is no page. */
export class UnfitMarkdown extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UnfitMarkdown';
  }
}

/** Reads a page: a heading of the first level, a paragraph about the page, then its blocks. */
export function parsePage(markdown: string, lexer: Lexer): MarkdownPage {
  const [first, second, ...rest] = (lexer(markdown) as MarkedToken[]).filter(({ type }) => type !== 'space');
  if (first?.type !== 'heading' || first.depth !== 1) {
    throw new UnfitMarkdown('a page begins with a heading of the first level');
  }
  if (second?.type !== 'paragraph') throw new UnfitMarkdown('a paragraph follows the heading of a page');
  return {
    title: plainText(inlines(first.tokens)),
    lead: inlines(second.tokens),
    blocks: blocksOf(rest, createIds()),
  };
}

/** What a reader sees of a part, without its markup. */
export const plainText = (parts: readonly Inline[]): string =>
  parts.map((part) => ('text' in part ? part.text : plainText(part.children))).join('');

/** The folder of snippets, from a page in `docs/guide/`. */
export const SNIPPETS_FOLDER = '../snippets/';

type MakeId = (text: string) => string;

/** Anchors as code hosts make them: a second heading of the same text gets a number. */
function createIds(): MakeId {
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

const blocksOf = (tokens: readonly Token[], makeId: MakeId): readonly Block[] =>
  (tokens as readonly MarkedToken[]).flatMap((token) =>
    token.type === 'space' ? [] : [blockOf(token, makeId)],
  );

function blockOf(token: MarkedToken, makeId: MakeId): Block {
  switch (token.type) {
    case 'heading': {
      const { depth } = token;
      if (depth !== 2 && depth !== 3) throw new UnfitMarkdown(`heading of level ${depth}: ${token.text}`);
      const children = inlines(token.tokens);
      return { kind: 'heading', depth, id: makeId(plainText(children)), children };
    }
    case 'paragraph':
      return { kind: 'paragraph', isTight: false, children: inlines(token.tokens) };
    case 'text':
      return { kind: 'paragraph', isTight: true, children: inlines(token.tokens ?? [token]) };
    case 'list':
      return listOf(
        token.ordered,
        token.items.map((item) => blocksOf(item.tokens, makeId)),
      );
    case 'table':
      return {
        kind: 'table',
        header: token.header.map(({ tokens }) => inlines(tokens)),
        rows: token.rows.map((row) => row.map(({ tokens }) => inlines(tokens))),
      };
    case 'code':
      if (token.codeBlockStyle === 'indented') throw new UnfitMarkdown(`code without a fence: ${token.text}`);
      return { kind: 'code', language: token.lang ?? '', text: token.text };
    case 'blockquote':
      return { kind: 'quote', children: blocksOf(token.tokens, makeId) };
    default:
      throw unknown(token);
  }
}

function listOf(isOrdered: boolean, items: readonly (readonly Block[])[]): Block {
  const snippets = items.flatMap((item) => snippetOf(item) ?? []);
  return snippets.length === items.length
    ? { kind: 'snippets', snippets }
    : { kind: 'list', isOrdered, items };
}

/** `[Title](file)`, or `Title: [name](file), [name](file)`. */
function snippetOf(item: readonly Block[]): Snippet | null {
  const [block, ...more] = item;
  if (block?.kind !== 'paragraph' || more.length > 0) return null;
  const [first, ...rest] = block.children;
  if (first === undefined) return null;
  if (first.kind !== 'text') {
    const program = programOf(first);
    return program === null || rest.length > 0
      ? null
      : { title: program.name, programs: [{ ...program, name: null }] };
  }
  const [, title] = /^(.+): $/.exec(first.text) ?? [];
  const links = rest.filter((_, place) => place % 2 === 0).map(programOf);
  const between = rest.filter((_, place) => place % 2 === 1);
  const programs = links.filter((program) => program !== null);
  const isList = programs.length === links.length && between.every((part) => plainText([part]) === ', ');
  return title === undefined || programs.length === 0 || !isList ? null : { title, programs };
}

function programOf(link: Inline): (Program & { readonly name: string }) | null {
  if (link.kind !== 'link' || !link.href.startsWith(SNIPPETS_FOLDER)) return null;
  return { name: plainText(link.children), file: link.href.slice(SNIPPETS_FOLDER.length) };
}

/** A character reference, which is refused: a page would show it as it is written. */
const REFERENCE = /&(?:\w+|#\w+);/;

function inlines(tokens: readonly Token[]): readonly Inline[] {
  // The library may split a reference into two tokens.
  const text = tokens.map(({ type, raw }) => (type === 'text' ? raw : '\0')).join('');
  if (REFERENCE.test(text)) throw new UnfitMarkdown(`a character reference: ${text}`);
  return (tokens as readonly MarkedToken[]).map(inlineOf);
}

function inlineOf(token: MarkedToken): Inline {
  switch (token.type) {
    case 'text':
    case 'escape':
      return { kind: 'text', text: token.text.replaceAll('\n', ' ') };
    case 'codespan':
      return { kind: 'code', text: token.text };
    case 'strong':
    case 'em':
      return { kind: token.type, children: inlines(token.tokens) };
    case 'link':
      return { kind: 'link', href: token.href, children: inlines(token.tokens) };
    default:
      throw unknown(token);
  }
}

const unknown = ({ type, raw }: MarkedToken): UnfitMarkdown =>
  new UnfitMarkdown(`${type}, which pages do not show: ${raw.slice(0, 60)}`);
