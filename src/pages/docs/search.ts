/** Search over the sections of all pages. A section must match every word of the query. */
import type { Token } from 'marked';
import type MiniSearch from 'minisearch';
import { guidePath } from '../../base/paths.ts';
import { REFERENCE_PAGE } from './guide.ts';
import { type Block, type MarkdownPage, plainText, snippetsOf } from './markdown.ts';

/** In characters. The rest of a query is ignored. */
export const MAX_QUERY_LENGTH = 200;
export const MAX_QUERY_WORDS = 8;
/** Maximum number of sections in a result, in total and per page. */
export const MAX_FOUND = 20;
export const MAX_FOUND_ON_PAGE = 3;

/** Number of characters before the first match in an excerpt. The rest of the excerpt is twice as long. */
const EXCERPT_SIDE = 90;

/** In characters. Longer words are never searched with typing errors, whose cost grows with the length. */
export const MAX_MISTYPED_LENGTH = 30;

/** In characters. Too many words begin with a shorter prefix. */
const MIN_PREFIX = 3;

/** The number of sections that are indexed before the event loop may do other work: some milliseconds. */
const INDEXED_PER_TURN = 5;

interface Section {
  readonly path: string;
  readonly title: string;
  /** `null` for the text before the first heading of the page. */
  readonly heading: { readonly id: string; readonly text: string } | null;
  /** The lead of the page; empty for sections below a heading. */
  readonly lead: string;
  readonly text: string;
}

/** How much a match in each field counts. All sections of a page share its title, so only its first one has `title`. */
const BOOSTS = { title: 6, heading: 4, lead: 3, text: 1, page: 1 } as const;
/** How much a page of the API reference counts: a guide explains the same words better. */
const REFERENCE_BOOST = 0.5;

const FIELDS = Object.keys(BOOSTS);

export interface SearchIndex {
  readonly sections: readonly Section[];
  readonly terms: ReadonlySet<string>;
  readonly engine: MiniSearch;
}

export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface SearchHit {
  readonly href: string;
  readonly title: readonly Piece[];
  readonly heading: readonly Piece[] | null;
  readonly excerpt: readonly Piece[];
}

export async function indexOf(
  pages: readonly (MarkdownPage & { readonly path: string })[],
): Promise<SearchIndex> {
  // Imported lazily, as `marked` is.
  const { default: Engine } = await import('minisearch');
  const sections = pages.flatMap(sectionsOf);
  const terms = new Map<string, string>();
  const engine = new Engine({
    fields: FIELDS,
    tokenize: wordsOf,
    processTerm: (word) => terms.getOrInsertComputed(word, termOf),
    searchOptions: { processTerm: termOf },
  });
  const documents = sections.map(({ title, heading, lead, text }, id) => ({
    ...{ id, lead, text },
    ...(heading === null ? { title } : { heading: heading.text, page: title }),
  }));
  await engine.addAllAsync(documents, { chunkSize: INDEXED_PER_TURN });
  return { sections, terms: new Set(terms.values()), engine };
}

function sectionsOf({ path, title, lead, blocks }: MarkdownPage & { readonly path: string }): Section[] {
  const sections: { heading: Section['heading']; texts: string[] }[] = [{ heading: null, texts: [] }];
  for (const block of blocks) {
    // A page of the API reference is one section, because its headings are the same on each page.
    if (block.type === 'heading' && !isReference({ path })) {
      sections.push({ heading: { id: block.id, text: plainText(block.tokens) }, texts: [] });
    } else {
      sections.at(-1)!.texts.push(textOf(block));
    }
  }
  return sections.map(({ heading, texts }) => ({
    ...{ path, title, heading },
    lead: heading === null ? plainText(lead) : '',
    text: texts.filter(Boolean).join(' '),
  }));
}

/** The searchable text of a block. Empty for code blocks and lists of example programs. */
function textOf(block: Block): string {
  switch (block.type) {
    case 'list':
      return snippetsOf(block) === null ? block.items.map(({ tokens }) => textIn(tokens)).join(' ') : '';
    case 'blockquote':
      return textIn(block.tokens);
    case 'table':
      return [block.header, ...block.rows]
        .flat()
        .map(({ tokens }) => plainText(tokens))
        .join(' ');
    case 'code':
      return '';
    default:
      return plainText([block]);
  }
}

