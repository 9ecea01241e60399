/** Prefix search over the sections of all pages. A section must match every word of the query. */
import type { Token } from 'marked';
import { type Block, type MarkdownPage, plainText, snippetsOf } from './markdown.ts';

/** In characters. The rest of a query is ignored. */
export const MAX_QUERY_LENGTH = 200;
export const MAX_QUERY_WORDS = 8;
/** Maximum number of sections in a result, in total and per page. */
export const MAX_FOUND = 20;
export const MAX_FOUND_ON_PAGE = 3;

/** Number of characters before the first match in an excerpt. The rest of the excerpt is twice as long. */
const EXCERPT_SIDE = 90;

interface Section {
  readonly path: string;
  readonly title: string;
  /** `null` for the text before the first heading of the page. */
  readonly heading: { readonly id: string; readonly text: string } | null;
  /** The lead of the page; empty for sections below a heading. */
  readonly lead: string;
  readonly text: string;
  readonly searched: readonly SearchedText[];
}

interface SearchedText {
  /** In lower case. */
  readonly text: string;
  /** Score of a match, and the maximum number of matches that count. */
  readonly weight: number;
  readonly most: number;
}

export type SearchIndex = readonly Section[];

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

export function indexOf(pages: readonly (MarkdownPage & { readonly path: string })[]): SearchIndex {
  return pages.flatMap(({ path, title, lead, blocks }) => {
    const sections: { heading: Section['heading']; texts: string[] }[] = [{ heading: null, texts: [] }];
    for (const block of blocks) {
      if (block.type === 'heading') {
        sections.push({ heading: { id: block.id, text: plainText(block.tokens) }, texts: [] });
      } else {
        sections.at(-1)!.texts.push(textOf(block));
      }
    }
    return sections.map(({ heading, texts }) => {
      const own = {
        title,
        heading,
        lead: heading === null ? plainText(lead) : '',
        text: texts.filter(Boolean).join(' '),
      };
      return { path, ...own, searched: searchedTexts(own) };
    });
  });
}

const searchedTexts = ({ title, heading, lead, text }: Omit<Section, 'path' | 'searched'>) =>
  [
    // All sections of a page share the page title. A match in the title counts most for the section without a heading.
    { text: title, weight: heading === null ? 6 : 1, most: 1 },
    { text: heading?.text ?? '', weight: 4, most: 1 },
    { text: lead, weight: 3, most: 1 },
    { text, weight: 1, most: 3 },
  ].map((searched) => ({ ...searched, text: searched.text.toLowerCase() }));

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

/** The distinct words of a query, in lower case. A word consists of letters and digits. */
export const queryWords = (query: string): readonly string[] =>
  [
    ...new Set(
      query
        .slice(0, MAX_QUERY_LENGTH)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu),
    ),
  ].slice(0, MAX_QUERY_WORDS);

/** The matching sections, best match first. */
export function search(index: SearchIndex, query: string): readonly SearchHit[] {
  const words = queryWords(query);
  if (words.length === 0) return [];
  // A capture group, because `mark` splits texts at the matches and keeps them.
  const any = new RegExp(`(${words.map(wordPattern).join('|')})`, 'iu');
  const onPage = new Map<string, number>();
  return index
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .filter(({ section: { path } }) => {
      const count = (onPage.get(path) ?? 0) + 1;
      onPage.set(path, count);
      return count <= MAX_FOUND_ON_PAGE;
    })
    .slice(0, MAX_FOUND)
    .map(({ section: { path, title, heading, lead, text } }) => ({
      href: heading === null ? path : `${path}#${heading.id}`,
      title: mark(title, any),
      heading: heading === null ? null : mark(heading.text, any),
      excerpt: mark(excerptOf(`${lead} ${text}`.trim(), any), any),
    }));
}

/** Matches every word that begins with `word`. */
const wordPattern = (word: string): string => `(?<![\\p{L}\\p{N}])${word}[\\p{L}\\p{N}]*`;

/** Returns 0 if one of the words has no match. */
function scoreOf({ searched }: Section, words: readonly string[]): number {
  let total = 0;
  for (const word of words) {
    const score = searched.reduce((sum, text) => sum + scoreIn(text, word), 0);
    if (score === 0) return 0;
    total += score;
  }
  return total;
}

/** A full match scores twice as much as a prefix match. */
function scoreIn({ text, weight, most }: SearchedText, word: string): number {
  let [score, matches] = [0, 0];
  for (let at = text.indexOf(word); at >= 0 && matches < most; at = text.indexOf(word, at + word.length)) {
    if (isInWord(text[at - 1])) continue;
    matches += 1;
    score += isInWord(text[at + word.length]) ? weight : 2 * weight;
  }
  return score;
}

const isInWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}\p{Cs}]/u.test(character);

/** The text around the first match, or the beginning of the text if nothing matches. Cut at spaces. */
function excerptOf(text: string, any: RegExp): string {
  const at = Math.max(text.search(any), 0);
  const start = at <= EXCERPT_SIDE ? 0 : text.indexOf(' ', at - EXCERPT_SIDE) + 1;
  const end =
    at + EXCERPT_SIDE * 2 >= text.length ? text.length : text.lastIndexOf(' ', at + EXCERPT_SIDE * 2);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

function mark(text: string, any: RegExp): readonly Piece[] {
  return text
    .split(any)
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
