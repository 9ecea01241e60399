/**
 * Parts of a page with a form: a preview that is updated while the form is filled in, and links to the sections below
 * it.
 */
import type { Child } from 'hono/jsx';
import { t } from '../languages/translate.ts';
import { FormPart } from '../ui/live.tsx';

interface PreviewFrameProps {
  /** Id of the form. */
  readonly form: string;
  /** Path that answers with the preview of the unsaved form; see `FormPart`. */
  readonly path: string;
  readonly children: Child;
}

/**
 * Put this in `columns`, before the form. In a wide window, the preview is next to the form and always open; in a
 * narrow one, it is above the form and collapsed.
 */
export const PreviewFrame = ({ form, path, children }: PreviewFrameProps) => (
  <details class="card more preview">
    <summary>{t('As people will see it')}</summary>
    <h2>{t('As people will see it')}</h2>
    <FormPart id="preview" form={form} path={path}>
      {children}
    </FormPart>
  </details>
);

/** Links to the sections of the page, shown only where the sections are stacked in one column. */
export const Jump = ({ to }: { to: readonly (readonly [id: string, title: string])[] }) => (
  <nav class="row jump" aria-label={t('On this page')}>
    {to.map(([id, title]) => (
      <a href={`#${id}`}>{title}</a>
    ))}
  </nav>
);
