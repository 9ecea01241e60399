/** A preview next to a form, updated while the form is filled in. */
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
