import type { Child } from 'hono/jsx';

interface SectionProps {
  readonly title: Child;
  /** ID of the heading. If set, the heading names the section for screen readers. */
  readonly id?: string | undefined;
  /** Shown next to the heading. */
  readonly action?: Child | undefined;
  /** Adds space between the children. */
  readonly isStack?: boolean | undefined;
  readonly children: Child;
}

export const Section = ({ title, id, action, isStack, children }: SectionProps) => (
  <section class="section" aria-labelledby={id}>
    {action === undefined ? (
      <h2 id={id}>{title}</h2>
    ) : (
      <div class="spread">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
    )}
    {isStack ? <div class="stack">{children}</div> : children}
  </section>
);
