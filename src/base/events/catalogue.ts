/**
 * Every type of event: its data, which members are about a person, its sentence in the audit log, its webhook, and the
 * mail that it causes. Everything that reads events derives from these entries.
 */
import { type Message, message } from '../../platform/languages/translate.ts';
import { ACCESS } from './catalogue/access.ts';
import { ACCOUNTS } from './catalogue/accounts.ts';
import { LISTINGS } from './catalogue/listings.ts';
import { CLAIMS, OFFERS } from './catalogue/offers.ts';
import { SESSIONS } from './catalogue/sessions.ts';
import type { Changes, EventKind, EventNotice, Titled, Webhook } from './event-kind.ts';
import type { DataOf, MemberClass, StoredOf, Values } from './members.ts';

/** In the order of the filter in the audit log. */
const EVENTS = { ...ACCOUNTS, ...LISTINGS, ...OFFERS, ...ACCESS, ...CLAIMS, ...SESSIONS };

type Events = typeof EVENTS;
export type EventType = keyof Events;

type AnyKind = EventKind & Changes & Titled & { readonly webhook?: Webhook };

export const EVENT_KINDS: Readonly<Record<EventType, AnyKind>> = EVENTS;
const TYPES = Object.keys(EVENTS) as readonly EventType[];

/** Also has an entry for each change of a type, such as `listing.changed/edited`. */
const ENTRIES: ReadonlyMap<string, EventKind> = new Map(
  TYPES.flatMap((type) => {
    const kind = EVENT_KINDS[type];
    const changes = Object.entries(kind.changes ?? {}).map(([change, entry]): [string, EventKind] => [
      `${type}/${change}`,
      { ...kind, ...entry, notices: { ...kind.notices, ...entry.notices } },
    ]);
    return [[type, kind] as const, ...changes];
  }),
);

interface TypedData {
  readonly type: string;
  readonly data: Values;
}

/** `undefined` if another version has written the event and this version doesn't know its type. */
export const entryOf = ({ type, data }: TypedData): EventKind | undefined =>
  ENTRIES.get(`${type}/${data['change']}`) ?? ENTRIES.get(type);

export const isDecision = (event: TypedData): boolean => entryOf(event)?.isDecision?.(event.data) === true;

export const causes = (event: TypedData, notice: EventNotice): boolean =>
  entryOf(event)?.notices?.[notice]?.(event.data) === true;

const typesWith = (part: 'isDecision' | 'notices'): readonly EventType[] =>
  TYPES.filter((type) =>
    [EVENT_KINDS[type], ...Object.values(EVENT_KINDS[type].changes ?? {})].some((entry) => part in entry),
  );

export const DECISION_TYPES = typesWith('isDecision');
/** Types of events that may cause mail. */
export const NOTICED_TYPES = typesWith('notices');

export type WebhookEventType = {
  [T in EventType]: Events[T] extends { readonly webhook: object } ? T : never;
}[EventType];

const isPublic = (type: EventType): type is WebhookEventType => 'webhook' in EVENTS[type];

type SubjectOf<T> = T extends `${infer Subject}.${string}` ? Subject : never;

const LISTINGS_AND_OFFERS = message('Listings and offers');
const SERVICE = message('Service');

/** What events are about, in the order of an endpoint's form, with the heading of their group there. */
const GROUPS: Readonly<Record<SubjectOf<EventType>, Message>> = {
  claim: message('Claims'),
  listing: LISTINGS_AND_OFFERS,
  offer: LISTINGS_AND_OFFERS,
  account: message('Accounts'),
  member: message('Members'),
  access_link: message('Invitation links'),
  key: message('API keys'),
  operator_key: message('Operator keys'),
  endpoint: message('Webhooks'),
  settings: SERVICE,
  system: SERVICE,
  session: message('Signing in'),
};

const subjectOf = (type: EventType) => type.split('.', 1)[0] as SubjectOf<EventType>;
export const groupOf = (type: EventType): Message => GROUPS[subjectOf(type)];

