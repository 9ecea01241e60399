/** What was typed into a form, and what is wrong with it, so that it can be shown again beside each field. */
import { Refusal } from '../errors.ts';

export interface FormProblem {
  /** The field it is about; `null`: the form as a whole. */
  readonly field: string | null;
  readonly sentence: string;
}

/** What a form on a page is rendered from. */
export interface FormState {
  /** What stands in a field: as typed, `''` where there is nothing. */
  text(field: string): string;
  /** The sentence that stands beside a field, `null` where it is fine. */
  problemOf(field: string): string | null;
  readonly problems: readonly FormProblem[];
  /** What a page that shows the form answers with. */
  readonly status: FormStatus;
}

/** Fine, or not sent yet; something is wrong in it; it was sent too often. */
export type FormStatus = 200 | 422 | 429;

/** A parser of a noun: what was typed → its value, or a `Refusal` thrown. */
type Parser<T> = (text: string) => T;
type Parsed<P extends Record<string, Parser<unknown>>> = { [F in keyof P]: ReturnType<P[F]> };

/** A form that was sent. Problems are collected, so that a person meets all of them at once. */
export class FormInput implements FormState {
  readonly #values: URLSearchParams;
  readonly #problems: FormProblem[] = [];
  #isTooOften = false;

  constructor(values: URLSearchParams) {
    this.#values = values;
  }

  text(field: string): string {
    return this.#values.get(field) ?? '';
  }

  /** Whether the field came at all: a ticked checkbox, the button that was pressed. */
  has(field: string): boolean {
    return this.#values.has(field);
  }

  problemOf(field: string): string | null {
    return this.#problems.find((problem) => problem.field === field)?.sentence ?? null;
  }

  get problems(): readonly FormProblem[] {
    return this.#problems;
  }

  get status(): FormStatus {
    if (this.#isTooOften) return 429;
    return this.isFine ? 200 : 422;
  }

  /** Nothing has been refused so far. */
  get isFine(): boolean {
    return this.#problems.length === 0;
  }

  /** Puts a sentence beside a field, or above the form when `field` is null. */
  refuse(field: string | null, sentence: string): void {
    this.#problems.push({ field, sentence });
  }

  /**
   * Every field through its parser: `form.read({ email: parseEmail, name: parseAccountName })`. `null` when at least
   * one was refused; the sentence of each refusal then stands beside its field. Other errors are thrown on.
   */
  read<P extends Record<string, Parser<unknown>>>(parsers: P): Parsed<P> | null {
    const values: Record<string, unknown> = {};
    const before = this.#problems.length;
    for (const [field, parse] of Object.entries(parsers)) {
      try {
        values[field] = parse(this.text(field));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.refuse(field, error.message);
      }
    }
    return this.#problems.length === before ? (values as Parsed<P>) : null;
  }

  /**
   * Calls a verb. What it refuses with words for the person stands beside `field` (above the form when null), and
   * the result is `null`; outages and faults are thrown on.
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
      this.refuse(typeof field === 'function' ? field(error) : field, error.message);
      return null;
    }
  }
}

const isForThePerson = ({ code }: Refusal): boolean =>
  code !== 'unknown_path' && code !== 'unavailable' && code !== 'internal_error';

/** A form that nobody has sent yet, with what stands in it at first. */
export const newForm = (values: Readonly<Record<string, string>> = {}): FormState => ({
  text: (field) => (Object.hasOwn(values, field) ? values[field]! : ''),
  problemOf: () => null,
  problems: [],
  status: 200,
});
