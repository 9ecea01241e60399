/** The card with the preview of a listing or an offer, which changes as its form is filled in. */
import type { Child } from 'hono/jsx';
import { t } from '../languages/translate.ts';
import { FormPart } from '../ui/live.tsx';

interface PreviewFrameProps {
  /** Id of the form. */
  readonly form: string;
  /** Path that answers with the preview of the unsaved form; see `FormPart`. */
  readonly path: string;
  readonly note?: Child;
  readonly children: Child;
}

export const PreviewFrame = ({ form, path, note, children }: PreviewFrameProps) => (
  <section class="card" aria-labelledby="preview-title">
    <h2 id="preview-title">{t('As people will see it')}</h2>
    <FormPart id="preview" form={form} path={path}>
      {children}
    </FormPart>
    {note && <p class="hint">{note}</p>}
  </section>
);
