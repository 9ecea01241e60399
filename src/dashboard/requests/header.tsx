/** What the pages of the request log begin with. */
import type { Mode } from '../../keys/key.ts';
import { Tabs } from '../../ui/filter-bar.tsx';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { failuresPath, requestsPath } from './paths.ts';

export interface RequestTabsProps {
  readonly isFailures: boolean;
  /** The mode in the address. */
  readonly mode: string | undefined;
}

export const RequestTabs = ({ isFailures, mode }: RequestTabsProps): Markup => (
  <Tabs
    label="Views of the request log"
    tabs={[
      { label: 'Calls', href: requestsPath({ mode }), isCurrent: !isFailures },
      { label: 'Failures by cause', href: failuresPath(mode), isCurrent: isFailures },
    ]}
  />
);

export const RequestsHeader = ({ mode }: { mode: Mode }): Markup => (
  <PageHeader
    title="Requests"
    badge={mode === 'test' && <StateBadge state="test" />}
    lead="What your server asked with your API keys to verify and redeem claims, and what it was answered."
  />
);
