import type { PropsWithChildren } from 'hono/jsx';

/** Fields of a form of settings that belong together. */
export const FormSection = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <section class="card">
    <h2>{title}</h2>
    <div class="form">{children}</div>
  </section>
);
