import { MINUTE_MS } from '../../platform/text/durations.ts';
import { isObject, type Values } from './members.ts';

/** Maximum length of a text in an event. Longer texts are truncated to `KEPT_OF_TEXT` characters. */
const MAX_TEXT = 256;
const KEPT_OF_TEXT = 200;
/** Members that are never truncated, because the event log is the record of why a decision was made. */
const WHOLE: ReadonlySet<string> = new Set(['reason']);

export const shortenTexts = (data: Values): Values =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, WHOLE.has(name) ? value : shortened(value)]),
  );

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return beginningOf(value);
  if (Array.isArray(value)) return value.map(shortened);
  return typeof value === 'object' && value !== null ? shortenTexts(value as Values) : value;
}

function beginningOf(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const characters = [...text];
  return `${characters.slice(0, KEPT_OF_TEXT).join('')}… (${characters.length} characters in all)`;
}

export const MERGED_WITHIN_MS = MINUTE_MS;

interface Edit {
  readonly at: string;
  readonly data: Values;
}

/** Two consecutive edits: old values and `since` of the first, new values of the second. `null`: they stay separate. */
export function mergedData(first: Edit, second: Edit): Values | null {
  const since = String(first.data['since'] ?? first.at);
  const passedMs = Date.parse(second.at) - Date.parse(since);
  if (!(passedMs >= 0 && passedMs < MERGED_WITHIN_MS)) return null;
  if (stepOf(first.data) !== stepOf(second.data)) return null;
  const through = [...listOf(first.data['through']), ...passedOver(first.data, second.data)];
  if (through.length > MAX_THROUGH) return null;
  const merged: Record<string, unknown> = { ...first.data, ...second.data, since };
  if (through.length > 0) merged['through'] = through;
  const { from, to, fields } = first.data;
  if (isObject(from) && isObject(merged['from'])) merged['from'] = { ...merged['from'], ...from };
  else if (from !== undefined) merged['from'] = from;
  if (isObject(to) && isObject(merged['to'])) merged['to'] = { ...to, ...merged['to'] };
  if (Array.isArray(fields) && Array.isArray(merged['fields'])) {
    merged['fields'] = [...new Set([...fields, ...merged['fields']])];
  }
  return merged;
}

/** Members with names and URLs that people see. The log must contain every value, however briefly it was visible. */
const IDENTITIES = ['name', 'slug', 'url', 'proposed_url', 'origin', 'offer'];
const MAX_THROUGH = 10;

/** Returns the names and URLs that the first edit set and the second edit replaced. */
function passedOver(first: Values, second: Values): readonly unknown[] {
  const [was, is] = [valuesOf(first), valuesOf(second)];
  return IDENTITIES.filter((name) => name in was && name in is && was[name] !== is[name]).map(
    (name) => was[name],
  );
}

/** The new values in an edit. If `to` is not an object, it is the new name. */
const valuesOf = ({ to, origin }: Values): Values => ({
  ...(isObject(to) ? to : to === undefined ? {} : { name: to }),
  ...(origin === undefined ? {} : { origin }),
});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The kind of edit. Pausing and resuming are the same kind, because only the last one has an effect. */
const stepOf = ({ change }: Values): unknown => (change === 'resumed' ? 'paused' : change);
