import type { Markup } from './markup.ts';

/** After these an address may go on in the next line; the point of a number is none. */
const BETWEEN = /(?<=[a-z0-9][/?&=@]|[a-z]\.|:\/\/)(?=[a-z0-9{])/i;

/** An address that breaks between its parts and not within a word: of a site, a page or a person. */
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
