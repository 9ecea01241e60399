/**
 * Every type of event: its data, which members are about a person, its sentence in the audit log, its webhook, and the
 * mail that it causes. Everything that reads events derives from these entries.
 */
import { ACCESS } from './catalogue/access.ts';
import { ACCOUNTS, SESSIONS } from './catalogue/accounts.ts';
import { CLAIMS, LISTINGS } from './catalogue/listings.ts';
import {
  type Changes,
  type EventKind,
  type EventNotice,
  WEBHOOK_SUBJECTS,
  type Webhook,
} from './event-kind.ts';
import type { DataOf, StoredOf, Values } from './members.ts';

/** In the order of the filter in the audit log. */
const EVENTS = { ...ACCOUNTS, ...LISTINGS, ...ACCESS, ...CLAIMS, ...SESSIONS };

type Events = typeof EVENTS;
export type EventType = keyof Events;

export const EVENT_KINDS: Readonly<Record<EventType, EventKind & Changes>> = EVENTS;
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

/** By subject, as in the form of an endpoint. */
export const WEBHOOK_EVENT_TYPES: readonly WebhookEventType[] = Object.keys(WEBHOOK_SUBJECTS).flatMap(
  (subject) => TYPES.filter(isPublic).filter((type) => EVENTS[type].webhook.about === subject),
);

export const webhookOf = (type: WebhookEventType): Webhook => EVENTS[type].webhook;

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
