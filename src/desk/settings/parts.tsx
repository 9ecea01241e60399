import type { PropsWithChildren } from 'hono/jsx';
import { BRAND_FIELDS, type Brand, DEFAULT_BRAND } from '../../brand/brand.ts';
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
  readonly fields: readonly (keyof Brand)[];
  /** The brand from the environment and defaults. */
  readonly first: Brand;
  readonly brand: Brand;
}

/** The values of `fields` that the environment sets. */
export const FromEnvironment = ({ fields, first, brand }: FromEnvironmentProps) => {
  const set = fields.filter((field) => first[field] !== DEFAULT_BRAND[field]);
  if (set.length === 0) return null;
  return (
    <aside class="stack form">
      <section class="card" aria-labelledby="environment">
        <h2 id="environment">Set in the environment</h2>
        <DefinitionList
          facts={set.map((field) => {
            const [label, setting] = BRAND_FIELDS[field];
            return [
              label,
              <>
                {textOf(first[field])}
                {field !== 'contact' && first[field] !== brand[field] && ', replaced by the value saved here'}
                <Variables names={[setting]} />
                {field === 'contact' && <p class="hint">{CONTACT_NOTE}</p>}
              </>,
            ];
          })}
        />
      </section>
    </aside>
  );
};

const textOf = (value: Brand[keyof Brand]) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : value?.replace(/^mailto:/, '');

const CONTACT_NOTE =
  'People who find a vulnerability write to it. It is also the contact on pages and in emails until you save one here.';
