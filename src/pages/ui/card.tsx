import type { Child } from 'hono/jsx';

interface CardProps {
  readonly title: string;
  /** ID of the heading. If set, the heading names the card for screen readers. */
  readonly id?: string;
  /** Adds space between the children. */
  readonly isStack?: boolean;
  readonly children: Child;
}

export const Card = ({ title, id, isStack, children }: CardProps) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {isStack ? <div class="stack">{children}</div> : children}
  </section>
);
