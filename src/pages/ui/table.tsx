/** Tables that become lists of cards if there is too little space. */

import type { Child } from 'hono/jsx';
import { t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { ButtonLink } from './button.tsx';
import { Icon } from './icon.tsx';
import { tokenList } from './markup.ts';

export interface Column<Row> {
  readonly header: Words;
  readonly cell: (row: Row) => Child;
  /** The cell is the header of its row, and has no label on a card. */
  readonly isName?: boolean | undefined;
  readonly isNumeric?: boolean | undefined;
  readonly isActions?: boolean | undefined;
  readonly isNowrap?: boolean | undefined;
  /** On a card, shows the value without a label. */
  readonly isPlain?: boolean | undefined;
  /** On phones, shows a value and its details on the same line. */
  readonly isLine?: boolean | undefined;
  /** On phones, the cell takes half a line of the card. */
  readonly isHalf?: boolean | undefined;
  /** On phones, the cell takes the second half of a line, and its value is aligned to the end. */
  readonly isFar?: boolean | undefined;
}

export const NameCell = (props: { href: string; name: string; sub: string }) => (
  <>
    <a href={props.href}>{isolated(props.name)}</a>
    <span class="sub">{isolated(props.sub)}</span>
  </>
);

interface TableProps<Row> {
  /** For screen readers only: on the screen, a heading describes the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly pager?: Child | undefined;
  /** Makes the table scrollable by keyboard. For tables whose height is limited by styles. */
  readonly isLong?: boolean | undefined;
}

/** A table with at least this many columns is too wide for a narrow window. */
const SEVERAL_COLUMNS = 5;
/** A table with at least this many columns is too wide for a phone. */
const SOME_COLUMNS = 4;
/** Width of a numeric column relative to other columns. */
const NUMERIC_WIDTH = 0.5;

/** `rows` must not be empty. Browsers drop implicit table roles when styles change `display`. */
export function Table<Row>({ caption, columns, rows, pager, isLong }: TableProps<Row>) {
  const scrolling = isLong ? ({ role: 'region', tabindex: 0, 'aria-label': caption } as const) : undefined;
  return (
    <div>
      <div class={boxClass(columns)} {...scrolling}>
        {/* biome-ignore-start lint/a11y/noRedundantRoles: tables shown as cards lose their implicit roles */}
        <table class="table" role="table">
          <caption class="visually-hidden">{caption}</caption>
          <TableHead
            cells={columns.map((column) => {
              const words = wordsOf(column.header);
              const content = column.isActions ? <span class="visually-hidden">{words}</span> : words;
              return { content, class: cellClass(column) };
            })}
          />
          <tbody role="rowgroup">
            {rows.map((row) => (
              <tr role="row">
                {columns.map((column) =>
                  column.isName ? (
                    <th scope="row" role="rowheader" class={cellClass(column)}>
                      {isolated(column.cell(row))}
                    </th>
                  ) : (
                    <td
                      role="cell"
                      class={cellClass(column)}
                      data-label={column.isActions || column.isPlain ? undefined : wordsOf(column.header)}
                    >
                      <div>{isolated(column.cell(row))}</div>
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      </div>
      {pager}
    </div>
  );
}

interface TableHeadProps {
  readonly cells: readonly { readonly content: Child; readonly class: string | undefined }[];
}

export const TableHead = ({ cells }: TableHeadProps) => (
  // biome-ignore-start lint/a11y/noRedundantRoles: see `Table`
  <thead role="rowgroup">
    <tr role="row">
      {cells.map((cell) => (
        <th scope="col" role="columnheader" class={cell.class}>
          {cell.content}
        </th>
      ))}
    </tr>
  </thead>
  // biome-ignore-end lint/a11y/noRedundantRoles: see `Table`
);

export const TableSection = <Row,>(
  props: Omit<TableProps<Row>, 'caption'> & {
    title: string;
    action?: Child;
    empty: string;
    id?: string | undefined;
  },
) => (
  <section class="section" id={props.id}>
    {props.action ? (
      <div class="spread">
        <h2>{props.title}</h2>
        {props.action}
      </div>
    ) : (
      <h2>{props.title}</h2>
    )}
    {props.rows.length === 0 ? (
      <p class="soft-text">{props.empty}</p>
    ) : (
      <Table {...props} caption={props.title} />
    )}
  </section>
);

function boxClass<Row>(columns: readonly Column<Row>[]): string {
  const width = columns.reduce((sum, { isNumeric }) => sum + (isNumeric ? NUMERIC_WIDTH : 1), 0);
  if (columns.length >= SEVERAL_COLUMNS && width >= SOME_COLUMNS) return 'table-box several';
  return width > SOME_COLUMNS - 1 ? 'table-box some' : 'table-box';
}

function cellClass<Row>(column: Column<Row>): string | undefined {
  const { isNumeric, isActions, isNowrap, isLine, isHalf, isFar } = column;
  if (isActions) return 'end';
  const kind = isNumeric ? 'numeric' : isNowrap && 'keep';
  return tokenList(kind, isLine && 'line', (isHalf || isFar) && 'half', isFar && 'far');
}

interface PagerProps {
  /** Path of the previous page; `null` on the first page. */
  readonly previous: string | null;
  readonly next: string | null;
  readonly summary?: Child | undefined;
}

/** Links only to the adjacent pages, because keyset pagination has no page numbers. */
export function Pager({ previous, next, summary }: PagerProps) {
  if (previous === null && next === null && !summary) return null;
  return (
    <nav class="pager" aria-label={t('Pages')}>
      {summary && <p>{summary}</p>}
      {(previous !== null || next !== null) && (
        <div>
          {previous !== null && (
            <ButtonLink href={previous} small>
              <Icon name="previous" />
              {t('Previous')}
            </ButtonLink>
          )}
          {next !== null && (
            <ButtonLink href={next} small>
              {t('Next')}
              <Icon name="next" />
            </ButtonLink>
          )}
        </div>
      )}
    </nav>
  );
}
