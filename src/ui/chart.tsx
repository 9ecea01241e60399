/** Charts of numbers over time, each with the same numbers as a table. */
import { More } from './code.tsx';
import type { Markup } from './markup.ts';
import { Table } from './table.tsx';
import { numberText } from './time.tsx';

export interface Series {
  readonly name: string;
  /** One value for each label. */
  readonly values: readonly number[];
}

export interface ChartProps {
  readonly title: string;
  /** `bar` for counts of a few days, `line` for many. */
  readonly kind: 'bar' | 'line';
  /** Header of the column of labels: `Day`. */
  readonly unit: string;
  /** Labels of the horizontal axis. */
  readonly labels: readonly string[];
  /** One or two. */
  readonly series: readonly [Series] | readonly [Series, Series];
  /** The last period is not over yet: it is written in words, since its point would make the line drop. */
  readonly isLastOpen?: boolean | undefined;
}

/** In units of the drawing; styles stretch it to the page. */
const WIDTH = 600;
const HEIGHT = 200;
/** Share of a column that its bars fill. */
const BAR_SHARE = 0.72;
/** With more labels only the first, middle and last are shown. */
const MAX_LABELS_SHOWN = 7;

/** The svg is stretched in one direction, so the texts of the axes are outside of it. */
export function Chart(props: ChartProps): Markup {
  const { title, unit, isLastOpen } = props;
  const drawn = isLastOpen ? withoutLast(props) : props;
  const { kind, labels, series } = drawn;
  // No drawing for a flat line: the sentence below says it better.
  const isDrawn = !isLastOpen || series.some(({ values }) => values.some((value) => value > 0));
  const top = niceTop(Math.max(1, ...series.flatMap(({ values }) => values)));
  const hasEach = kind === 'bar' && labels.length <= MAX_LABELS_SHOWN;
  const shown = hasEach ? labels.map((_, index) => index) : landmarks(labels.length);
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        {series.length > 1 && (
          <ul class="legend">
            {series.map(({ name }) => (
              <li>{name}</li>
            ))}
          </ul>
        )}
      </figcaption>
      {isDrawn && (
        <>
          <div class="chart-plot">
            <div class="chart-y" aria-hidden="true">
              {[top, top / 2, 0].map((value) => (
                <span>{shortNumber(value)}</span>
              ))}
            </div>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${title}: ${summary(drawn)}`}
            >
              {[0, 0.5, 1].map((share) => (
                <line class="grid" x1="0" x2={WIDTH} y1={share * HEIGHT} y2={share * HEIGHT} />
              ))}
              {kind === 'bar' ? <Bars {...drawn} top={top} /> : <Lines {...drawn} top={top} />}
            </svg>
          </div>
          <div class={hasEach ? 'chart-x each' : 'chart-x'} aria-hidden="true">
            {shown.map((index) => (
              <span>{labels[index]}</span>
            ))}
          </div>
        </>
      )}
      {isLastOpen && <p class="hint">{openText(props)}</p>}
      <More summary="Show as a table">
        <Table
          caption={title}
          isLong
          columns={[
            { header: unit, cell: (row) => row.label, isName: true },
            ...props.series.map(({ name, values }) => ({
              header: name,
              cell: (row: { index: number }) => numberText(values[row.index] ?? 0),
              isNumeric: true,
            })),
          ]}
          rows={props.labels.map((label, index) => ({ label, index }))}
        />
      </More>
    </figure>
  );
}

function withoutLast(props: ChartProps): ChartProps {
  const cut = ({ name, values }: Series): Series => ({ name, values: values.slice(0, -1) });
  const [first, second] = props.series;
  return {
    ...props,
    labels: props.labels.slice(0, -1),
    series: second === undefined ? [cut(first)] : [cut(first), cut(second)],
  };
}

/** `21 Nov so far: claims 3, redeemed 1.` */
const openText = ({ labels, series }: ChartProps): string =>
  `${labels.at(-1)} so far: ${series
    .map(({ name, values }) => `${name.toLowerCase()} ${numberText(values.at(-1) ?? 0)}`)
    .join(', ')}.`;

/** Indexes of the first, the middle and the last label. */
const landmarks = (count: number): readonly number[] =>
  count === 0 ? [] : [...new Set([0, Math.floor((count - 1) / 2), count - 1])];

function Bars({ labels, series, top }: ChartProps & { top: number }): Markup {
  const column = WIDTH / labels.length;
  const width = (column * BAR_SHARE) / series.length;
  const margin = (column * (1 - BAR_SHARE)) / 2;
  return (
    <>
      {series.flatMap(({ name, values }, which) =>
        labels.map((label, index) => {
          const value = values[index] ?? 0;
          const height = (value / top) * HEIGHT;
          return (
            <rect
              class={`bar-${which + 1}`}
              x={round(index * column + margin + which * width)}
              y={round(HEIGHT - height)}
              width={round(width)}
              height={round(height)}
            >
              <title>{`${label}: ${numberText(value)} ${name.toLowerCase()}`}</title>
            </rect>
          );
        }),
      )}
    </>
  );
}

function Lines({ labels, series, top }: ChartProps & { top: number }): Markup {
  const step = labels.length > 1 ? WIDTH / (labels.length - 1) : 0;
  const points = (values: readonly number[]) =>
    labels.map(
      (_, index) => `${round(index * step)} ${round(HEIGHT - ((values[index] ?? 0) / top) * HEIGHT)}`,
    );
  return (
    <>
      <path class="area" d={`M0 ${HEIGHT}L${points(series[0].values).join('L')}L${WIDTH} ${HEIGHT}z`} />
      {series.map(({ values }, which) => (
        <path class={`line-${which + 1}`} d={`M${points(values).join('L')}`} />
      ))}
    </>
  );
}

/** The chart in a sentence. */
const summary = ({ labels, series, unit }: ChartProps): string =>
  series
    .map(({ name, values }) => {
      const most = values.indexOf(Math.max(...values));
      const total = values.reduce((sum, value) => sum + value, 0);
      const peak = total === 0 ? '' : `, most (${numberText(values[most]!)}) on ${labels[most]}`;
      return `${numberText(total)} ${name.toLowerCase()} by ${unit.toLowerCase()}${peak}`;
    })
    .join('; ');

/** The top of the axis: one of 2, 4, 6, 8, 10, 20, 40, 60 …, at least `value`. Half of it is a whole number. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [2, 4, 6, 8, 10, 20].map((step) => step * power).find((step) => step >= value)!;
}

const shortNumber = (value: number): string =>
  new Intl.NumberFormat('en', { notation: value >= 10_000 ? 'compact' : 'standard' }).format(value);

const round = (value: number): number => Math.round(value * 100) / 100;

/** A share from 0 to 1 as a bar in a table cell, beside its number. */
export const ShareBar = ({ share }: { share: number }): Markup => (
  <svg class="bar-cell" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <rect width={round(Math.min(1, Math.max(0, share)) * 100)} height="1" />
  </svg>
);
