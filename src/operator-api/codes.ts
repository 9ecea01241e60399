/** The operator's operations on the codes of offers. */
import { z } from '@hono/zod-openapi';
import { MAX_CODES_OF_CALL, MAX_CODES_OF_OFFER } from '../offers/code.ts';
import { addCodes, withdrawCodes } from '../offers/codes.ts';
import { OPERATOR_PATH, operatorRoute, UNKNOWN_OFFER, uuid } from './definitions.ts';

/** Bytes of a body: a thousand codes of fifty characters. */
export const MAX_CODES_BYTES = 64 * 1024;

const CODES = `${OPERATOR_PATH}/offers/{id}/codes`;

const path = z.object({ id: uuid.meta({ description: 'Id of an offer.' }) });
const codes = z
  .array(z.string())
  .min(1)
  .max(MAX_CODES_OF_CALL)
  .meta({
    description: 'Codes of at most 200 characters, without spaces.',
    example: ['NOTES-7G3K-99QX', 'NOTES-81HD-0C4T'],
  });
const leftOut = z
  .array(
    z
      .strictObject({
        line: z.int().meta({ description: 'The place of the code in the call, from 1.' }),
        reason: z.string().meta({ description: 'Why, in a sentence that does not repeat the code.' }),
      })
      .openapi('CodeLeftOut'),
  )
  .meta({ description: 'The codes of the call that nothing was done with.' });

const change = { method: 'post', scope: 'offers:write', errors: UNKNOWN_OFFER } as const;

const linesOf = (texts: readonly string[]) => texts.map((text, index) => ({ line: index + 1, text }));

export const CODE_ROUTES = [
  operatorRoute(
    {
      ...change,
      id: 'addCodes',
      command: { name: 'codes add' },
      path: CODES,
      summary: 'Add codes',
      description: `Adds codes to the list of an offer with a code list, in the given order; each new claim gets the next one. A code that is malformed, or that the list has already, is left out and named, so after a lost response, send the same call again. An offer has at most ${MAX_CODES_OF_OFFER} codes, given ones included; a call that would exceed that adds none.`,
      input: {
        path,
        body: { schema: z.strictObject({ codes }).openapi('CodesToAdd'), maxBytes: MAX_CODES_BYTES },
      },
      outputs: {
        200: {
          description: 'What was added.',
          schema: z
            .strictObject({
              added: z.int(),
              left_out: leftOut,
              codes_left: z.int().meta({ description: 'Codes in the list that no claim has yet.' }),
              codes_given: z.int(),
            })
            .openapi('AddedCodes'),
          examples: {
            added: {
              added: 1,
              left_out: [{ line: 2, reason: 'The list already has the code.' }],
              codes_left: 41,
              codes_given: 120,
            },
          },
        },
      },
    },
    async ({ caller, path: { id }, body }, context) => {
      const input = { offerId: id, actor: caller.actor, lines: linesOf(body.codes) };
      const { bad, ...added } = await addCodes(context, input);
      return { ...added, left_out: [...bad] };
    },
  ),
  operatorRoute(
    {
      ...change,
      id: 'withdrawCodes',
      command: { name: 'codes withdraw' },
      path: `${CODES}/withdraw`,
      summary: 'Withdraw codes',
      description:
        'Deletes codes of an offer that no claim has: the ones in `codes`, or all that are left. A code that a claim has stays with it.',
      input: {
        path,
        body: {
          schema: z.strictObject({ codes: codes.optional() }).openapi('CodesToWithdraw'),
          maxBytes: MAX_CODES_BYTES,
        },
      },
      outputs: {
        200: {
          description: 'What was withdrawn.',
          schema: z.strictObject({ withdrawn: z.int(), left_out: leftOut }).openapi('WithdrawnCodes'),
          examples: { withdrawn: { withdrawn: 41, left_out: [] } },
        },
      },
    },
    async ({ caller, path: { id }, body }, context) => {
      const lines = body.codes === undefined ? null : linesOf(body.codes);
      const { withdrawn, bad } = await withdrawCodes(context, { offerId: id, actor: caller.actor, lines });
      return { withdrawn, left_out: [...bad] };
    },
  ),
] as const;
