/** Finds the English texts to translate: the first arguments of calls to `t` and `message` in `src`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { parseAst } from 'rolldown/parseAst';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

export interface FoundMessage {
  readonly text: string;
  /** File and line of the call, for example `src/pages/ui/dialog.tsx:67`. */
  readonly source: string;
  /** The names of the values in the call; `null` if the call doesn't list them. */
  readonly values: readonly string[] | null;
}

/** Returns the texts of all source files except tests, sorted by file and position. */
export const findMessages = (): readonly FoundMessage[] =>
  globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((path) => !/\.test\.tsx?$|\.d\.ts$/.test(path))
    .toSorted()
    .flatMap((path) => messagesIn(path, readFileSync(join(ROOT, path), 'utf8')));

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [name: string]: unknown;
}

export function messagesIn(path: string, source: string): readonly FoundMessage[] {
  if (!/\b(?:t|message)\(/.test(source)) return [];
  const found: FoundMessage[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    if (isCall(node)) {
      const text = textOf(node.arguments[0]);
      const line = source.slice(0, node.start).split('\n').length;
      if (text !== null) found.push({ text, source: `${path}:${line}`, values: valuesOf(node) });
    }
    for (const part of Object.values(node)) visit(part);
  };
  visit(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body);
  return found;
}

interface Call extends Node {
  readonly callee: unknown;
  readonly arguments: readonly Node[];
}

const isCall = (node: object): node is Call => {
  const { type, callee } = node as { type?: unknown; callee?: { type: string; name?: string } };
  return (
    type === 'CallExpression' &&
    callee?.type === 'Identifier' &&
    (callee.name === 't' || callee.name === 'message')
  );
};

const textOf = (node: Node | undefined): string | null =>
  node?.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : null;

/**
 * Returns the keys of the second argument, or `null` if this argument isn't an object literal with known keys. If the
 * call has no second argument, returns `[]` for `t`, but `null` for `message`, because the code that shows the message
 * may add values.
 */
function valuesOf({ callee, arguments: [, node] }: Call): readonly string[] | null {
  if (node === undefined) return (callee as { name?: string }).name === 'message' ? null : [];
  const properties = node['properties'] as readonly (Node & { key?: { name: string } })[] | undefined;
  const names = properties?.map(({ key }) => key?.name);
  return names === undefined || names.includes(undefined) ? null : (names as string[]);
}

type Part = ReturnType<IntlMessageFormat['getAst']>[number];

/** Returns sorted names of values and tags (as `<name>`), without duplicates. Throws if the message is malformed. */
export const namesIn = (text: string, language: string): readonly string[] =>
  [...new Set(partNames(new IntlMessageFormat(text, language).getAst()))].toSorted();

const partNames = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => {
    if ('children' in part) return [`<${part.value}>`, ...partNames(part.children)];
    if ('options' in part) {
      return [part.value, ...Object.values(part.options).flatMap(({ value }) => partNames(value))];
    }
    return 'value' in part && part.type !== LITERAL ? [part.value] : [];
  });

const LITERAL = 0;

interface TranslationReport {
  readonly missing: readonly FoundMessage[];
  readonly unused: readonly string[];
  /** One sentence for each entry that is malformed, or whose values or tags don't match its English text. */
  readonly faults: readonly string[];
}

/** `texts`: the translations of a language, by English text. */
export function checkTranslations(
  code: string,
  texts: Readonly<Record<string, string>>,
  found: readonly FoundMessage[],
): TranslationReport {
  const known = new Set(found.map(({ text }) => text));
  const faults = Object.entries(texts).flatMap(([english, own]) => {
    try {
      const [expected, names] = [namesIn(english, 'en').join(', '), namesIn(own, code).join(', ')];
      return names === expected
        ? []
        : [`“${own}” has ${names || 'no values'}, but the English text has ${expected || 'none'}`];
    } catch (error) {
      return [`“${own}”: ${(error as Error).message}`];
    }
  });
  const first = new Map(found.toReversed().map((one) => [one.text, one]));
  return {
    missing: [...first.values()].toReversed().filter(({ text }) => !Object.hasOwn(texts, text)),
    unused: Object.keys(texts).filter((english) => !known.has(english)),
    faults,
  };
}

/** Values that the code that shows a message adds: links to the operator, and the actor of an event. */
const ADDED_LATER = /^<?(?:operator|who|time)>?$/;

/** One sentence for each call whose values don't match its text. */
export const valueFaults = (found: readonly FoundMessage[]): readonly string[] =>
  found.flatMap(({ text, source, values }) => {
    if (values === null) return [];
    const names = namesIn(text, 'en').filter((name) => !ADDED_LATER.test(name));
    const expected = [...new Set(names.map((name) => name.replace(/^<|>$/g, '')))].toSorted().join(', ');
    const given = values
      .filter((name) => !ADDED_LATER.test(name))
      .toSorted()
      .join(', ');
    return given === expected
      ? []
      : [`${source}: the text has ${expected || 'no values'}, but the call has ${given || 'none'}`];
  });
