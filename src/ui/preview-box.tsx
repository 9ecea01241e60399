import type { Child } from 'hono/jsx';

interface PreviewBoxProps {
  readonly title: string;
  readonly id?: string | undefined;
  readonly isOpen?: boolean | undefined;
  readonly children: Child;
}

/**
 * Put this in `columns`, before the form. In a wide window, the preview is next to the form and always open; in a
 * narrow one, it is above the form and collapsed.
 */
export const PreviewBox = ({ title, id, isOpen, children }: PreviewBoxProps) => (
  <details class="card more preview" id={id} open={isOpen}>
    <summary>{title}</summary>
    <h2>{title}</h2>
    {children}
  </details>
);
