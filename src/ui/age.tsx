import { useContext } from 'hono/jsx';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../text/durations.ts';
import { timeTextWithZone } from '../text/time-zone.ts';
import type { Markup } from './markup.ts';
import { TimeZone } from './time.tsx';

/** The age in one or two words: `3 days`. `since`: ISO 8601; `now`: milliseconds since the epoch. */
export function ageText(since: string, now: number): string {
  const elapsed = Math.max(0, now - Date.parse(since));
  if (elapsed < MINUTE_MS) return 'a moment';
  if (elapsed < HOUR_MS) return amount(elapsed / MINUTE_MS, 'minute');
  if (elapsed < 2 * DAY_MS) return amount(elapsed / HOUR_MS, 'hour');
  return amount(elapsed / DAY_MS, 'day');
}

const amount = (value: number, unit: string): string => {
  const whole = Math.floor(value);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
};

/** The age of something, with the exact time on hover. */
export const Age = ({ since, now }: { since: string; now: number }): Markup => (
  <time datetime={since} title={timeTextWithZone(useContext(TimeZone), since)}>
    {ageText(since, now)}
  </time>
);
