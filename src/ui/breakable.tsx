import type { Markup } from './markup.ts';

/** Places where an address may break. It does not break at the point in a number. */
const BETWEEN = /(?<=[a-z0-9][/?&=@]|[a-z]\.|:\/\/)(?=[a-z0-9{])/i;

/** A web or e-mail address, or a sentence with one, that breaks between its parts and not within a word. */
export const Breakable = ({ text }: { text: string }): Markup => (
  <>
    {text.split(BETWEEN).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </>
);
