import type { Child } from 'hono/jsx';
import type { Markup } from './markup.ts';

export interface SaveButtonProps {
  readonly text: string;
  /** Name of the file; browsers take a dot away that it begins with. */
  readonly file: string;
  readonly children: Child;
}

/**
 * Saves a text of the page as a file, made in the browser: the text goes over no second request. The page needs the
 * script `save`; without JavaScript the button is not there, so the text stands beside it to be copied.
 */
export const SaveButton = ({ text, file, children }: SaveButtonProps): Markup => (
  <button type="button" class="button" data-save={text} data-file={file} hidden>
    {children}
  </button>
);
