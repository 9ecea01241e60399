/** A preview next to a form, updated while the form is filled in. */
import type { Child } from 'hono/jsx';
import { t } from '../languages/translate.ts';
import { FormPart } from '../ui/live.tsx';
import { PreviewBox } from '../ui/ticket.tsx';

interface PreviewFrameProps {
  /** Id of the form. */
  readonly form: string;
  /** Path that answers with the preview of the unsaved form; see `FormPart`. */
  readonly path: string;
  readonly children: Child;
}

export const PreviewFrame = ({ form, path, children }: PreviewFrameProps) => (
  <PreviewBox title={t('As people will see it')}>
    <FormPart id="preview" form={form} path={path}>
      {children}
    </FormPart>
  </PreviewBox>
);
