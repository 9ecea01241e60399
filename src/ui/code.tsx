/** Text to be copied exactly, and links to other sites. */
import type { Child } from 'hono/jsx';
import { Breakable } from './breakable.tsx';
import { Highlighted } from './highlighted.tsx';
import { Icon } from './icon.tsx';
import type { Markup } from './markup.ts';

export interface CopyButtonProps {
  /** The text to copy; `null` copies the text of the element before it. */
  readonly text: string | null;
  readonly what: string;
}

/** Copies a text. Hidden without JavaScript: the text beside it can be selected. */
export const CopyButton = ({ text, what }: CopyButtonProps): Markup => (
  <button type="button" class="button small" data-copy={text ?? ''} hidden>
    <Icon name="copy" />
    <span aria-live="polite">Copy</span>
    <span class="visually-hidden"> {what}</span>
  </button>
);

export interface CodeProps {
  readonly text: string;
  /** What it is, for the copy button: `the command`. */
  readonly what: string;
  /** As in Markdown, or the ending of a file; its comments and strings are coloured. */
  readonly language?: string | undefined;
}

/** A block of code with its copy button. Long lines wrap. */
export const Code = ({ text, what, language = '' }: CodeProps): Markup => (
  <div class="code">
    {/* A scrollable region must be reachable by keyboard. */}
    <pre tabindex={0}>
      <code>
        <Highlighted text={text} language={language} />
      </code>
    </pre>
    <CopyButton text={null} what={what} />
  </div>
);

export interface CopyLineProps {
  readonly text: string;
  readonly what: string;
  readonly children?: Child;
}

/** A secret or link on one line, with its copy button: an API key that is shown once, a shared code. */
export const CopyLine = ({ text, what, children }: CopyLineProps): Markup => (
  <div class="secret">
    <code>
      <span>
        <Breakable text={text} />
      </span>
    </code>
    <CopyButton text={text} what={what} />
    {children}
  </div>
);

/** A token, key or id in running text. */
export const Mono = ({ children }: { children: Child }): Markup => <span class="mono">{children}</span>;

/** A link to another site; only http and https become links, anything else stays text. */
export function ExternalLink({ href, children }: { href: string; children?: Child }): Markup {
  const protocol = URL.parse(href)?.protocol;
  const shown = children ?? <Breakable text={href} />;
  if (protocol !== 'https:' && protocol !== 'http:') return <>{shown}</>;
  return (
    <a href={href} rel="noopener noreferrer nofollow">
      {shown}
      <span class="visually-hidden"> (another site)</span>
    </a>
  );
}

export const More = ({ summary, children }: { summary: Child; children: Child }): Markup => (
  <details class="more">
    <summary>{summary}</summary>
    {children}
  </details>
);
