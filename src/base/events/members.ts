/** Declares the members of an event's data: their types, and what they say about a person. */

/**
 * - `fact`: says nothing about a person.
 * - `person`: an email address or a name of a person, or a reason that an operator typed about a person.
 * - `note`: like `person`, but an internal note of the operators, so the person's data export omits it.
 * - `trail`: values of `person` members that a later edit has replaced.
 * - `network`: a network address.
 * - `plan`: the ID of a plan. Sentences contain its name.
 * - `listing`: the slug of a listing. Sentences contain its name.
 * - `values`: values of fields of a listing or an offer.
 */
export type MemberClass = 'fact' | 'person' | 'note' | 'trail' | 'network' | 'plan' | 'listing' | 'values';

export interface Member<out T> {
  readonly is: MemberClass;
  readonly isOptional: boolean;
  /** Never set; only for the compiler. */
  readonly type?: T;
}

interface OptionalMember<out T> extends Member<T> {
  readonly isOptional: true;
}

export type Members = Readonly<Record<string, Member<unknown>>>;

export type Values = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (is: MemberClass): Member<never> => ({ is, isOptional: false });

/** `fact()` is a text, and `fact<number>()` a number. */
export const fact: { (): Member<string>; <T>(): Member<T> } = () => memberOf('fact');
export const person = (): Member<string> => memberOf('person');
export const note = (): Member<string> => memberOf('note');
export const trail = (): Member<readonly unknown[]> => memberOf('trail');
export const network = (): Member<string> => memberOf('network');
export const plan = (): Member<string> => memberOf('plan');
export const listing = (): Member<string> => memberOf('listing');
export const values = (): Member<Values> => memberOf('values');

/** A member that some events of the type don't have. */
export const optional = <T>(member: Member<T>): OptionalMember<T> => ({ ...member, isOptional: true });

export const COUNT = optional(fact<number>());

/** The members of edits. A later edit may replace the event with one that covers both (`appendEdit`). */
export const EDIT = { since: optional(fact()), through: optional(fact<readonly unknown[]>()) };

type TypeOf<M> = M extends Member<infer T> ? T : never;
type OptionalKey<M> = { [K in keyof M]: M[K] extends OptionalMember<unknown> ? K : never }[keyof M];

/** The data that a new event must have. */
export type DataOf<M> = { readonly [K in Exclude<keyof M, OptionalKey<M>>]: TypeOf<M[K]> } & {
  readonly [K in OptionalKey<M>]?: TypeOf<M[K]> | null;
};

/** Data from the database. Every member may be missing, because an earlier version may have written the event. */
export type StoredOf<M> = { readonly [K in keyof M]?: TypeOf<M[K]> | null };

/** Members as text for sentences. A missing member is `unknown`, an optional one `null`. */
export type TextsOf<M> = {
  readonly [K in keyof M]:
    | (TypeOf<M[K]> extends Values ? Readonly<Record<string, string>> : string)
    | (M[K] extends OptionalMember<unknown> ? null : never);
};
