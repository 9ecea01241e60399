import { isolated } from '../text/text.ts';
import type { Markup } from './markup.ts';

/** Links to the pages above this one, topmost first. For `above` of `PageHeader`. */
export const Breadcrumb = ({
  trail,
}: {
  trail: readonly (readonly [label: string, href: string])[];
}): Markup => (
  <nav class="breadcrumb" aria-label="Breadcrumb">
    <ol>
      {trail.map(([label, href]) => (
        <li>
          <a href={href}>{isolated(label)}</a>
        </li>
      ))}
    </ol>
  </nav>
);
