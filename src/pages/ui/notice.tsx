import type { Child } from 'hono/jsx';
import { t } from '../../platform/languages/translate.ts';
import { ButtonLink } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export type NoticeTone = 'plain' | 'good' | 'warn' | 'bad';

export interface NoticeProps {
  readonly tone?: NoticeTone | undefined;
  readonly title?: Child | undefined;
  readonly children?: Child | undefined;
  readonly actions?: Child | undefined;
}

const ICONS: Readonly<Record<NoticeTone, IconName>> = {
  plain: 'info',
  good: 'check',
  warn: 'warning',
  bad: 'warning',
};

export const Notice = ({ tone = 'plain', title, children, actions }: NoticeProps) => (
  <div class={tone === 'plain' ? 'notice' : `notice ${tone}`}>
    <Icon name={ICONS[tone]} />
    <div>
      {title && <h2>{title}</h2>}
      {children && <div>{children}</div>}
      {actions && <div class="row">{actions}</div>}
    </div>
  </div>
);

interface EmptyStateProps {
  readonly sentence: Child;
  readonly action?: Child | undefined;
  readonly link?: readonly [label: string, href: string] | false | undefined;
  readonly example?: Child | undefined;
}

export const EmptyState = ({ sentence, action, link, example }: EmptyStateProps) => (
  <div class="empty">
    <p>{sentence}</p>
    {action}
    {link && (
      <ButtonLink href={link[1]} tone="primary">
        {link[0]}
      </ButtonLink>
    )}
    {example && (
      <div class="example">
        <p class="example-label">{t('Example')}</p>
        {example}
      </div>
    )}
  </div>
);
