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

const Titled = ({ look, title, id, action, isStack, children }: SectionProps & { look: string }) => (
  <section class={look} aria-labelledby={id}>
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

export const Section = (props: SectionProps) => <Titled look="section" {...props} />;

export const Card = (props: SectionProps) => <Titled look="card" {...props} />;
