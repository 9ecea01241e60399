/** Code with its comments and strings coloured; more colours would need a parser for each language. */
import type { Markup } from './markup.ts';

const C_LIKE =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/g;
const SCRIPT = /(?<comment>(?<!\S)#.*)|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
/** A quoted body may have several lines. */
const SHELL = /(?<comment>(?<!\S)#.*)|"(?:\\[\s\S]|[^"\\])*"|'[^']*'/g;
/** Names stay as they are, or the whole answer would have one colour. */
const JSON_TEXT = /(?<name>"(?:\\.|[^"\\])*"\s*:)|"(?:\\.|[^"\\])*"/g;

/** By the language of a fence in Markdown, or the ending of a file. */
const TOKENS: ReadonlyMap<string, RegExp> = new Map([
  ...['js', 'mjs', 'ts', 'cs', 'java', 'go', 'php'].map((language) => [language, C_LIKE] as const),
  ...['py', 'python', 'rb', 'yaml', 'ini', 'nginx'].map((language) => [language, SCRIPT] as const),
  ['sh', SHELL],
  ['json', JSON_TEXT],
]);

/** Text in any other language stays as it is. */
export function Highlighted({ text, language }: { text: string; language: string }): Markup {
  const pattern = TOKENS.get(language);
  if (pattern === undefined) return <>{text}</>;
  let end = 0;
  const parts = [...text.matchAll(pattern)].map((match) => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    return (
      <>
        {before}
        <span class={kindOf(match)}>{match[0]}</span>
      </>
    );
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}

const kindOf = ({ groups = {} }: RegExpExecArray): string =>
  Object.keys(groups).find((name) => groups[name] !== undefined) ?? 'string';
