/** Describes events in the current language: a sentence with the actor and the action, and optional details. */
import { EVENT_KINDS, entryOf } from '../../../base/events/catalogue.ts';
import type { Detail, FieldChanges, TimedWords } from '../../../base/events/event-kind.ts';
import {
  isObject,
  type Member,
  type Members,
  type TextsOf,
  type Values,
} from '../../../base/events/members.ts';
import type { LoggedEvent } from '../../../base/events/queries.ts';
import { plainWords } from '../../../base/events/sentence-parts.ts';
import { LISTING_FIELDS } from '../../../marketplace/listings/fields.ts';
import { OFFER_FIELDS } from '../../../marketplace/offers/fields.ts';
import { type Message, message, t, wordsOf } from '../../../platform/languages/translate.ts';
import type { Field } from '../../../platform/text/fields.ts';
import { capital, isolated } from '../../../platform/text/text.ts';
import { shortened } from '../../../platform/text/text-width.ts';
import { timeTextWithZone } from '../../../platform/text/time-zone.ts';

export type DescribedEvent = Omit<LoggedEvent, 'seq' | 'accountId'>;

export interface EventWords {
  /** Such as `{who} approved the listing Calm Notes.` */
  readonly sentence: Message;
  /** Further facts, such as the reason or the changes. */
  readonly details: readonly (string | TimedWords)[];
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

export function describeEvent(event: DescribedEvent, names: Names): EventWords {
  const entry = entryOf(event);
  // A newer version may have written event types that this version doesn't know.
  if (entry === undefined) {
    return { sentence: message('{who}: {type}.', { type: plainWords(event.type) }), details: [] };
  }
  const texts = textsOf(entry.data, event.data, names);
  const described = entry.audit(texts, event.data, event);
  const [sentence, ...details] = isSentence(described)
    ? [described, givenText(event.data['reason'])]
    : described;
  return {
    sentence,
    details: [...details.map(detailText), throughText(event.data)].filter((detail) => detail !== null),
  };
}

const isSentence = (described: Message | readonly [Message, ...(readonly Detail[])]): described is Message =>
  !Array.isArray(described);

function detailText(detail: Detail): string | TimedWords | null {
  if (detail === null || isTimed(detail)) return detail;
  return typeof detail === 'object' && 'from' in detail ? changesText(detail) : wordsOf(detail);
}

const isTimed = (detail: Detail): detail is TimedWords => Array.isArray(detail);

/** Such as `Name: “Notes” → “Notes for teams”`. */
function changesText({ from, to }: FieldChanges): string | null {
  if (from === null || to === null) return null;
  const changes = Object.entries(to).map(
    ([field, text]) => `${fieldName(field)}: ${from[field] ?? t('none')} → ${text}`,
  );
  return changes.length === 0 ? null : capital(changes.join('; '));
}

/** Fields that reviews don't compare, or that have another name in the audit log. */
const FIELD_NAMES: Readonly<Record<string, Message>> = {
  slug: message('public address'),
  proposed_url: message('proposed website'),
  starts_at: message('start date'),
  ends_at: message('end date'),
  claim_limit: message('claim limit'),
};

const REVIEWED_FIELDS: Readonly<Record<string, Field>> = { ...LISTING_FIELDS, ...OFFER_FIELDS };

function fieldName(field: string): string {
  const name = Object.hasOwn(FIELD_NAMES, field)
    ? FIELD_NAMES[field]
    : Object.hasOwn(REVIEWED_FIELDS, field)
      ? REVIEWED_FIELDS[field]!.reviewedAs
      : undefined;
  return name === undefined ? plainWords(field) : t(name);
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
  if (value === undefined || value === null) return isOptional ? null : t('unknown');
  if (is === 'listing') return isolated(listing ?? String(value));
  return isolated(is === 'plan' && typeof value === 'string' ? planName(value) : String(value));
}

const givenText = (value: unknown): string | null =>
  value === undefined || value === null ? null : isolated(String(value));

/** `through`: the intermediate values of an event that combines several edits. */
const throughText = ({ through }: Values): string | null =>
  Array.isArray(through)
    ? t('Intermediate values: {values}.', {
        values: through.map((value) => valueText(value, '', '')).join(', '),
      })
    : null;

/** Fields that contain times. */
const TIMES = Object.entries<Field>(OFFER_FIELDS).flatMap(([name, { isTime }]) => (isTime ? [name] : []));

const MAX_VALUE_LENGTH = 81;

function valueText(value: unknown, field: string, zone: string): string {
  if (value === null || value === undefined) return t('none');
  if (TIMES.includes(field) && typeof value === 'string') return timeTextWithZone(zone, value);
  return t('“{value}”', {
    value: isolated(shortened(String(value).replaceAll(/\s+/g, ' '), MAX_VALUE_LENGTH)),
  });
}
