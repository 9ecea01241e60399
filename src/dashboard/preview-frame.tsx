/** The card with the preview of a listing or an offer, which changes as its form is filled in. */
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

/** In `columns`, before the form: next to it in a wide window, where it is always open, and folded above it in others. */
export const PreviewFrame = ({ form, path, children }: PreviewFrameProps) => (
  <details class="card more preview">
    <summary>{t('As people will see it')}</summary>
    <h2>{t('As people will see it')}</h2>
    <FormPart id="preview" form={form} path={path}>
      {children}
    </FormPart>
  </details>
);
