/** Definitions of the fields of offers and listings, shared by forms, the API, commands, reviews and the audit log. */
import type { Message, Words } from '../languages/translate.ts';
import { optional } from './text.ts';

/**
 * What happens when an owner changes the field of a listing that was approved. `always`: the change waits for review.
 * `policy`: it waits, or it goes live and appears in the queue, as the operator chose (`Policy.texts`). `site`: it waits
 * or is refused if it leads to another site. `never`: people don't see the field as a text of the owner.
 */
export type Review = 'always' | 'policy' | 'site' | 'never';

/** `reviewedAs`: the field's name in reviews, which compare the values of fields that have one. */
type Reviewed =
  | { readonly review: Exclude<Review, 'never'>; readonly reviewedAs: Message }
  | { readonly review: 'never'; readonly reviewedAs?: Message };

export type Field<T = unknown> = Reviewed & {
  readonly label: Words;
  readonly about: string;
  /** Throws `invalid_request` if the text is invalid. Days and times without `Z` are in `timeZone`. */
  readonly parse: (text: string, timeZone: string) => T;
  /** If this is not set, blank text removes the value. */
  readonly isRequired?: true;
  readonly example?: string;
  readonly choices?: readonly string[];
  readonly maxLength?: number;
  /** The value must be an integer from 1 to this number. */
  readonly maxNumber?: number;
  readonly isTime?: true;
};

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F extends { readonly isRequired: true }
  ? ReturnType<F['parse']>
  : ReturnType<F['parse']> | null;

export type FieldTexts<F extends Fields> = { readonly [Name in keyof F]?: string | null | undefined };
export type FieldValues<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> };
type FieldParsers<F extends Fields> = {
  readonly [Name in keyof F]: (text: string) => ValueOf<F[Name]>;
};

type ReviewedName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly reviewedAs: Message } ? Name : never;
}[keyof F];

export type ReviewedValues<F extends Fields> = Pick<FieldValues<F>, ReviewedName<F>>;

/** The fields that reviews compare, each with its name in reviews. */
export const reviewedFields = <F extends Fields>(
  fields: F,
): readonly (readonly [ReviewedName<F>, Message])[] =>
  Object.entries(fields).flatMap(([name, { reviewedAs }]) =>
    reviewedAs === undefined ? [] : [[name as ReviewedName<F>, reviewedAs] as const],
  );

export const labelsOf = (fields: Fields): Readonly<Record<string, Words>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]));

export const namesOf = <F extends Fields>(fields: F): readonly (keyof F & string)[] => Object.keys(fields);

/** All fields set to `null`, for the API's examples. */
export const unsetOf = (fields: Fields): Readonly<Record<string, null>> =>
  Object.fromEntries(namesOf(fields).map((name) => [name, null]));

/** The fields in the body of a call as texts, which forms also send. Omits missing fields. */
export const textsOf = <F extends Fields>(
  fields: F,
  body: { readonly [Name in keyof F]?: string | number | undefined },
): FieldTexts<F> =>
  Object.fromEntries(
    namesOf(fields).flatMap((name) => (body[name] === undefined ? [] : [[name, String(body[name])]])),
  ) as FieldTexts<F>;

export const parsersOf = <F extends Fields>(fields: F, timeZone: string): FieldParsers<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { parse, isRequired }]) => [
      name,
      (text: string) =>
        isRequired ? parse(text, timeZone) : optional(text, (typed) => parse(typed, timeZone)),
    ]),
  ) as FieldParsers<F>;

/** Parses all fields. A missing field counts as blank. */
export const parseFields = <F extends Fields>(
  fields: F,
  texts: FieldTexts<F>,
  timeZone: string,
): FieldValues<F> => {
  const parsers = parsersOf(fields, timeZone);
  return Object.fromEntries(
    namesOf(fields).map((name) => [name, parsers[name](texts[name] ?? '')]),
  ) as FieldValues<F>;
};

export const parseChanges = <F extends Fields>(
  fields: F,
  texts: FieldTexts<F>,
  timeZone: string,
): Partial<FieldValues<F>> => {
  const given = Object.fromEntries(Object.entries(fields).filter(([name]) => texts[name] !== undefined)) as F;
  return parseFields(given, texts, timeZone);
};

export const pick = <T extends object, Name extends keyof T>(
  from: T,
  names: readonly Name[],
): Pick<T, Name> => Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, Name>;
