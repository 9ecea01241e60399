import type { Child } from 'hono/jsx';
import type { Markup } from './markup.ts';

export interface FormPartProps {
  readonly id: string;
  readonly form: string;
  /** Path that gets the unsaved form by POST and answers with `fragment(c, …)` of the children. */
  readonly path: string;
  readonly children: Child;
}

/** Pause after the last key before the request. */
const TYPING_PAUSE_MS = 300;

/**
 * A part of a page that updates while a form is typed. Without JavaScript a button of the form requests the same path,
 * which then answers with the whole page.
 */
export const FormPart = ({ id, form, path, children }: FormPartProps): Markup => (
  <div
    id={id}
    aria-live="polite"
    hx-post={path}
    hx-trigger={`input from:#${form} delay:${TYPING_PAUSE_MS}ms`}
    hx-include={`#${form}`}
    hx-swap="innerHTML"
    hx-sync="this:replace"
  >
    {children}
  </div>
);
