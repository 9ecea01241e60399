/** What the catalogue says about a type of event. `event`, `publicEvent` and `changesOf` check each entry. */
import type { z } from 'zod';
import type { Message, Words } from '../../platform/languages/translate.ts';
import type { Members, StoredOf, TextsOf } from './members.ts';

/** `at`: ISO 8601 UTC time, the value `{time}` of the words. */
export type TimedWords = readonly [words: Message, at: string];

type FieldTexts = Readonly<Record<string, string>> | null;

/** The values of edited fields, before and after the edit. */
export interface FieldChanges {
  readonly from: FieldTexts;
  readonly to: FieldTexts;
}

export type Detail = Words | TimedWords | FieldChanges | null;
/** A sentence in which `{who}` is the actor, and its details. For a sentence only, the member `reason` is the detail. */
export type Described = Message | readonly [sentence: Message, ...details: readonly Detail[]];

/** Kinds of mail that an event can cause. */
export type EventNotice = 'claims' | 'decisions' | 'owners' | 'problems' | 'reports' | 'review';

type Condition<M extends Members> = (data: StoredOf<M>) => boolean;

interface Entry<M extends Members, N extends EventNotice> {
  /** The sentence in the audit log. */
  audit(texts: TextsOf<M>, data: StoredOf<M>, by: Readonly<Record<'actor' | 'subjectId', string>>): Described;
  /** Whether the event is a decision that can be undone for a while. Its mail and webhooks wait until it is final. */
  isDecision?(data: StoredOf<M>): boolean;
  /** The mail that the event causes, and when. */
  readonly notices?: { readonly [K in N]?: Condition<M> };
}

export interface EventKind<M extends Members = Members, N extends EventNotice = EventNotice>
  extends Entry<M, N> {
  readonly data: M;
}

export interface Titled {
  /** In the form of a webhook endpoint and in the filter of the audit log. Also the sentence for operators' chats. */
  readonly title: Message;
  /** Replaces the title in operators' chats. `read` returns a member of the body, or '' if it isn't a text. */
  chat?(read: (member: string) => string): Message;
}

export interface Changes {
  /** By the member `change`: what differs between the changes that share a type. */
  readonly changes?: Readonly<Record<string, EventKind>>;
}

/** The current state of the claims, offers and listings that events are about, by ID. */
export interface Subjects {
  readonly claims: ReadonlyMap<string, ClaimSubject>;
  readonly offers: ReadonlyMap<string, OfferSubject>;
  readonly listings: ReadonlyMap<string, Pick<OfferSubject, 'listing' | 'listing_name'>>;
}

/** `listing`: the slug. */
export type OfferSubject = Readonly<
  Record<'offer' | 'kind' | 'listing' | 'listing_name' | 'listing_id', string>
>;

export interface ClaimSubject extends OfferSubject {
  /** The short ID that people see, such as `4F7K-2M9Q`. */
  readonly short_id: string;
  readonly mode: 'live' | 'test';
  readonly claimed_at: string;
  readonly redeemed_at: string | null;
  readonly reference: string | null;
}

interface SentEvent<M extends Members> {
  readonly subjectId: string;
  readonly at: string;
  readonly data: StoredOf<M>;
}

export interface Webhook<M extends Members = Members, S extends z.ZodObject = z.ZodObject> {
  /** Describes what `body` returns. */
  readonly data: S;
  /** The member `data` of the request. Never contains secrets. */
  body(event: SentEvent<M>, subjects: Subjects): z.input<S>;
  /** The sentence for chats. `read` returns a member of the body, or '' if it isn't a text. */
  chat(read: (member: keyof z.input<S> & string) => string): Message;
}

export const event = <
  const M extends Members,
  N extends EventNotice = never,
  const C extends Changes = Changes,
>(
  kind: EventKind<M, N> & C & Titled,
): EventKind<M, N> & C & Titled => kind;

/** An event that owners can get as a webhook. */
export const publicEvent = <
  const M extends Members,
  S extends z.ZodObject,
  N extends EventNotice = never,
  const C extends Changes = Changes,
>(
  kind: EventKind<M, N> & C & Titled & { readonly webhook: Webhook<NoInfer<M>, S> },
): EventKind<M, N> & C & Titled & { readonly webhook: Webhook<M, S> } => kind;

/** `shared`: the members that all changes of the type have. */
export const changesOf =
  <const S extends Members>(shared: S) =>
  <const M extends Members = Record<never, never>, N extends EventNotice = never>({
    data,
    ...entry
  }: Entry<S & M, N> & { readonly data?: M }): EventKind<S & NoInfer<M>, NoInfer<N>> =>
    ({ ...entry, data: { ...shared, ...data } }) as EventKind<S & M, N>;

export const always = (): boolean => true;
