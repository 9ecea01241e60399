import { createContext, useContext } from 'hono/jsx';
import { currentLanguage } from '../../platform/languages/language.ts';
import { t } from '../../platform/languages/translate.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import type { TimePrecision } from '../../platform/text/time-text.ts';
import {
  briefTimeText,
  DEFAULT_TIME_ZONE,
  dayIn,
  timeText,
  timeTextWithZone,
} from '../../platform/text/time-zone.ts';

/** Time zone of the page. `OnSite` sets it, and the footer names it. */
export const TimeZone = createContext(DEFAULT_TIME_ZONE);

interface TimeProps {
  /** ISO 8601. With precision `day`, may be a date without a time. */
  readonly at: string;
  readonly precision?: TimePrecision;
  /** The current time, for lists. If `now` is given, a time in the current year is shown without the year. */
  readonly now?: number;
  readonly hasZone?: boolean | undefined;
}

export function Time({ at, precision = 'minute', now, hasZone }: TimeProps) {
  const zone = useContext(TimeZone);
  const isDay = precision === 'day';
  const textOf = hasZone ? timeTextWithZone : timeText;
  const text = now === undefined ? textOf(zone, at, precision) : briefTimeText(zone, at, now, precision);
  return (
    <time
      datetime={isDay && at.includes('T') ? dayIn(zone, at) : at}
      data-precision={isDay ? undefined : precision}
    >
      {unbroken(text)}
    </time>
  );
}

/** A time that people must not miss, such as the end of an offer. Names the zone, because a phone has no tooltip. */
export const TimeWithZone = ({ at }: Pick<TimeProps, 'at'>) => <Time at={at} hasZone />;

/** Allows a line break only between the date and the time of day. */
const unbroken = (text: string): string => text.replaceAll(/ (?!\d+:)/g, '\u00a0');

function numberFormatsOf(language: string) {
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const signed = { ...oneDecimal, signDisplay: 'exceptZero' } as const;
  return {
    whole: new Intl.NumberFormat(language),
    percent: new Intl.NumberFormat(language, { ...oneDecimal, style: 'percent' }),
    change: new Intl.NumberFormat(language, { ...signed, style: 'percent' }),
    points: new Intl.NumberFormat(language, signed),
  };
}

const numberFormats = new Map<string, ReturnType<typeof numberFormatsOf>>();

const formatsNow = () => numberFormats.getOrInsertComputed(currentLanguage().code, numberFormatsOf);

export const numberText = (value: number | bigint): string => formatsNow().whole.format(value);

export const Num = ({ value }: { value: number | bigint }) => <span class="num">{numberText(value)}</span>;

/** `12.5%`; a dash if `whole` is zero. */
export const percentText = (part: number, whole: number): string =>
  whole === 0 ? '–' : formatsNow().percent.format(part / whole);

const withMinus = (text: string): string => text.replace('-', '−');

/** `+12.5%`; `null` if `before` is zero. */
export const changeText = (now: number, before: number): string | null =>
  before === 0 ? null : withMinus(formatsNow().change.format(now / before - 1));

/** `+4.9 points from 57.3%`. `now` and `before` are shares from 0 to 1. */
export const pointsText = (now: number, before: number): string =>
  t('{change} points from {before}', {
    change: withMinus(formatsNow().points.format((now - before) * 100)),
    before: percentText(before, 1),
  });

/** `+12.5% from 310`. */
export const comparedText = (now: number, before: number): string => {
  const change = changeText(now, before);
  return change === null
    ? t('none before')
    : t('{change} from {before}', { change, before: numberText(before) });
};

/** Follows “for”, such as `3 days`. `since`: ISO 8601; `now`: milliseconds since the epoch. */
export function ageText(since: string, now: number): string {
  const elapsed = now - Date.parse(since);
  const of = (unitMs: number) => ({ count: Math.floor(elapsed / unitMs) });
  if (elapsed < MINUTE_MS) return t('for how long|a moment');
  if (elapsed < HOUR_MS) {
    return t('for how long|{count, plural, one {# minute} other {# minutes}}', of(MINUTE_MS));
  }
  if (elapsed < 2 * DAY_MS) {
    return t('for how long|{count, plural, one {# hour} other {# hours}}', of(HOUR_MS));
  }
  return t('for how long|{count, plural, one {# day} other {# days}}', of(DAY_MS));
}

export const Age = ({ since, now }: { since: string; now: number }) => (
  <time datetime={since} title={timeTextWithZone(useContext(TimeZone), since)}>
    {ageText(since, now)}
  </time>
);
