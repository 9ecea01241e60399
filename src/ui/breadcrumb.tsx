import type { Markup } from './markup.ts';

/** The way back up: every page above this one, the farthest first. Goes into `PageHeader`'s `above`. */
export const Breadcrumb = ({
  trail,
}: {
  trail: readonly (readonly [label: string, href: string])[];
}): Markup => (
  <nav class="breadcrumb" aria-label="Breadcrumb">
    <ol>
      {trail.map(([label, href]) => (
        <li>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ol>
  </nav>
);
