/** Parameters that several operations take in their queries. */
import { z } from '@hono/zod-openapi';

/** Of ISO 8601 in UTC; PostgreSQL reads no year 0. */
const TIME = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/;

/** A time, in the form of the store. */
export const timeParameter = (description: string) =>
  z
    .string()
    .refine(isTime, 'must be a time in UTC such as 2026-11-20T10:00:00Z')
    .transform((text) => new Date(text).toISOString())
    .optional()
    .openapi({ description, format: 'date-time', example: '2026-11-20T10:00:00Z' });

/** `Date` moves a day that does not exist, such as the 30th of February, on to one that does. */
function isTime(text: string): boolean {
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text.slice(0, 10);
}

/** Entries of a page. */
export const limitParameter = (usual: number, most: number) =>
  z
    .string()
    .refine(
      (text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= most,
      `must be a whole number from 1 to ${most}`,
    )
    .transform(Number)
    .optional()
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: most,
      default: usual,
      description: 'Entries of a page at most.',
    });
