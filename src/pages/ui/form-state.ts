/** The submitted values of a form, and the problems with them. A page uses both to show the form again. */
import { Refusal } from '../../platform/errors.ts';
import { message, type Words, wordsOf } from '../../platform/languages/translate.ts';

export interface FormProblem {
  /** `null`: the problem doesn't belong to a single field. */
  readonly field: string | null;
  readonly sentence: Words;
}

/** What a page needs of a form. Has no `text`, so that a page can't pass an unchecked value to a verb. */
export type FormState = Pick<
  FormInput,
  'typed' | 'isTooLong' | 'problemOf' | 'problems' | 'refusal' | 'isSoleProblem' | 'status'
>;

/** Maximum number of characters of each field, by name. Other fields may have `MAX_FIELD_LENGTH` characters. */
export type FieldLengths = Readonly<Record<string, number>>;

const MAX_FIELD_LENGTH = 300;

/**
 * How many UTF-16 code units may be read for each allowed character. Parsers count code points, and count a line break
 * as one character. They refuse a slightly longer text, with a sentence that names the field.
 */
const UNITS_A_CHARACTER = 2;

/** Parses the text of a field. Throws a `Refusal` if the text is invalid. */
type Parser<T> = (text: string) => T;
type Parsed<P extends Record<string, Parser<unknown>>> = { [F in keyof P]: ReturnType<P[F]> };

/**
 * A submitted form. Collects problems, so that a page can show all of them together. A field that is longer than
 * `lengths` allows is a problem from the start: no parser and no verb gets its value.
 */
export class FormInput {
  readonly #values: URLSearchParams;
  readonly #lengths: FieldLengths;
  readonly #problems: FormProblem[] = [];
  readonly #tooLong = new Set<string>();
  #onlyField: string | null = null;
  #isTooOften = false;

  constructor(values: URLSearchParams, lengths: FieldLengths = {}) {
    this.#values = values;
    this.#lengths = lengths;
    for (const [field, value] of values) {
      const max = Object.hasOwn(lengths, field) ? lengths[field]! : MAX_FIELD_LENGTH;
      if (value.length <= max * UNITS_A_CHARACTER || this.#tooLong.has(field)) continue;
      this.refuse(field, tooLong(value.length, max));
      this.#tooLong.add(field);
    }
  }

  /** The value for parsers and verbs. Empty if it is too long; `read` and `attempt` then return `null`. */
  text(field: string): string {
    return this.isTooLong(field) ? '' : this.typed(field);
  }

  /** The value as it was sent, of any length. Only for showing it in the form again. */
  typed(field: string): string {
    return this.#values.get(field) ?? '';
  }

  isTooLong(field: string): boolean {
    return this.#tooLong.has(field);
  }

  /** Whether the field was submitted. For checkboxes and buttons. */
  has(field: string): boolean {
    return this.#values.has(field);
  }

  get fields(): readonly (readonly [string, string])[] {
    return [...this.#values];
  }

  with(changed: Readonly<Record<string, string>>): FormInput {
    const values = new URLSearchParams(this.#values);
    for (const [field, value] of Object.entries(changed)) values.set(field, value);
    return new FormInput(values, this.#lengths);
  }

  problemOf(field: string): Words | null {
    return this.#problems.find((problem) => problem.field === field)?.sentence ?? null;
  }

  /** Declares that `field` is the form's only visible field. No summary is shown if that field has the only problem. */
  hasOnly(field: string): void {
    this.#onlyField = field;
  }

  get isSoleProblem(): boolean {
    return (
      this.#problems.length === 1 && this.#onlyField !== null && this.#problems[0]?.field === this.#onlyField
    );
  }

  get problems(): readonly FormProblem[] {
    return this.#problems;
  }

  /** The first problem, for pages that show only one; `null` if the form has no problems. */
  get refusal(): string | null {
    return wordsOf(this.#problems[0]?.sentence ?? null);
  }

  /** 200: not submitted yet or without problems; 422: with problems; 429: rate limited. */
  get status(): 200 | 422 | 429 {
    if (this.#isTooOften) return 429;
    return this.isFine ? 200 : 422;
  }

  get isFine(): boolean {
    return this.#problems.length === 0;
  }

  refuse(field: string | null, sentence: Words): void {
    if (field === null || !this.isTooLong(field)) this.#problems.push({ field, sentence });
  }

  /** The fields' values, or `null` if a parser refuses: its `Refusal` becomes a problem of its field. */
  read<P extends Record<string, Parser<unknown>>>(parsers: P): Parsed<P> | null {
    const values: Record<string, unknown> = {};
    const before = this.#problems.length;
    for (const [field, parse] of Object.entries(parsers)) {
      if (this.isTooLong(field)) continue;
      try {
        values[field] = parse(this.text(field));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.refuse(field, error.sentence);
      }
    }
    return this.#problems.length === before && this.#tooLong.size === 0 ? (values as Parsed<P>) : null;
  }

  /**
   * The result of `verb`, or `null` if it throws a `Refusal` (then a problem of `field`, `null`: of the form) or a
   * field is too long. Rethrows unknown paths, outages and internal errors.
   */
  async attempt<T>(
    field: string | null | ((refusal: Refusal) => string | null),
    verb: () => Promise<T>,
  ): Promise<T | null> {
    if (this.#tooLong.size > 0) return null;
    try {
      return await verb();
    } catch (error) {
      if (!(error instanceof Refusal) || !isForThePerson(error)) throw error;
      if (error.code === 'rate_limited') this.#isTooOften = true;
      this.refuse(typeof field === 'function' ? field(error) : field, error.sentence);
      return null;
    }
  }
}

const tooLong = (length: number, max: number): Words =>
  message('This field has {length, number} characters; at most {max, number} are allowed.', { length, max });

const isForThePerson = ({ code }: Refusal): boolean =>
  code !== 'unknown_path' && code !== 'unavailable' && code !== 'internal_error';

/** `values`: stored values, which may have any length. */
export const newForm = (
  values: Readonly<Record<string, string>> = {},
): FormState & Pick<FormInput, 'refuse'> =>
  new FormInput(
    new URLSearchParams(values),
    Object.fromEntries(Object.keys(values).map((field) => [field, Number.POSITIVE_INFINITY])),
  );
