/** The submitted values of a form, and the problems with them. A page uses both to show the form again. */
import { Refusal } from '../errors.ts';
import { type Words, wordsOf } from '../languages/translate.ts';

export interface FormProblem {
  /** `null`: the problem doesn't belong to a single field. */
  readonly field: string | null;
  readonly sentence: Words;
}

export type FormState = Pick<
  FormInput,
  'text' | 'problemOf' | 'problems' | 'refusal' | 'isSoleProblem' | 'status'
>;

/** Parses the text of a field. Throws a `Refusal` if the text is invalid. */
type Parser<T> = (text: string) => T;
type Parsed<P extends Record<string, Parser<unknown>>> = { [F in keyof P]: ReturnType<P[F]> };

/** A submitted form. Collects problems, so that a page can show all of them together. */
export class FormInput {
  readonly #values: URLSearchParams;
  readonly #problems: FormProblem[] = [];
  #onlyField: string | null = null;
  #isTooOften = false;

  constructor(values: URLSearchParams) {
    this.#values = values;
  }

  text(field: string): string {
    return this.#values.get(field) ?? '';
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
    return new FormInput(values);
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
    this.#problems.push({ field, sentence });
  }

  /**
   * Parses fields and returns their values. If a parser throws a `Refusal`, records it as a problem of the parser's
   * field, still parses the other fields, and returns `null`. Rethrows other errors.
   */
  read<P extends Record<string, Parser<unknown>>>(parsers: P): Parsed<P> | null {
    const values: Record<string, unknown> = {};
    const before = this.#problems.length;
    for (const [field, parse] of Object.entries(parsers)) {
      try {
        values[field] = parse(this.text(field));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.refuse(field, error.sentence);
      }
    }
    return this.#problems.length === before ? (values as Parsed<P>) : null;
  }

  /**
   * Returns the result of `verb`. If `verb` throws a `Refusal`, records it as a problem of `field` (`null`: of the
   * form) and returns `null`. Rethrows other errors, and refusals about unknown paths, outages and internal errors.
   */
  async attempt<T>(
    field: string | null | ((refusal: Refusal) => string | null),
    verb: () => Promise<T>,
  ): Promise<T | null> {
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

const isForThePerson = ({ code }: Refusal): boolean =>
  code !== 'unknown_path' && code !== 'unavailable' && code !== 'internal_error';

export const newForm = (values: Readonly<Record<string, string>> = {}): FormState =>
  new FormInput(new URLSearchParams(values));
