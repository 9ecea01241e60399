/** Times and numbers, formatted for people. */
import { type TimePrecision, utcText } from '../time-text.ts';
import type { Markup } from './markup.ts';

/**
 * A time, from ISO 8601 in UTC. The text is in UTC; the script converts it to the viewer's zone and shows UTC on hover.
 * `day`: a calendar day, which has no zone.
 */
export const Time = ({ at, precision = 'minute' }: { at: string; precision?: TimePrecision }): Markup => (
  <time datetime={precision === 'day' ? at.slice(0, 10) : at} data-precision={precision}>
    {unbroken(utcText(at, precision))}
  </time>
);

/** A date and a time of day that break only between the two. The script writes them the same way. */
const unbroken = (text: string): string => text.replaceAll(/ (?!\d+:)/g, '\u00a0');

const WHOLE = new Intl.NumberFormat('en');
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const numberText = (value: number | bigint): string => WHOLE.format(value);

/** `12,345`, with tabular digits. */
export const Num = ({ value }: { value: number | bigint }): Markup => (
  <span class="num">{numberText(value)}</span>
);

/** `12.5%` of a whole; a dash where the whole is zero. */
export const percentText = (part: number, whole: number): string =>
  whole === 0 ? '–' : PERCENT.format(part / whole);
