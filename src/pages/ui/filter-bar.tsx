/** Tabs and filters for lists. The URL contains their complete state, so that a view can be bookmarked and shared. */

import type { Child } from 'hono/jsx';
import { t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { Button, ButtonLink } from './button.tsx';
import { type Choice, HiddenField, SelectField, TextField } from './field.tsx';
import { FormActions } from './form.tsx';
import { newForm } from './form-state.ts';

export interface Tab {
  readonly label: Words;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly count?: string | undefined;
  /** The label is a name that browsers must not translate, such as a campaign label. */
  readonly isVerbatim?: boolean | undefined;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** On a phone, the tabs stay in one row, which scrolls. */
  readonly scrolls?: boolean | undefined;
}

export const Tabs = ({ label, tabs, scrolls }: TabsProps) => (
  <nav class={scrolls ? 'tabs scrolls' : 'tabs'} aria-label={label}>
    {tabs.map((tab) => (
      <a
        href={tab.href}
        aria-current={tab.isCurrent ? 'page' : undefined}
        translate={tab.isVerbatim ? 'no' : undefined}
      >
        {wordsOf(tab.label)}
        {tab.count && <span class="count">{tab.count}</span>}
      </a>
    ))}
  </nav>
);

export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** If set, the filter is a select; otherwise, it is a text field. */
  readonly choices?: readonly Choice[] | undefined;
  /** `date` and `datetime-local` values are in the marketplace's time zone. */
  readonly type?: 'search' | 'date' | 'datetime-local' | undefined;
  readonly placeholder?: string | undefined;
  readonly problem?: string | null | undefined;
  /** Moves a rarely used filter to "More filters", which is collapsed unless one of its filters is set. */
  readonly isMore?: boolean | undefined;
}

/** `all`: label of the choice that disables the filter. */
export const choicesOf = (all: Words, names: Readonly<Record<string, Words>>): readonly Choice[] =>
  Object.entries({ '': all, ...names }).map(([value, label]) => ({ value, label }));

export interface FilterBarProps {
  readonly action: string;
  readonly filters: readonly Filter[];
  /** ID of the `Results` to update; `null`: on another page. Without JavaScript, the browser loads the page. */
  readonly results: string | null;
  readonly hidden?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether any filter is set. If so, a link clears all filters. */
  readonly isFiltered: boolean;
}

/** Maximum number of filters that a phone shows without collapsing them. More would fill the screen. */
const MAX_UNFOLDED = 3;

/** Collapses the filters on a phone unless a filter is set. Wider screens always show them. */
function Folded(props: { isFolded: boolean; isOpen: boolean; children: Child }) {
  if (!props.isFolded) return <>{props.children}</>;
  return (
    <details class="more fold" open={props.isOpen}>
      <summary>{t('Filters')}</summary>
      <div class="filters many">{props.children}</div>
    </details>
  );
}

export const FilterBar = (props: FilterBarProps) => (
  <search>
    <form
      class={props.filters.length > MAX_UNFOLDED ? undefined : 'filters'}
      method="get"
      action={props.action}
      {...(props.results === null ? {} : updating(props.action, props.results))}
    >
      {Object.entries(props.hidden ?? {}).map(
        ([name, value]) => value !== undefined && <HiddenField name={name} value={value} />,
      )}
      <Folded isFolded={props.filters.length > MAX_UNFOLDED} isOpen={props.isFiltered}>
        <Fields filters={props.filters.filter(({ isMore }) => !isMore)} />
        <FilterActions {...props} />
        <MoreFilters filters={props.filters.filter(({ isMore }) => isMore)} />
      </Folded>
    </form>
  </search>
);

const updating = (action: string, results: string) => ({
  'hx-get': action,
  'hx-trigger': 'change, submit',
  'hx-target': `#${results}`,
  'hx-select': `#${results}`,
  'hx-swap': 'outerHTML',
  'hx-push-url': 'true',
  'hx-sync': 'this:replace',
});

function MoreFilters({ filters }: { filters: readonly Filter[] }) {
  if (filters.length === 0) return null;
  return (
    <details class="more" open={filters.some(({ value, problem }) => value !== '' || problem)}>
      <summary>{t('More filters')}</summary>
      <div class="filters">
        <Fields filters={filters} />
      </div>
    </details>
  );
}

const Fields = ({ filters }: { filters: readonly Filter[] }) => (
  <>
    {groupsOf(filters).map((group) =>
      group.length > 1 ? <div class="period">{group.map(FilterField)}</div> : group.map(FilterField),
    )}
  </>
);

const isTime = ({ type }: Filter): boolean => type === 'date' || type === 'datetime-local';

function groupsOf(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  const groups: Filter[][] = [];
  for (const filter of filters) {
    const last = groups.at(-1);
    if (isTime(filter) && last?.length === 1 && isTime(last[0]!)) last.push(filter);
    else groups.push([filter]);
  }
  return groups;
}

export function FilterField({ name, label, value, choices, type = 'search', placeholder, problem }: Filter) {
  const form = newForm({ [name]: value });
  if (problem) form.refuse(name, problem);
  const autofocus = problem ? true : undefined;
  const field = { form, name, label, idPrefix: 'filter', optional: 'depends', autofocus } as const;
  if (choices !== undefined) return <SelectField {...field} choices={choices} />;
  return <TextField {...field} type={type} placeholder={placeholder} />;
}

/** A single select needs no button, because a change applies immediately. Browsers without JavaScript show a button. */
function FilterActions({ filters, isFiltered, action }: FilterBarProps) {
  const isOneChoice = filters.length === 1 && filters[0]?.choices !== undefined;
  const clear = isFiltered && (
    <ButtonLink href={action} tone="quiet">
      {t('Clear')}
    </ButtonLink>
  );
  if (!isOneChoice) {
    return (
      <FormActions>
        <Button>{filters.every(isText) ? t('Search') : t('Filter')}</Button>
        {clear}
      </FormActions>
    );
  }
  return (
    <>
      <noscript>
        <FormActions>
          <Button>{t('Show')}</Button>
        </FormActions>
      </noscript>
      {clear}
    </>
  );
}

const isText = (filter: Filter): boolean => filter.choices === undefined && !isTime(filter);

export const Results = ({ id, children }: { id: string; children: Child }) => (
  <section id={id} aria-label={t('Results')} aria-live="polite">
    {children}
  </section>
);
