import type { Child } from 'hono/jsx';

/** Break points in a host, an email address or a sentence. A decimal point is not a break point. */
const IN_TEXT = /(?<=[a-z0-9][/?&=@]|[a-z]\.|:\/\/)(?=[a-z0-9{])/i;
/** Break points in a URL. The host doesn't break. */
const IN_URL = /(?<=[a-z0-9][/?&=@])(?=[a-z0-9{])/i;
const IN_LABEL = /(?<=[_.-])/;
const NOWHERE = /(?!)/;

const breaksOf = (text: string): RegExp => (/^https?:/.test(text) ? IN_URL : IN_TEXT);

interface BrokenProps {
  readonly text: string;
  readonly at: RegExp;
  readonly renderPart?: (part: string) => Child;
}

const Broken = ({ text, at, renderPart = (part) => part }: BrokenProps) => (
  <>
    {text.split(at).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {renderPart(part)}
      </>
    ))}
  </>
);

/** The group makes `split` return the matches too, at the odd indexes. */
const VERBATIM = /(https?:\/\/[^\s“”]+|\{claim\})/;

/** Text with a URL or an email address, whose parts don't break inside, and which browsers don't translate. */
export const Breakable = ({ text }: { text: string }) => (
  <>
    {text.split(VERBATIM).map((part, index) =>
      index % 2 === 0 ? (
        <Broken text={part} at={breaksOf(part)} />
      ) : (
        <span translate="no">
          <Broken text={part} at={breaksOf(part)} />
        </span>
      ),
    )}
  </>
);

/** Text as a person typed it, with its line breaks and in its own direction. */
export const Lines = ({ children }: { children: Child }) => (
  <span class="plain-text" dir="auto">
    {children}
  </span>
);

/** Like `Lines`, as a paragraph. */
export const Paragraph = ({ children }: { children: Child }) => (
  <p class="plain-text" dir="auto">
    {children}
  </p>
);

const wholePart = (part: string) => <span class="part">{part}</span>;

/** For text to copy. A part of a URL breaks only if it is wider than the line, so the URL doesn't break at a hyphen. */
export const Parts = ({ text }: { text: string }) => <>{text.split(IN_URL).map(wholePart)}</>;

/** Parts of code with at most this many characters fit on one line on a phone. */
const MAX_WHOLE = 25;

const shownInSentence = (part: string): Child =>
  part.length <= MAX_WHOLE && /\W/.test(part) ? wholePart(part) : part;

/** Code in a sentence. Short parts don't break. */
export const WholeParts = ({ text }: { text: string }) => (
  <Broken text={text} at={text.length <= MAX_WHOLE ? NOWHERE : breaksOf(text)} renderPart={shownInSentence} />
);

/** Code in a sentence of this service: between backticks or plain quotes, or a JSON object. */
const CODE_IN_SENTENCE = /(`[^`]+`|\{"[^{}]*\}|"\w+")/;

/** A sentence of this service about an API, without text that people typed. */
export const SentenceWithCode = ({ text }: { text: string }) => (
  <>
    {text.split(CODE_IN_SENTENCE).map((part, index) =>
      index % 2 === 0 ? (
        <Breakable text={part} />
      ) : (
        <code translate="no">
          <WholeParts text={part.replaceAll(/^[`"]|[`"]$/g, '')} />
        </code>
      ),
    )}
  </>
);

export const Name = ({ text }: { text: string }) => (
  <span class="num" translate="no">
    <Broken text={text} at={IN_LABEL} />
  </span>
);

export const Label = ({ text }: { text: string }) => (
  <span class="mono" translate="no">
    <Broken text={text} at={IN_LABEL} />
  </span>
);
