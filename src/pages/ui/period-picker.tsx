import { pathWithQuery } from '../../base/paths.ts';
import { t, type Words } from '../../platform/languages/translate.ts';
import { FilterBar, Tabs } from './filter-bar.tsx';

interface PeriodPickerProps {
  /** Labels by range. The range `custom` shows two date fields. */
  readonly names: Readonly<Record<string, Words>>;
  readonly range: {
    readonly name: string;
    readonly from: string;
    readonly to: string;
    readonly problem: string | null;
    readonly span: { readonly from: string; readonly to: string };
  };
  readonly action: string;
  readonly results: string;
  readonly hidden?: Readonly<Record<string, string>>;
}

export const PeriodPicker = ({ names, range, action, results, hidden = {} }: PeriodPickerProps) => (
  <div>
    <Tabs
      label={t('Period')}
      tabs={Object.entries(names).map(([name, label]) => ({
        label,
        href: pathWithQuery(action, { ...hidden, range: name, ...(name === 'custom' && range.span) }),
        isCurrent: range.name === name,
      }))}
    />
    {range.name === 'custom' && (
      <FilterBar
        action={action}
        results={results}
        isFiltered={false}
        hidden={{ ...hidden, range: 'custom' }}
        filters={[
          { name: 'from', label: t('From'), type: 'date', value: range.from, problem: range.problem },
          { name: 'to', label: t('To'), type: 'date', value: range.to },
        ]}
      />
    )}
  </div>
);