const inGroups = <T extends EventType>(types: readonly T[]): readonly T[] =>
  Object.keys(GROUPS).flatMap((subject) => types.filter((type) => subjectOf(type) === subject));

export const WEBHOOK_EVENT_TYPES = inGroups(TYPES.filter(isPublic));
/** Operators can get every event of the marketplace as a webhook. */
export const EVENT_TYPES = inGroups(TYPES);

export const titleOf = (type: EventType): Message => EVENT_KINDS[type].title;

export const webhookOf = (type: WebhookEventType): Webhook => EVENTS[type].webhook;

/** Classes of members that webhooks for operators may contain. `values` may be long texts. */
const SENT_TO_OPERATORS: readonly MemberClass[] = ['fact', 'plan'];

/** The members of an event's data that say nothing about a person. */
export function impersonalData(event: TypedData): Values {
  const members = Object.entries(entryOf(event)?.data ?? {});
  const sent = members.filter(([name, { is }]) => SENT_TO_OPERATORS.includes(is) && event.data[name] != null);
  return Object.fromEntries(sent.map(([name]) => [name, event.data[name]]));
}

const isPersonal = (is: MemberClass): boolean => ['person', 'note', 'trail', 'network'].includes(is);

/** The webhook of owners, if operators get it too: no event of this type says anything about a person. */
export function sharedWebhookOf(type: EventType): Webhook | undefined {
  const { webhook, data } = EVENT_KINDS[type];
  return Object.values(data).some(({ is }) => isPersonal(is)) ? undefined : webhook;
}

/** The sentence for operators' chats. `read` returns a member of the body, or '' if it isn't a text. */
export function operatorsSentence(type: EventType, read: (member: string) => string): Message {
  const { title, chat } = EVENT_KINDS[type];
  const write = sharedWebhookOf(type)?.chat ?? chat;
  if (write !== undefined) return write(read);
  const listing = read('listing_name') || read('listing');
  return listing === '' ? title : message('{title}: {listing}', { title, listing });
}

type Entries<K> = K extends { readonly changes: infer C }
  ? { readonly [X in keyof C]: { readonly change: { readonly change: X }; readonly entry: C[X] } }[keyof C]
  : { readonly change: unknown; readonly entry: K };

type NewData<E> = E extends { readonly change: infer C; readonly entry: { readonly data: infer M } }
  ? C & DataOf<M>
  : never;
type StoredData<E> = E extends { readonly change: infer C; readonly entry: { readonly data: infer M } }
  ? Partial<C> & StoredOf<M>
  : never;

export type EventData<T extends EventType> = { [K in EventType]: NewData<Entries<Events[K]>> }[T];
export type StoredEventData<T extends EventType> = {
  [K in EventType]: StoredData<Entries<Events[K]>>;
}[T];

/** The data of a new event without the members that a function adds for its callers. */
export type RestOfData<T extends EventType, Added extends string> =
  EventData<T> extends infer D ? (D extends unknown ? Omit<D, Added> : never) : never;

type KeyOf<U> = U extends unknown ? keyof U : never;

/** Rejects a misspelt optional member in a spread, which TypeScript would accept. */
export type Exactly<T extends EventType, D> = D & {
  readonly [K in Exclude<keyof D, KeyOf<Extract<EventData<T>, Pick<D, keyof D & 'change'>>>>]: never;
};

type NoticesOf<E> = E extends { readonly entry: { readonly notices?: infer N } }
  ? KeyOf<NonNullable<N>>
  : never;

/** Types of events that may cause this kind of mail. */
export type NoticedType<N extends EventNotice> = {
  [T in EventType]: N extends NoticesOf<Entries<Events[T]> | { readonly entry: Events[T] }> ? T : never;
}[EventType];
/** The changes that cause this kind of mail. */
export type NoticedChange<T extends EventType, N extends EventNotice> =
  Entries<Events[T]> extends infer E
    ? E extends { readonly change: { readonly change: infer C } }
      ? N extends NoticesOf<E>
        ? C
        : never
      : never
    : never;
