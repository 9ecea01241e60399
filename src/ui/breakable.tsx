/** Where a host, an email address or a sentence may break, but not at a decimal point. */
const IN_TEXT = /(?<=[a-z0-9][/?&=@]|[a-z]\.|:\/\/)(?=[a-z0-9{])/i;
/** Where a URL may break: not within its host. */
const IN_URL = /(?<=[a-z0-9][/?&=@])(?=[a-z0-9{])/i;
const IN_LABEL = /(?<=[_.-])/;

const Broken = ({ text, at }: { text: string; at: RegExp }) => (
  <>
    {text.split(at).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </>
);

/** A URL or email address, or a sentence with one, that breaks between parts and not within a word. */
export const Breakable = ({ text }: { text: string }) => (
  <Broken text={text} at={/^https?:/.test(text) ? IN_URL : IN_TEXT} />
);

/** For a text to copy. The parts of a URL stay whole if they fit, so that a URL doesn't break after a hyphen. */
export const Parts = ({ text }: { text: string }) => (
  <>
    {text.split(IN_URL).map((part) => (
      <span class="part">{part}</span>
    ))}
  </>
);

/** Parts of code with at most this many characters fit a phone. */
const MAX_WHOLE = 25;

/** Code in a sentence, whose short parts stay whole. */
export const WholeParts = ({ text }: { text: string }) => (
  <>
    {(text.length <= MAX_WHOLE ? [text] : text.split(/^https?:/.test(text) ? IN_URL : IN_TEXT)).map(
      (part, index) => (
        <>
          {index > 0 && <wbr />}
          {part.length <= MAX_WHOLE && /\W/.test(part) ? <span class="part">{part}</span> : part}
        </>
      ),
    )}
  </>
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
