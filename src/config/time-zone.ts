/** TIME_ZONE: the zone of the marketplace's days and times. */
import { DEFAULT_TIME_ZONE, parseTimeZone } from '../time-zone.ts';
import { type Complain, quote } from './setting.ts';

export function parseTimeZoneSetting(text: string | null, complain: Complain): string {
  const zone = parseTimeZone(text ?? DEFAULT_TIME_ZONE);
  if (zone === null)
    complain(`TIME_ZONE must be the name of a time zone such as Europe/Berlin and is ${quote(text ?? '')}.`);
  return zone ?? DEFAULT_TIME_ZONE;
}
