/** What events keep of long texts, and how repeated edits of one thing become one event. */
import { MINUTE_MS } from '../text/durations.ts';

type Data = Readonly<Record<string, unknown>>;

/** Longest text that an event keeps whole, and how much it keeps of a longer one: characters. */
const MAX_TEXT = 256;
const KEPT_OF_TEXT = 200;
/** The reason of a decision stays whole: operators write it, and the event is its record. */
const WHOLE: ReadonlySet<string> = new Set(['reason']);

/** The data with the beginnings of long texts in place of these. */
export const shortenTexts = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, WHOLE.has(name) ? value : shortened(value)]),
  );

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return beginningOf(value);
  if (Array.isArray(value)) return value.map(shortened);
  return typeof value === 'object' && value !== null ? shortenTexts(value as Data) : value;
}

function beginningOf(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const characters = [...text];
  return `${characters.slice(0, KEPT_OF_TEXT).join('')}… (${characters.length} characters in all)`;
}

/** Edits of one thing by one actor within this time are one event. */
export const MERGED_WITHIN_MS = MINUTE_MS;

interface Edit {
  readonly at: string;
  readonly data: Data;
}

/**
 * The data of one event for two edits that follow each other: the old values of the first, the new ones of the second,
 * and since when. `null`: they stay two events.
 */
export function mergedData(first: Edit, second: Edit): Data | null {
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

/** What people are shown or where they are sent: another name or address for half a minute must not vanish from the log. */
const IDENTITIES = ['name', 'slug', 'url', 'proposed_url', 'origin', 'offer'];
/** Values that one event keeps of those it had in between. */
const MAX_THROUGH = 10;

/** Identities that the first edit set and the second one replaced. */
function passedOver(first: Data, second: Data): readonly unknown[] {
  const [was, is] = [valuesOf(first), valuesOf(second)];
  return IDENTITIES.filter((name) => name in was && name in is && was[name] !== is[name]).map(
    (name) => was[name],
  );
}

/** The values that an edit set. An edit of one value has it in `to`. */
const valuesOf = ({ to, origin }: Data): Data => ({
  ...(isObject(to) ? to : to === undefined ? {} : { name: to }),
  ...(origin === undefined ? {} : { origin }),
});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What the edit did. Pausing and resuming undo each other, so the last of them says it all. */
const stepOf = ({ change }: Data): unknown => (change === 'resumed' ? 'paused' : change);

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
