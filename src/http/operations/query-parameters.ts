/** Parameters that several operations take in their queries. */
import { z } from '@hono/zod-openapi';
import { parseIso, toIso } from '../../text/time-text.ts';

/** Of ISO 8601 in UTC. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/;

/** A time, in the form of the store. */
export const timeParameter = (description: string) =>
  z
    .string()
    .refine(
      (text) => TIME.test(text) && parseIso(text) !== null,
      'must be a time in UTC such as 2026-11-20T10:00:00Z',
    )
    .transform((text) => toIso(Date.parse(text)))
    .optional()
    .openapi({ description, format: 'date-time', example: '2026-11-20T10:00:00Z' });

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
