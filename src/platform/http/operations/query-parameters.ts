import { z } from '@hono/zod-openapi';
import { invalid } from '../../errors.ts';
import type { SecretBox } from '../../secrets/secret-keys.ts';
import { parseZonedTime, toIso } from '../../text/time-text.ts';

/** In a query, `+` means a space unless the client encodes it. */
const parseTime = (text: string): number | null => parseZonedTime(text.replace(/ (?=\d\d:\d\d$)/, '+'));

/** Parses a time and converts it to the format of the database. */
export const timeParameter = (description: string) =>
  z
    .string()
    .refine(
      (text) => parseTime(text) !== null,
      'must be a time such as 2026-11-20T10:00:00Z or 2026-11-20T11:00:00+01:00',
    )
    .transform((text) => toIso(parseTime(text)!))
    .optional()
    .meta({ description, format: 'date-time', example: '2026-11-20T10:00:00Z' });

export const limitParameter = (usual: number, most: number) =>
  z
    .string()
    .refine(
      (text) => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= most,
      `must be a whole number from 1 to ${most}`,
    )
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: most,
      default: usual,
      description: 'Maximum number of entries in a page.',
    });

/** Cursors are padded to this length before encryption, so that the encrypted length reveals nothing. */
const SEALED_CHARACTERS = 48;

export function sealedCursors(
  box: SecretBox,
  list: 'claims' | 'calls' | 'redemptions' | 'events' | 'own claims',
  accountId: string,
) {
  const purpose = `cursor:${list}:${accountId}`;
  /** Decrypts a cursor. Returns `undefined` if the text is not a cursor of this list and account. */
  const open = (text = '') => box.unseal(text, purpose)?.trimEnd();
  return {
    /** Encryption is randomized, so polling doesn't reveal whether the log has grown. */
    seal: (cursor: string) => box.seal(cursor.padEnd(SEALED_CHARACTERS), purpose),
    open,
    /** Decrypts and parses a cursor. Throws `invalid_request` if the text is not a cursor of this list and account. */
    parse<T>(text: string, parse: (cursor: string) => T | null): T {
      const cursor = open(text);
      const position = cursor === undefined ? null : parse(cursor);
      if (position === null)
        throw invalid('The query parameter `after` must be the `next` of an earlier page.');
      return position;
    },
  };
}
