/** The page of a form: its preview, which changes as it is filled in, and links to what follows it. */
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
 * In `columns`, before the form: next to it in a wide window, where it is always open, and folded above it in others.
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

/** Links to the sections of the page, where they follow each other in one column. */
export const Jump = ({ to }: { to: readonly (readonly [id: string, title: string])[] }) => (
  <nav class="row jump" aria-label={t('On this page')}>
    {to.map(([id, title]) => (
      <a href={`#${id}`}>{title}</a>
    ))}
  </nav>
);
