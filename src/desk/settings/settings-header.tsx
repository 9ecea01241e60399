/** The header of every page of settings, with links to the other pages of settings. */
import { Tabs } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BRAND_PATH, FRONT_PAGE_PATH, PEOPLE_PATH, PLANS_PATH, RETENTION_PATH } from '../paths.ts';

const SECTIONS = [
  ['Brand', BRAND_PATH],
  ['Front page', FRONT_PAGE_PATH],
  ['People and claims', PEOPLE_PATH],
  ['Plans', PLANS_PATH],
  ['How long data is kept', RETENTION_PATH],
] as const;

export const SettingsHeader = ({ path, lead }: { path: string; lead: string }) => (
  <>
    <PageHeader title="Settings" lead={lead} />
    <Tabs
      label="Settings"
      tabs={SECTIONS.map(([label, href]) => ({ label, href, isCurrent: href === path }))}
    />
  </>
);
