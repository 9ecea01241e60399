import type { PropsWithChildren } from 'hono/jsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Tabs } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import {
  BRAND_PATH,
  FRONT_PAGE_PATH,
  GENERAL_PATH,
  PEOPLE_PATH,
  PLANS_PATH,
  RETENTION_PATH,
} from '../paths.ts';

const SECTIONS = [
  ['Brand', BRAND_PATH],
  ['Legal and language', GENERAL_PATH],
  ['Front page', FRONT_PAGE_PATH],
  ['People and claims', PEOPLE_PATH],
  ['Plans', PLANS_PATH],
  ['Retention', RETENTION_PATH],
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

export const FormSection = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <section class="card">
    <h2>{title}</h2>
    <div class="form">{children}</div>
  </section>
);

export const Variables = ({ names }: { names: readonly string[] }) => (
  <p class="hint">
    {names.map((name, index) => (
      <>
        {index > 0 && ', '}
        <code>{name}</code>
      </>
    ))}
  </p>
);

interface FromEnvironmentProps {
  /** `value`: from the environment; `null` if it isn't set there. */
  readonly values: readonly (readonly [
    label: string,
    setting: string,
    value: string | null,
    current: string | null,
    note?: string,
  ])[];
}

export const FromEnvironment = (props: FromEnvironmentProps) => {
  const values = props.values.filter(([, , value]) => value !== null);
  if (values.length === 0) return null;
  return (
    <section class="card" aria-labelledby="environment">
      <h2 id="environment">Set in the environment</h2>
      <DefinitionList
        facts={values.map(([label, setting, value, current, note]) => [
          label,
          <>
            {value?.replace(/^mailto:/, '')}
            {note === undefined && value !== current && ', replaced by the value saved here'}
            <Variables names={[setting]} />
            {note !== undefined && <p class="hint">{note}</p>}
          </>,
        ])}
      />
    </section>
  );
};