const textIn = (tokens: readonly Token[]): string => (tokens as readonly Block[]).map(textOf).join(' ');

const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a text, in lower case. A word consists of letters and digits. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

/** The distinct words of a query. */
export const queryWords = (query: string): readonly string[] =>
  [...new Set(wordsOf(query.slice(0, MAX_QUERY_LENGTH)))].slice(0, MAX_QUERY_WORDS);

const ENDINGS = ['ings', 'ing', 'ied', 'ies', 'ed', 'es', 's'];
const MIN_STEM = 3;

/** False for `uses` without “es”, `string` without “ing”, and `access` without “s”. */
const hasEnding = (word: string, ending: string): boolean => {
  const stem = word.slice(0, -ending.length);
  return word.endsWith(ending) && stem.length >= MIN_STEM && /[aeiouy]/.test(stem) && !word.endsWith('ss');
};

/** What the index stores for a word: the word in lower case without its English ending, such as `retr` for “retries”. */
export function termOf(word: string): string {
  const text = word.toLowerCase();
  const ending = ENDINGS.find((one) => hasEnding(text, one));
  const stem = ending === undefined ? text : text.slice(0, -ending.length);
  const isDoubled = /[bdgmnprt]$/.test(stem) && stem.at(-1) === stem.at(-2);
  const isCut = stem.length > MIN_STEM && (isDoubled || /[eiy]$/.test(stem));
  return isCut ? stem.slice(0, -1) : stem;
}

/** Letters that may differ. Only words that the documentation doesn't have are searched this way. */
function maxTypingErrors(term: string, { terms }: SearchIndex): number {
  if (term.length < 4 || term.length > MAX_MISTYPED_LENGTH) return 0;
  for (const indexed of terms) if (indexed.startsWith(term)) return 0;
  return term.length < 5 ? 1 : 2;
}

const isReference = ({ path }: Pick<Section, 'path'>): boolean =>
  path.startsWith(`${guidePath(REFERENCE_PAGE)}/`);

/** The matching sections, best match first. */
export function search(index: SearchIndex, query: string): readonly SearchHit[] {
  const results = index.engine.search(queryWords(query).join(' '), {
    combineWith: 'AND',
    prefix: (term) => term.length >= MIN_PREFIX,
    fuzzy: (term) => maxTypingErrors(term, index),
    boost: BOOSTS,
    boostDocument: (id) => (isReference(index.sections[id as number]!) ? REFERENCE_BOOST : 1),
  });
  const onPage = new Map<string, number>();
  return results
    .map(({ id, terms }) => ({ section: index.sections[id as number]!, terms: new Set(terms) }))
    .filter(({ section: { path } }) => {
      const count = (onPage.get(path) ?? 0) + 1;
      onPage.set(path, count);
      return count <= MAX_FOUND_ON_PAGE;
    })
    .slice(0, MAX_FOUND)
    .map(({ section: { path, title, heading, lead, text }, terms }) => ({
      href: heading === null ? path : `${path}#${heading.id}`,
      title: mark(title, terms),
      heading: heading === null ? null : mark(heading.text, terms),
      excerpt: mark(excerptOf(`${lead} ${text}`.trim(), terms), terms),
    }));
}

/** The text around the first match, or the beginning of the text if nothing matches. Cut at spaces. */
function excerptOf(text: string, terms: ReadonlySet<string>): string {
  const first = [...text.matchAll(WORD)].find(([word]) => terms.has(termOf(word)));
  const at = first?.index ?? 0;
  const start = at <= EXCERPT_SIDE ? 0 : text.indexOf(' ', at - EXCERPT_SIDE) + 1;
  const end =
    at + EXCERPT_SIDE * 2 >= text.length ? text.length : text.lastIndexOf(' ', at + EXCERPT_SIDE * 2);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

/** Splits a text at the words that match. */
function mark(text: string, terms: ReadonlySet<string>): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!terms.has(termOf(word))) continue;
    pieces.push({ text: text.slice(end, index), isMarked: false }, { text: word, isMarked: true });
    end = index + word.length;
  }
  pieces.push({ text: text.slice(end), isMarked: false });
  return pieces.filter((piece) => piece.text !== '');
}
