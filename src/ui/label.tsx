import type { Markup } from './markup.ts';

/** After these a label may break into the next line. */
const BETWEEN = /(?<=[_.-])/;

/** A campaign label: it breaks between its words, not within one. */
export const Label = ({ text }: { text: string }): Markup => (
  <span class="mono label">
    {text.split(BETWEEN).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </span>
);
