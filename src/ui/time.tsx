/** Times and numbers as people read them. */
import type { Markup } from './markup.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export type TimePrecision = 'day' | 'minute' | 'second';

/**
 * A moment, from an ISO 8601 time in UTC. The text is UTC; the script turns it into the viewer's zone and leaves UTC
 * for the pointer. `day`: a calendar day, which has no zone.
 */
export const Time = ({ at, precision = 'minute' }: { at: string; precision?: TimePrecision }): Markup => (
  <time datetime={precision === 'day' ? at.slice(0, 10) : at} data-precision={precision}>
    {utcText(at, precision)}
  </time>
);

/** `20 Nov 2026, 10:00 UTC`, from an ISO 8601 time in UTC. */
export function utcText(at: string, precision: TimePrecision = 'minute'): string {
  const day = `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)}`;
  if (precision === 'day') return day;
  return `${day}, ${at.slice(11, precision === 'second' ? 19 : 16)} UTC`;
}

const WHOLE = new Intl.NumberFormat('en');
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const numberText = (value: number | bigint): string => WHOLE.format(value);

/** `12,345`, its digits in columns. */
export const Num = ({ value }: { value: number | bigint }): Markup => (
  <span class="num">{numberText(value)}</span>
);

/** `12.5%` of a whole; a dash where the whole is nothing. */
export const percentText = (part: number, whole: number): string =>
  whole === 0 ? '–' : PERCENT.format(part / whole);
