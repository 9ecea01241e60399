import { type Message, message, t } from '../../platform/languages/translate.ts';
import { Chart, type ChartProps, type ChartUnit } from './chart.tsx';

const SERIES = {
  visits: [message('Visits'), message('{count, plural, one {# visit} other {# visits}}')],
  visitors: [message('Visitors'), message('{count, plural, one {# visitor} other {# visitors}}')],
  claims: [message('Claims'), message('{count, plural, one {# claim} other {# claims}}')],
  redeemed: [message('Redeemed'), message('{count, number} redeemed')],
} as const;

export const VISITS_BY: Readonly<Record<ChartUnit, Message>> = {
  day: message('Visits by day'),
  week: message('Visits by week'),
  month: message('Visits by month'),
};

export const CLAIMS_BY: Readonly<Record<ChartUnit, Message>> = {
  day: message('Claims by day'),
  week: message('Claims by week'),
  month: message('Claims by month'),
};

interface CountChartProps extends Pick<ChartProps, 'title' | 'unit' | 'days' | 'isOver'> {
  readonly counted: readonly (keyof typeof SERIES)[];
  readonly counts: Readonly<Record<keyof typeof SERIES, readonly number[]>>;
}

export const CountChart = ({ counted, counts, ...chart }: CountChartProps) => (
  <Chart
    {...chart}
    series={counted.map((name) => ({
      name: t(SERIES[name][0]),
      values: counts[name],
      amount: (count) => t(SERIES[name][1], { count }),
    }))}
  />
);
