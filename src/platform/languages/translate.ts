/**
 * Translates user-visible text into the current language. The key of a translation is the English text. Texts are ICU
 * messages in which tags stand for elements. An ambiguous English text starts with a context and a bar: `state|Open`.
 */
import { type FormatXMLElementFn, IntlMessageFormat } from 'intl-messageformat';
import { currentLanguage, ENGLISH, inLanguage, type Language } from './language.ts';

/** A function, such as one that formats a time, runs with the text's language as the current language. */
type TextValues = Readonly<Record<string, string | number | bigint | Message | (() => string)>>;

/** Text that is translated when it is shown, such as the message of a refusal. API clients get the English text. */
export class Message {
  readonly text: string;
  readonly values: TextValues | undefined;

  constructor(text: string, values?: TextValues) {
    this.text = text;
    this.values = values;
  }

  /** The English text. */
  toString(): string {
    return write(ENGLISH, this.text, this.values);
  }
}

/** Text that is shown verbatim, or a translatable message. */
export type Words = string | Message;

/** Accepts only string literals, so that a scan of the source code finds every text. */
type Literal<S extends string> = string extends S ? never : S;

export const message = <S extends string>(text: Literal<S>, values?: TextValues): Message =>
  new Message(text, values);

/** A value, an element, or a function that builds a tag's element from its content. */
type Rich<T> = string | number | bigint | T | Message | ((inside: (string | T)[]) => T);

export function t<S extends string>(text: Literal<S> | Message, values?: TextValues): string;
export function t<S extends string, T extends object>(
  text: Literal<S> | Message,
  values: Readonly<Record<string, Rich<T>>>,
): string | (string | T)[];
export function t(text: string | Message, values?: Readonly<Record<string, unknown>>): unknown {
  const { text: english, values: own } = text instanceof Message ? text : { text, values: undefined };
  return write(currentLanguage(), english, own === undefined ? values : { ...own, ...values });
}

/** Translates a `Message`. Returns other values unchanged. */
export const wordsOf = <T>(words: T | Message): T | string => (words instanceof Message ? t(words) : words);

/** Translates text that was stored in English. The text must not have values or tags. */
export const storedText = (english: string): string => currentLanguage().textFor(english) ?? english;

/** Only texts that contain one of these characters need ICU formatting. */
const SYNTAX = /[{<']/;
const CONTEXT = /^[a-z ]+\|/;

const compiled = new Map<Language, Map<string, Compiled>>();

interface Compiled {
  readonly format: IntlMessageFormat;
  readonly tags: readonly string[];
  /** Names of the values that select a variant of the text, such as the number in a plural. */
  readonly selectors: readonly string[];
}

function write(
  language: Language,
  english: string,
  values: Readonly<Record<string, unknown>> | undefined,
): string {
  const translation = language.textFor(english);
  if (translation !== undefined && language !== ENGLISH) {
    try {
      return formatted(language, translation, values);
    } catch {
      // A broken translation falls back to English.
    }
  }
  return formatted(ENGLISH, english.replace(CONTEXT, ''), values);
}

function formatted(
  language: Language,
  text: string,
  values: Readonly<Record<string, unknown>> | undefined,
): string {
  if (!SYNTAX.test(text)) return text;
  const { format, tags, selectors } = compile(language, text);
  // A tag without a value renders only its content.
  const tagValues: Record<string, unknown> = Object.fromEntries(tags.map((tag) => [tag, insideOf]));
  for (const [name, value] of Object.entries(values ?? {})) {
    tagValues[name] = tags.includes(name) || selectors.includes(name) ? value : valueIn(language, value);
  }
  // If a value is an element, the result is an array, as declared by the overloads of `t`.
  return format.format(tagValues as Record<string, string>) as string;
}

const insideOf: FormatXMLElementFn<string> = (inside) => inside.join('');

/** Translates a message or calls a function. In right-to-left languages, wraps text in Unicode isolates. */
function valueIn(language: Language, value: unknown): unknown {
  const text =
    value instanceof Message
      ? write(language, value.text, value.values)
      : typeof value === 'function'
        ? inLanguage(language.code, value as () => string)
        : value;
  const isIsolated = language.direction === 'rtl' && typeof text === 'string' && text !== '';
  return isIsolated ? `\u2068${text}\u2069` : text;
}

const compile = (language: Language, text: string): Compiled =>
  compiled
    .getOrInsertComputed(language, () => new Map<string, Compiled>())
    .getOrInsertComputed(text, () => {
      const format = new IntlMessageFormat(text, language.code);
      const parts = allParts(format.getAst());
      return {
        format,
        tags: parts.flatMap((part) => ('children' in part ? part.value : [])),
        selectors: parts.flatMap((part) => ('options' in part ? part.value : [])),
      };
    });

type Part = ReturnType<IntlMessageFormat['getAst']>[number];

/** Includes the parts nested in tags, plurals and selects. */
const allParts = (parts: readonly Part[]): readonly Part[] =>
  parts.flatMap((part) => {
    if ('children' in part) return [part, ...allParts(part.children)];
    if (!('options' in part)) return part;
    return [part, ...Object.values(part.options).flatMap(({ value }) => allParts(value))];
  });

/** Returns `a, b, and c`, or `a, b, or c` for a disjunction. */
export const listText = (
  items: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string => new Intl.ListFormat(currentLanguage().code, { type }).format(items);
