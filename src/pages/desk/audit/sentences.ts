/** Describes events in English: a sentence with the actor and the action, and optional details. */
import { EVENT_KINDS, entryOf } from '../../../base/events/catalogue.ts';
import type { Member, Members, TextsOf, Values } from '../../../base/events/members.ts';
import type { LoggedEvent } from '../../../base/events/queries.ts';
import { plainWords } from '../../../base/events/sentence-parts.ts';
import { OFFER_FIELDS } from '../../../marketplace/offers/fields.ts';
import type { Message } from '../../../platform/languages/translate.ts';
import type { Field } from '../../../platform/text/fields.ts';
import { isolated } from '../../../platform/text/text.ts';
import { shortened } from '../../../platform/text/text-width.ts';
import { timeTextWithZone } from '../../../platform/text/time-zone.ts';

export type DescribedEvent = Omit<LoggedEvent, 'seq' | 'accountId'>;

export interface EventWords {
  /** Such as `Olga approved the listing Calm Notes.` */
  readonly sentence: string;
  /** Further facts, such as the reason or the changes; `null` if there are none. */
  readonly detail: string | null;
  /** ISO 8601 UTC time, shown between the detail and the full stop. */
  readonly at?: string;
}

/** By event type: the name in the filter, such as “API key rolled”. */
export const EVENT_TYPE_NAMES: Readonly<Record<string, Message>> = Object.fromEntries(
  Object.entries(EVENT_KINDS).map(([type, { title }]) => [type, title]),
);

interface Names {
  /** The listing's name, if known. */
  readonly listing?: string | undefined;
  /** Time zone. */
  readonly zone: string;
  readonly planName: (plan: string) => string;
}

/** `who`: the actor's name, which begins the sentence. */
export function describeEvent(event: DescribedEvent, who: string, names: Names): EventWords {
  const entry = entryOf(event);
  // A newer version may have written event types that this version doesn't know.
  if (entry === undefined) return { sentence: `${who}: ${plainWords(event.type)}.`, detail: null };
  const texts = textsOf(entry.data, event.data, names);
  const described = entry.audit(texts, event.data, event);
  const [deed, further] =
    typeof described === 'string' ? [described, givenText(event.data['reason'])] : described;
  const sentence = `${who} ${deed}.`;
  const [words, at] = typeof further === 'string' || further === null ? [further] : further;
  const detail = [words, throughText(event.data)].filter((part) => part !== null).join(' ') || null;
  return at === undefined ? { sentence, detail } : { sentence, detail, at };
}

const textsOf = (members: Members, data: Values, names: Names): TextsOf<Members> =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, textOf(member, data[name], names)]),
  ) as TextsOf<Members>;

function textOf({ is, isOptional }: Member<unknown>, value: unknown, { listing, zone, planName }: Names) {
  if (is === 'values') {
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([field, one]) => [field, valueText(one, field, zone)]))
      : null;
  }
  if (value === undefined || value === null) return isOptional ? null : 'unknown';
  if (is === 'listing') return isolated(listing ?? String(value));
  return isolated(is === 'plan' && typeof value === 'string' ? planName(value) : String(value));
}

const givenText = (value: unknown): string | null =>
  value === undefined || value === null ? null : isolated(String(value));

/** `through`: the intermediate values of an event that combines several edits. */
const throughText = ({ through }: Values): string | null =>
  Array.isArray(through)
    ? `Intermediate values: ${through.map((value) => valueText(value, '', '')).join(', ')}.`
    : null;

/** Fields that contain times. */
const TIMES = Object.entries<Field>(OFFER_FIELDS).flatMap(([name, { isTime }]) => (isTime ? [name] : []));

const MAX_VALUE_LENGTH = 81;

function valueText(value: unknown, field: string, zone: string): string {
  if (value === null || value === undefined) return 'none';
  if (TIMES.includes(field) && typeof value === 'string') return timeTextWithZone(zone, value);
  return `“${isolated(shortened(String(value).replaceAll(/\s+/g, ' '), MAX_VALUE_LENGTH))}”`;
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
