import type { Child } from 'hono/jsx';
import { t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';

interface PageHeaderProps {
  readonly title: Child;
  /** A string is shown in its own text direction. Elements are shown in the page's text direction. */
  readonly lead?: Child;
  readonly above?: Child;
  readonly face?: Child;
  readonly badge?: Child;
  readonly actions?: Child;
}

/** Contains the only `h1` of the page. */
export function PageHeader(props: PageHeaderProps) {
  return (
    <header class="page-header">
      {props.above}
      <div class="page-header-line">
        <div class="page-header-text">
          <div class="page-header-title">
            {props.face}
            <h1 dir="auto">{props.title}</h1>
            {props.badge}
          </div>
          {props.lead && (
            <p class="lead" dir={typeof props.lead === 'string' ? 'auto' : undefined}>
              {props.lead}
            </p>
          )}
        </div>
        {props.actions && <div class="page-header-actions">{props.actions}</div>}
      </div>
    </header>
  );
}

/** Links to the pages above this one, topmost first. For `above` of `PageHeader`. */
export const Breadcrumb = ({ trail }: { trail: readonly (readonly [label: Words, href: string])[] }) => (
  <nav class="breadcrumb" aria-label={t('Breadcrumb')}>
    <ol>
      {trail.map(([label, href]) => (
        <li>
          <a href={href}>{isolated(wordsOf(label))}</a>
        </li>
      ))}
    </ol>
  </nav>
);
