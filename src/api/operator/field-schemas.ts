/** Schemas of the fields of a listing or an offer, derived from their description. */
import { z } from '@hono/zod-openapi';
import type { Field, Fields } from '../../platform/text/fields.ts';
import { capital } from '../../platform/text/text.ts';
import { time } from '../owner/schemas.ts';

type InputOf<F extends Field> = F extends { readonly maxNumber: number } ? z.ZodNumber : z.ZodString;

/** To create something. */
export const inputOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { about, choices, maxLength, maxNumber, example, isRequired }]) => {
      const plain = maxNumber === undefined ? z.string() : z.int().min(1).max(maxNumber);
      const schema = plain.meta({ description: `${capital(about)}.`, maxLength, enum: choices, example });
      return [name, isRequired ? schema : schema.optional()];
    }),
  ) as unknown as {
    readonly [Name in keyof F]: F[Name] extends { readonly isRequired: true }
      ? InputOf<F[Name]>
      : z.ZodOptional<InputOf<F[Name]>>;
  };

/** To change something: the call sends only the fields to change. */
export const changeOf = <F extends Fields>(fields: F) => z.object(inputOf(fields)).partial().shape;

type OutputOf<F extends Field> = F extends { readonly maxNumber: number }
  ? z.ZodNumber
  : F extends { readonly choices: readonly string[] }
    ? z.ZodType<F['choices'][number]>
    : z.ZodString;

export const outputOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { about, choices, maxNumber, isTime, isRequired }]) => {
      const plain =
        maxNumber !== undefined
          ? z.int()
          : choices !== undefined
            ? z.enum(choices)
            : isTime
              ? time
              : z.string();
      const schema = isRequired ? plain : plain.nullable();
      return [name, isTime ? schema : schema.meta({ description: `${capital(about)}.` })];
    }),
  ) as unknown as {
    readonly [Name in keyof F]: F[Name] extends { readonly isRequired: true }
      ? OutputOf<F[Name]>
      : z.ZodNullable<OutputOf<F[Name]>>;
  };
