import type { Child } from 'hono/jsx';
import type { Markup } from './markup.ts';

export interface FormPartProps {
  /** Unique on the page. */
  readonly id: string;
  /** Id of the form it belongs to, and stands in or beside. */
  readonly form: string;
  /** Where the form as typed so far is POSTed; answers with `fragment(c, …)` of what stands in here. Saves nothing. */
  readonly path: string;
  readonly children: Child;
}

/** Quiet after the last key before it looks again. */
const TYPING_PAUSE_MS = 300;

/**
 * A part of a page that follows what is typed into a form. Without JavaScript a button of the form asks the same
 * path, which then answers with the whole page.
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
