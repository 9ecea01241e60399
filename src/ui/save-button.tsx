import type { Child } from 'hono/jsx';
import type { Markup } from './markup.ts';

export interface SaveButtonProps {
  /** `null`: the code of the program that the button is in. */
  readonly text: string | null;
  /** Name of the file; browsers remove a leading dot. */
  readonly file: string;
  readonly small?: boolean | undefined;
  readonly children: Child;
}

/**
 * Saves a text of the page as a file that the browser makes, without a second request. The page needs the script `save`;
 * the button is hidden without JavaScript, and the text beside it can be copied.
 */
export const SaveButton = ({ text, file, small, children }: SaveButtonProps): Markup => (
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
