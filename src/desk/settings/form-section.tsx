import type { PropsWithChildren } from 'hono/jsx';

/** A group of related fields in a settings form. */
export const FormSection = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <section class="card">
    <h2>{title}</h2>
    <div class="form">{children}</div>
  </section>
);
