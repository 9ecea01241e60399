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

/**
 * A text to copy: the parts of a URL stay whole as long as they fit, so a line doesn't break after one of its hyphens.
 */
export const Parts = ({ text }: { text: string }) => (
  <>
    {text.split(IN_URL).map((part) => (
      <span class="part">{part}</span>
    ))}
  </>
);

/** The name of an error or a setting, which breaks only between its words. */
export const Name = ({ text }: { text: string }) => (
  <span class="num">
    <Broken text={text} at={IN_LABEL} />
  </span>
);

/** A name in monospace, such as a campaign label, which breaks between its words. */
export const Label = ({ text }: { text: string }) => (
  <span class="mono">
    <Broken text={text} at={IN_LABEL} />
  </span>
);
