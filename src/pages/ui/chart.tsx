import { currentLanguage } from '../../platform/languages/language.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { More } from './code.tsx';
import { Table } from './table.tsx';
import { numberText } from './time.tsx';

export type ChartUnit = 'day' | 'week' | 'month';

interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

interface Series extends Line {
  /** Formats a number with its unit, such as `2 claims`. */
  readonly amount: (count: number) => string;
}

export interface ChartProps {
  readonly title: string;
  readonly unit?: ChartUnit | undefined;
  /** The day or month of each point; for weeks, the first day of the week. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** If `false` (the default), the last values are shown as text: an incomplete day would make the line drop. */
  readonly isOver?: boolean | undefined;
}

/** Size in SVG units. CSS stretches the drawing to the width of the page. */
const WIDTH = 600;
const HEIGHT = 200;

const HEADERS: Readonly<Record<ChartUnit, Message>> = {
  day: message('Day'),
  week: message('Week from'),
  month: message('Month'),
};

/** The axis labels are outside the SVG, because stretching the SVG would distort them. */
export function Chart({ title, unit = 'day', days, series, isOver = false }: ChartProps) {
  const past = isOver ? days : days.slice(0, -1);
  const drawn = series.map((one) => ({ ...one, values: one.values.slice(0, past.length) }));
  const most = Math.max(0, ...drawn.flatMap(({ values }) => values));
  const top = niceTop(Math.max(2, most));
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
      {most > 0 && (
        <>
          {/* Time runs from left to right in every language. */}
          <div class="chart-plot" dir="ltr" data-before-day={unit === 'week' ? t('Week from') : undefined}>
            <div class="chart-y" aria-hidden="true">
              {[top, top / 2, 0].map((value) => (
                <span>{shortNumber(value)}</span>
              ))}
            </div>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${title}: ${drawn.map((one) => summary(unit, past, one)).join('; ')}`}
            >
              {[0, 0.5, 1].map((share) => (
                <line class="grid" x1="0" x2={WIDTH} y1={share * HEIGHT} y2={share * HEIGHT} />
              ))}
              <Lines series={drawn} top={top} />
            </svg>
          </div>
          <div class="chart-x" dir="ltr" aria-hidden="true">
            {[...new Set([0, Math.floor((past.length - 1) / 2), past.length - 1])].map((index) => (
              <span>{past[index]}</span>
            ))}
          </div>
        </>
      )}
      {!isOver && (
        <p class="hint">
          {t('{day} so far: {amounts}.', {
            day: days.at(-1) ?? '',
            amounts: series.map(({ values, amount }) => amount(values.at(-1) ?? 0)).join(', '),
          })}
        </p>
      )}
      <More summary={t('Show as a table')}>
        <Table
          caption={title}
          isLong
          columns={[
            { header: t(HEADERS[unit]), cell: ({ day }) => day, isName: true },
            ...series.map(({ name, values }) => ({
              header: name,
              cell: (row: { index: number }) => numberText(values[row.index] ?? 0),
              isNumeric: true,
              isHalf: true,
            })),
          ]}
          rows={days.map((day, index) => ({ day, index }))}
        />
      </More>
    </figure>
  );
}

/** The days that a curve in a list covers. */
export const CURVE_DAYS = 30;

interface CurveProps extends Line {
  readonly days: readonly string[];
}

/** A small chart, for lists. It leaves out the last day, because it is not over. Nothing if all values are zero. */
export function Curve({ name, days, values }: CurveProps) {
  const past = { name, values: values.slice(0, -1) };
  const most = Math.max(0, ...past.values);
  if (most === 0) return null;
  return (
    <svg
      class="chart curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary('day', days, past)}
    >
      <Lines series={[past]} top={most} />
    </svg>
  );
}

function Lines({ series, top }: { series: readonly Line[]; top: number }) {
  const lines = series.map(({ values }) => {
    const step = values.length > 1 ? WIDTH / (values.length - 1) : 0;
    return values
      .map((value, index) => `${round(index * step)} ${round(HEIGHT - (value / top) * HEIGHT)}`)
      .join('L');
  });
  return (
    <>
      <path class="area" d={`M0 ${HEIGHT}L${lines[0]}L${WIDTH} ${HEIGHT}z`} />
      {lines.map((points, index) => (
        <path class={`line-${index + 1}`} d={`M${points}`} />
      ))}
    </>
  );
}

const PEAKS: Readonly<Record<ChartUnit, Message>> = {
  day: message('{name}: {sum}, most ({peak}) on {day}'),
  week: message('{name}: {sum}, most ({peak}) in the week from {day}'),
  month: message('{name}: {sum}, most ({peak}) in {day}'),
};

function summary(unit: ChartUnit, days: readonly string[], { name, values }: Line): string {
  const most = values.indexOf(Math.max(...values));
  const total = values.reduce((sum, value) => sum + value, 0);
  const sum = numberText(total);
  if (total === 0) return t('{name}: {sum}', { name, sum });
  return t(PEAKS[unit], { name, sum, peak: numberText(values[most]!), day: days[most] ?? '' });
}

/** The top of the y-axis: `value` rounded up to 2, 4, 6, 8, 10, 20, 40, 60 …, so that half of the top is an integer. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value / 2));
  return [2, 4, 6, 8, 10, 20].map((step) => step * power).find((step) => step >= value)!;
}

const shortNumber = (value: number): string =>
  new Intl.NumberFormat(currentLanguage().code, {
    notation: value >= 10_000 ? 'compact' : 'standard',
  }).format(value);

const round = (value: number): number => Math.round(value * 100) / 100;
