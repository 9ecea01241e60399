/** What a person entered in a form, to be shown again with each problem next to its field. */
import { Refusal } from '../errors.ts';
import { type Words, wordsOf } from '../languages/translate.ts';

export interface FormProblem {
  /** The field that has the problem; `null`: the problem is about the form as a whole. */
  readonly field: string | null;
  readonly sentence: Words;
}

export type FormState = Pick<
  FormInput,
  'text' | 'problemOf' | 'problems' | 'refusal' | 'isSoleProblem' | 'status'
>;

/** Turns the text of a field into a value, or throws a `Refusal`. */
type Parser<T> = (text: string) => T;
type Parsed<P extends Record<string, Parser<unknown>>> = { [F in keyof P]: ReturnType<P[F]> };

/** A form that was sent. Collects problems, so that a person sees all of them together. */
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

  /** Whether the field was sent: a ticked checkbox, the pressed button. */
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

  /** Call this if the page shows no other field of the form: a summary would only repeat the problem of `field`. */
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

  /** The first problem in words, for pages that show only one. `null`: the form is fine. */
  get refusal(): string | null {
    return wordsOf(this.#problems[0]?.sentence ?? null);
  }

  /** 200: not sent yet or without problems; 422: with problems; 429: sent too often. */
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
   * Returns `null` if a field is refused; each refused field then shows its reason. Rethrows errors other than
   * `Refusal`.
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

  /** Calls `verb`; a refusal is shown next to `field` (above the form if `null`) and makes the result `null`. */
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
