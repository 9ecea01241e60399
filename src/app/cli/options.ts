import { type Command, Option } from 'commander';
import { quote } from '../../platform/text/text.ts';

/** Makes the process exit with `USAGE_EXIT_CODE`. */
export class UsageError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UsageError';
  }
}

export interface Described {
  readonly about: string;
  readonly choices?: readonly string[];
  readonly isStrict?: boolean;
  readonly isRequired?: boolean;
  readonly isFlag?: boolean;
  /** Whether the option takes several values. */
  readonly isList?: boolean;
  /** If set, the value must be a whole number from 1 to `maxNumber`. */
  readonly maxNumber?: number;
}

type Fields = Readonly<Record<string, Described>>;

export const optionOf = (name: string): string => `--${name.replaceAll('_', '-')}`;

export const helpOf = ({ about, choices, isStrict }: Described): string =>
  choices === undefined || isStrict ? about : `${about} (${choices.join(', ')})`;

/** Adds an option for each field: `--claim-limit <n>` for `claim_limit`. */
export function addFields(command: Command, fields: Fields): void {
  for (const [name, field] of Object.entries(fields)) {
    const { isFlag, isList, maxNumber } = field;
    const value = maxNumber !== undefined ? 'n' : name.includes('_') ? 'value' : name;
    const option = new Option(
      `${optionOf(name)}${isFlag ? '' : ` <${value}${isList ? '...' : ''}>`}`,
      helpOf(field),
    );
    if (field.isStrict) option.choices(field.choices!);
    command.addOption(option.makeOptionMandatory(field.isRequired === true));
  }
}

export const fieldsOf = <F extends Fields>(
  options: Readonly<Record<string, unknown>>,
  fields: F,
): { readonly [Name in keyof F]?: F[Name] extends { readonly maxNumber: number } ? number : string } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { maxNumber }]) => {
      const value = options[name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
      if (value === undefined) return [];
      return [
        [name, maxNumber === undefined ? value : wholeNumber(optionOf(name), String(value), maxNumber)],
      ];
    }),
  ) as never;

export function wholeNumber(option: string, text: string, max: number): number {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  if (number === 0 || number > max) {
    throw new UsageError(`${option} must be a whole number from 1 to ${max}; found ${quote(text)}.`);
  }
  return number;
}
