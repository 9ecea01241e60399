import type { Child } from 'hono/jsx';

/** Where a host, an email address or a sentence may break, but not at a decimal point. */
const IN_TEXT = /(?<=[a-z0-9][/?&=@]|[a-z]\.|:\/\/)(?=[a-z0-9{])/i;
/** Where a URL may break: not within its host. */
const IN_URL = /(?<=[a-z0-9][/?&=@])(?=[a-z0-9{])/i;
const IN_LABEL = /(?<=[_.-])/;
const NOWHERE = /(?!)/;

/** Where a URL or email address, or a sentence with one, may break. */
const breaksOf = (text: string): RegExp => (/^https?:/.test(text) ? IN_URL : IN_TEXT);

interface BrokenProps {
  readonly text: string;
  readonly at: RegExp;
  readonly shown?: (part: string) => Child;
}

const Broken = ({ text, at, shown = (part) => part }: BrokenProps) => (
  <>
    {text.split(at).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {shown(part)}
      </>
    ))}
  </>
);

/** A URL or email address, or a sentence with one, that breaks between parts and not within a word. */
export const Breakable = ({ text }: { text: string }) => <Broken text={text} at={breaksOf(text)} />;

const wholePart = (part: string) => <span class="part">{part}</span>;

/** For a text to copy. The parts of a URL stay whole if they fit, so that a URL doesn't break after a hyphen. */
export const Parts = ({ text }: { text: string }) => <>{text.split(IN_URL).map(wholePart)}</>;

/** Parts of code with at most this many characters fit a phone. */
const MAX_WHOLE = 25;

const shownInSentence = (part: string): Child =>
  part.length <= MAX_WHOLE && /\W/.test(part) ? wholePart(part) : part;

/** Code in a sentence, whose short parts stay whole. */
export const WholeParts = ({ text }: { text: string }) => (
  <Broken text={text} at={text.length <= MAX_WHOLE ? NOWHERE : breaksOf(text)} shown={shownInSentence} />
);

export const Name = ({ text }: { text: string }) => (
  <span class="num">
    <Broken text={text} at={IN_LABEL} />
  </span>
);

export const Label = ({ text }: { text: string }) => (
  <span class="mono">
    <Broken text={text} at={IN_LABEL} />
  </span>
);
