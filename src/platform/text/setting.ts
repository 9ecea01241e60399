/** Settings of the desk. The form, its parsing, the defaults and the names in the audit log are derived from them. */
import { invalid } from '../errors.ts';
import { currentLanguage } from '../languages/language.ts';
import { message, type Words } from '../languages/translate.ts';
import { optional, parseOneOf } from './text.ts';
import { typedNumber } from './typed-number.ts';

interface SettingChoice<Value extends string = string> {
  readonly value: Value;
  readonly label: Words;
  readonly hint?: Words;
}

export interface SettingField<T = unknown> {
  readonly label: Words;
  readonly hint?: Words;
  /** A line of text by default. */
  readonly control?: 'text' | 'number' | 'date' | 'time' | 'select' | 'choice' | 'toggle';
  /** `depends`: required only in some cases. By default, a field is optional if its initial value is `null`. */
  readonly optional?: boolean | 'depends';
  readonly choices?: readonly SettingChoice[];
  /** Text after the control, such as a unit. */
  readonly after?: Words;
  readonly placeholder?: Words;
  /** Height of a text, in lines. */
  readonly rows?: number;
  /** For addresses. */
  readonly mono?: boolean;
  readonly short?: boolean;
  /** Throws `invalid_request`. `textOf`: another field of the form. A toggle has the text `yes` or none. */
  readonly parse: (text: string, textOf: (name: string) => string) => T;
}

export type Setting<T = unknown> = SettingField<T> & {
  /** Name in the audit log; by default the label. */
  readonly loggedAs?: Words;
  /** Shown only if mail is sent. */
  readonly needsMail?: boolean;
  /** Shown only if people can sign in with an identity provider. */
  readonly needsProvider?: boolean;
} & Initial<T>;

/** The value until an operator changes it; `null` by default. */
type Initial<T> = null extends T ? { readonly initial?: T } : { readonly initial: T };

export type ValuesOf<Table extends Readonly<Record<string, SettingField>>> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]['parse']>;
};

export type Settings<Values> = { readonly [Name in keyof Values]: Setting<Values[Name]> };

export const initialOf = <Values>(settings: Settings<Values>): Values =>
  mapped(settings, ({ initial = null }) => initial) as Values;

export const loggedNames = <Values>(settings: Settings<Values>): Readonly<Record<keyof Values, Words>> =>
  mapped(settings, ({ label, loggedAs = label }) => loggedAs) as Record<keyof Values, Words>;

const mapped = <Values>(settings: Settings<Values>, change: (setting: Setting) => unknown): unknown =>
  Object.fromEntries(Object.entries<Setting>(settings).map(([name, setting]) => [name, change(setting)]));

interface Bounds {
  readonly label: Words;
  readonly min?: number | undefined;
  readonly max: number;
}

function parseCount(text: string, { label, min = 1, max }: Bounds): number {
  const typed = typedNumber(text, currentLanguage().code);
  const count = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
  if (count < min || count > max) {
    throw invalid(
      message('“{label}” must be a whole number from {min, number} to {max, number}.', { label, min, max }),
    );
  }
  return count;
}

/** A whole number. */
export const count = <const Row extends Bounds>({ min, max, ...row }: Row) =>
  ({
    ...row,
    control: 'number',
    parse: (text: string) => parseCount(text, { label: row.label, min, max }),
  }) as const;

/** A whole number, or `null` if the field is empty. */
export const optionalCount = <const Row extends Bounds>(row: Row) => {
  const { parse, ...rest } = count(row);
  return { ...rest, parse: (text: string) => optional(text, parse) };
};

export const toggle = <const Row extends object>(row: Row) =>
  ({ ...row, control: 'toggle', parse: (text: string) => text !== '' }) as const;

interface Choices<Value extends string> {
  readonly choices: readonly SettingChoice<Value>[];
  /** The error if none of the choices was sent. */
  readonly refusal: Words;
}

export const choice = <Value extends string, const Row extends object>(row: Row & Choices<Value>) =>
  ({
    ...row,
    control: 'choice',
    parse: (text: string): Value =>
      parseOneOf(
        row.choices.map(({ value }) => value),
        text,
        () => row.refusal,
      ),
  }) as const;
