import { invalid, Refusal, tried } from '../../platform/errors.ts';
import { message, wordsOf } from '../../platform/languages/translate.ts';
import { quote } from '../../platform/text/text.ts';
import { DAY, parseIso } from '../../platform/text/time-text.ts';
import { type Period, periodOf } from '../../platform/text/time-zone.ts';

/** Three years. */
export const MAX_PERIOD_DAYS = 1_096;

const FIRST_DAY = '1970-01-01';
const LAST_DAY = '2999-12-31';

export const RANGES = {
  '7': message('7 days'),
  '30': message('30 days'),
  '90': message('90 days'),
  year: message('This year'),
  custom: message('Custom'),
} as const;

export type RangeName = keyof typeof RANGES;

export const DEFAULT_RANGE = '90' satisfies RangeName;

/** The first and the last day, both included, in the format `2026-11-20`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

const plain = (day: string) => Temporal.PlainDate.from(day);

/** `today`: in the marketplace's time zone. */
export function spanOf(range: Exclude<RangeName, 'custom'>, today: string): Span {
  if (range === 'year') return { from: `${today.slice(0, 4)}-01-01`, to: today };
  const from = plain(today).subtract({ days: Number(range) - 1 });
  return { from: from.toString(), to: today };
}

/** `to` defaults to `today`. Returns `null` if neither day is given. Throws `invalid_request`. */
export function wantedSpan(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): Span | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined) throw invalid(message('A last day (to) needs a first day (from).'));
  const span = { from: parseDay(from, 'first'), to: to === undefined ? today : parseDay(to, 'last') };
  if (span.from > span.to) {
    throw invalid(
      message('The first day must not be after the last day; found {from} and {to}.', {
        from: span.from,
        to: span.to,
      }),
    );
  }
  if (lengthOf(span) > MAX_PERIOD_DAYS) {
    throw invalid(
      message('A period can have at most {max, number} days; this one has {length, number}.', {
        max: MAX_PERIOD_DAYS,
        length: lengthOf(span),
      }),
    );
  }
  return span;
}

export interface ShownRange {
  readonly name: RangeName;
  readonly from: string;
  readonly to: string;
  /** Error message for invalid days; `null` if the days are valid. */
  readonly problem: string | null;
  readonly span: Span;
}

const RANGE_NAMES = Object.keys(RANGES) as readonly RangeName[];

/** If the days are invalid, sets `problem` and falls back to the `usual` range. */
export function readRange(
  query: Readonly<Record<'range' | 'from' | 'to', string | undefined>>,
  today: string,
  usual: Exclude<RangeName, 'custom'> = DEFAULT_RANGE,
): ShownRange {
  const name = RANGE_NAMES.find((range) => range === query.range) ?? usual;
  if (name !== 'custom') {
    const span = spanOf(name, today);
    return { name, ...span, span, problem: null };
  }
  const [from, to] = [query.from || undefined, query.to || undefined];
  const dates = { name, from: from ?? '', to: to ?? '' };
  const fallback = spanOf(usual, today);
  const span = tried(() => wantedSpan({ from, to }, today) ?? fallback);
  return span instanceof Refusal
    ? { ...dates, span: fallback, problem: wordsOf(span.sentence) }
    : { ...dates, ...span, span, problem: null };
}

function parseDay(text: string, which: 'first' | 'last'): string {
  if (DAY.test(text) && parseIso(text) !== null && text >= FIRST_DAY && text <= LAST_DAY) return text;
  throw invalid(
    message(
      'The {which, select, first {first} other {last}} day must be between {firstDay} and {lastDay}, in this format; found {text}.',
      { which, firstDay: FIRST_DAY, lastDay: LAST_DAY, text: quote(text) },
    ),
  );
}

const lengthOf = ({ from, to }: Span): number => plain(from).until(plain(to)).days + 1;

/** `before`: the preceding period with the same number of days. */
export function periodsOf(zone: string, span: Span): { readonly period: Period; readonly before: Period } {
  const dayBefore = plain(span.from).subtract({ days: 1 });
  const firstBefore = plain(span.from).subtract({ days: lengthOf(span) });
  return {
    period: periodOf(zone, span.from, span.to),
    before: periodOf(zone, firstBefore.toString(), dayBefore.toString()),
  };
}

/** Days or months from `first` to `last`, inclusive. */
interface Part {
  readonly unit: 'day' | 'month';
  readonly first: string;
  readonly last: string;
  /** Whether to subtract the counts of these days, because another part has the whole month. */
  readonly isExcluded: boolean;
}

/**
 * The span as months and days. For an incomplete month, there are two ways: its days in the span, or the whole month
 * without its other days. The way with fewer days is chosen, because a label has a row per day.
 */
export function partsOf(from: string, to: string): readonly Part[] {
  const [first, last] = [plain(from), plain(to)];
  const isOneMonth = monthOf(first) === monthOf(last);
  const daysOfFirst = (isOneMonth ? last.day : first.daysInMonth) - first.day + 1;
  const daysOfLast = isOneMonth ? daysOfFirst : last.day;
  const [hasFirst, hasLast] = [daysOfFirst * 2 > first.daysInMonth, daysOfLast * 2 > last.daysInMonth];
  if (isOneMonth && !hasFirst) return [daysPart(first, last)];
  const startOfFirst = first.with({ day: 1 });
  const endOfFirst = first.with({ day: first.daysInMonth });
  const startOfLast = last.with({ day: 1 });
  const endOfLast = last.with({ day: last.daysInMonth });
  const parts: Part[] = [
    hasFirst ? daysPart(startOfFirst, first.subtract({ days: 1 }), true) : daysPart(first, endOfFirst),
    {
      unit: 'month',
      first: monthOf(hasFirst ? first : first.add({ months: 1 })),
      last: monthOf(hasLast ? last : last.subtract({ months: 1 })),
      isExcluded: false,
    },
    hasLast ? daysPart(last.add({ days: 1 }), endOfLast, true) : daysPart(startOfLast, last),
  ];
  return parts.filter((part) => part.first <= part.last);
}

const daysPart = (first: Temporal.PlainDate, last: Temporal.PlainDate, isExcluded = false): Part => ({
  unit: 'day',
  first: first.toString(),
  last: last.toString(),
  isExcluded,
});

const monthOf = (day: Temporal.PlainDate): string => day.toString().slice(0, 7);
