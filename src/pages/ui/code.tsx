import type { Child } from 'hono/jsx';
import { encode } from 'uqr';
import { t } from '../../platform/languages/translate.ts';
import { Breakable, Parts } from './breakable.tsx';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  /** The text to copy. `null` copies the code block that contains the button. */
  readonly text: string | null;
  readonly what: string;
  /** Text of the button. By default, the text is "Copy", followed by `what` for screen readers. */
  readonly label?: string | undefined;
  readonly isQuiet?: boolean | undefined;
}

/** Hidden without JavaScript. People can still select the text. */
export const CopyButton = ({ text, what, label, isQuiet }: CopyButtonProps) => (
  <button type="button" class={isQuiet ? 'button quiet small' : 'button small'} data-copy={text ?? ''} hidden>
    <Icon name="copy" />
    <span aria-live="polite" data-copied={t('Copied')} data-refused={t('Not allowed')}>
      {label ?? t('Copy')}
    </span>
    {!label && <span class="visually-hidden"> {what}</span>}
  </button>
);

interface CodeProps {
  readonly text: string;
  /** Names the text in the label of the copy button, as in “Copy the command”. If unset, the block has no button. */
  readonly what?: string | undefined;
  /** The text to copy, if it differs from the text shown. */
  readonly copied?: string | undefined;
  /** On a phone, long lines scroll instead of wrapping. */
  readonly scrolls?: boolean | undefined;
  /** The language tag of a Markdown code block, or a file extension. Selects the syntax highlighting. */
  readonly language?: string | undefined;
}

export const Code = ({ text, what, copied, scrolls, language = '' }: CodeProps) => (
  <div class={scrolls ? 'code scrolls' : 'code'}>
    {/* A scrollable region must be reachable by keyboard. */}
    <pre tabindex={0} translate="no">
      <code>
        <Highlighted text={text} language={language} />
      </code>
    </pre>
    {what !== undefined && <CopyButton text={copied ?? null} what={what} />}
  </div>
);

export const CodeHeading = ({ title, ...copied }: CopyButtonProps & { title: string }) => (
  <div class="spread">
    <h2>{title}</h2>
    <CopyButton {...copied} isQuiet />
  </div>
);

interface CopyLineProps extends CopyButtonProps {
  readonly text: string;
  readonly children?: Child;
}

export const CopyLine = ({ text, what, label, children }: CopyLineProps) => (
  <div class="secret">
    <code translate="no">
      <span>
        <Parts text={text} />
      </span>
    </code>
    <CopyButton {...{ text, what, label }} />
    {children}
  </div>
);

/** For codes, keys, tokens, IDs and URLs. Browsers that translate a page leave them as they are. */
export const Mono = ({ children }: { children: Child }) => (
  <span class="mono" translate="no">
    {children}
  </span>
);

export const BreakableMono = ({ text }: { text: string }) => (
  <Mono>
    <Breakable text={text} />
  </Mono>
);

/** A link to another site. A URL that isn't HTTP or HTTPS is shown as text. */
export function ExternalLink({ href, children }: { href: string; children?: Child }) {
  const protocol = URL.parse(href)?.protocol;
  const content = children ?? <Breakable text={href} />;
  if (protocol !== 'https:' && protocol !== 'http:') return <>{content}</>;
  return (
    <a href={href} rel="noopener noreferrer nofollow">
      {content}
      <span class="visually-hidden"> {t('(another site)')}</span>
    </a>
  );
}

export const More = (props: { summary: Child; isOpen?: boolean | undefined; children: Child }) => (
  <details class="more" open={props.isOpen}>
    <summary>{props.summary}</summary>
    {props.children}
  </details>
);

/** The closing quotation mark is optional, so that a match never fails at the end of the text. */
const C_LIKE =
  /(?<comment>\/\/.*|\/\*[\s\S]*?(?:\*\/|$))|"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\[\s\S]|[^`\\])*`?/g;
const SCRIPT = /(?<comment>(?<!\S)#.*)|"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?/g;
const SHELL = /(?<comment>(?<!\S)#.*)|"(?:\\[\s\S]|[^"\\])*"?|'[^']*'/g;
/** Member names are not coloured. Otherwise, nearly all of a response would have the same colour. */
const JSON_TEXT = /"(?:\\.|[^"\\])*"?(?<name>\s*:)?/g;

const TOKENS: ReadonlyMap<string, RegExp> = new Map([
  ...['js', 'mjs', 'ts', 'cs', 'java', 'go', 'php'].map((language) => [language, C_LIKE] as const),
  ...['py', 'python', 'rb', 'yaml', 'ini', 'nginx'].map((language) => [language, SCRIPT] as const),
  ['sh', SHELL],
  ['json', JSON_TEXT],
]);

export function Highlighted({ text, language }: { text: string; language: string }) {
  const pattern = TOKENS.get(language);
  if (pattern === undefined) return <>{text}</>;
  let end = 0;
  const parts = [...text.matchAll(pattern)].map((match) => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    const { name, comment } = match.groups ?? {};
    return (
      <>
        {before}
        {name === undefined ? (
          <span class={comment === undefined ? 'string' : 'comment'}>{match[0]}</span>
        ) : (
          match[0]
        )}
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

interface SaveButtonProps {
  /** The text to save. `null` saves the code block that contains the button. */
  readonly text: string | null;
  /** Name of the saved file. Browsers remove a leading dot. */
  readonly file: string;
  readonly small?: boolean | undefined;
  readonly children: Child;
}

export const SaveButton = ({ text, file, small, children }: SaveButtonProps) => (
  <button
    type="button"
    class={small ? 'button small' : 'button'}
    data-save={text ?? ''}
    data-file={file}
    hidden
  >
    {children}
  </button>
);

/** `border`: width of the quiet zone in modules. ISO/IEC 18004 requires at least 4. */
export const QR_CODE = { ecc: 'M', border: 4 } as const;

/** Drawn by the server, so no other service sees the text. Dark on white in both themes, so cameras can scan it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, QR_CODE);
  return (
    <figure class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges" role="img" aria-label={label}>
        <path fill="currentColor" d={darkModules(data)} />
      </svg>
    </figure>
  );
}

function darkModules(rows: readonly (readonly boolean[])[]): string {
  const path: string[] = [];
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      path.push(`M${start} ${y}h${x + 1 - start}v1h-${x + 1 - start}z`);
    }
  });
  return path.join('');
}
