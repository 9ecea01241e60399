import type { Child } from 'hono/jsx';
import { pathWithQuery } from '../../base/paths.ts';
import { Refusal } from '../../platform/errors.ts';
import { t, wordsOf } from '../../platform/languages/translate.ts';
import { ButtonLink } from './button.tsx';
import { type Filter, FilterBar, type FilterBarProps, Results } from './filter-bar.tsx';
import { EmptyState, Notice } from './notice.tsx';
import { type Column, Pager, Table } from './table.tsx';
import { Time } from './time.tsx';

type Texts<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>;
export type FilterProblems<Name extends string> = { readonly [N in Name]?: string };

export const filterTexts = <Name extends string>(
  names: readonly Name[],
  query: (name: Name) => string | undefined,
): Texts<Name> =>
  Object.fromEntries(names.map((name) => [name, query(name)?.trim() || undefined])) as Texts<Name>;

/** `together`: the filter that shows the problem if each filter is valid but the combination is not. */
export function filterProblems<Name extends string>(
  texts: Texts<Name>,
  together: NoInfer<Name>,
  parse: (texts: Texts<Name>) => unknown,
): FilterProblems<Name> {
  const problems: Partial<Record<Name, string>> = {};
  const check = (name: Name, checked: Texts<Name>) => {
    try {
      parse(checked);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems[name] = wordsOf(error.sentence);
    }
  };
  for (const name of Object.keys(texts) as Name[]) check(name, { [name]: texts[name] } as Texts<Name>);
  if (Object.keys(problems).length === 0) check(together, texts);
  return problems;
}

export const filterFields =
  <Name extends string>(texts: Texts<Name>, problems: FilterProblems<Name> = {}) =>
  (name: Name, label: string, rest: Partial<Filter> = {}): Filter => ({
    name,
    label,
    value: texts[name] ?? '',
    problem: problems[name],
    ...rest,
  });

export const InvalidFilters = ({ problems }: { problems: FilterProblems<string> }) => (
  <Notice tone="bad" title={t('The search was not run')}>
    <ul>
      {Object.values(problems).map((problem) => (
        <li>{problem}</li>
      ))}
    </ul>
  </Notice>
);

interface RowWords {
  readonly caption: string;
  readonly none: string;
  /** Formats a count with the noun, such as `2 claims`. */
  readonly amount: (count: number) => string;
}

interface SearchedListProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly words: RowWords;
  /** Cursor of the next page; `null` on the last page. */
  readonly next: string | null;
  /** Whether the search stopped at the scan limit. More rows may match, even if the page isn't full. */
  readonly isPartial?: boolean;
  /** Time of the last scanned row if the search stopped at the scan limit. For lists ordered by time. */
  readonly searchedUntil?: string | null;
  readonly isFirst: boolean;
  readonly pathOf: (after?: string) => string;
  /** Number of matching rows; `null`: not counted. */
  readonly total?: number | null;
  readonly unfiltered: string;
  /** Replaces the sentence that says which part of the list is shown. */
  readonly lead?: Child;
  readonly actions?: Child;
  readonly children?: Child;
}

export function SearchedList<Row>(props: SearchedListProps<Row>) {
  const { rows, columns, words, next, searchedUntil = null, isFirst, pathOf } = props;
  const isPartial = props.isPartial ?? searchedUntil !== null;
  const newest = isFirst ? null : <a href={pathOf()}>{t('Back to the newest')}</a>;
  const nextPath = next === null ? null : pathOf(next);
  return (
    <div class="stack">
      <div class="spread">
        <p class="soft-text">{props.lead ?? shownText(props)}</p>
        <div class="row">{props.actions}</div>
      </div>
      {props.children}
      {rows.length > 0 && (
        <Table
          caption={words.caption}
          rows={rows}
          columns={columns}
          pager={!isPartial && <Pager previous={null} next={nextPath} summary={newest} />}
        />
      )}
      {rows.length === 0 && !isPartial && (
        <EmptyState
          sentence={words.none}
          action={newest ?? <ButtonLink href={props.unfiltered}>{t('Clear the filters')}</ButtonLink>}
        />
      )}
      {isPartial && (
        <Notice
          title={rows.length === 0 ? t('No match so far') : t('There may be more')}
          actions={
            <ButtonLink href={nextPath!} small>
              {t('Look further back')}
            </ButtonLink>
          }
        >
          {searchedUntil !== null && (
            <>
              {t('Everything since {time} was searched.', {
                time: <Time at={searchedUntil} precision="second" />,
              })}{' '}
            </>
          )}
          {newest}
        </Notice>
      )}
    </div>
  );
}

type FilteredListProps<Row> = Omit<SearchedListProps<Row>, 'pathOf' | 'unfiltered'> &
  Pick<FilterBarProps, 'action' | 'filters'> & {
    readonly results: string;
    readonly instead?: Child;
  };

export function FilteredList<Row>({ action, filters, results, instead, ...list }: FilteredListProps<Row>) {
  const values = Object.fromEntries(filters.map(({ name, value }) => [name, value]));
  const pathOf = (after?: string) => pathWithQuery(action, { ...values, after });
  return (
    <>
      <FilterBar {...{ action, filters, results }} isFiltered={filters.some(({ value }) => value !== '')} />
      <Results id={results}>
        {instead || <SearchedList {...list} pathOf={pathOf} unfiltered={action} />}
      </Results>
    </>
  );
}

function shownText<Row>(props: SearchedListProps<Row>): string | null {
  const { rows, words, next, isFirst, total = null } = props;
  if (rows.length === 0) return null;
  const amount = words.amount(rows.length);
  if (next === null) {
    return isFirst
      ? t('{amount}, newest first', { amount })
      : t('The last {amount} of the list, newest first', { amount });
  }
  if (total === null)
    return isFirst ? t('The newest {amount}', { amount }) : t('The next {amount}', { amount });
  const counts = { count: rows.length, amount: words.amount(total) };
  return isFirst
    ? t('The newest {count, number} of {amount}', counts)
    : t('The next {count, number} of {amount}', counts);
}
