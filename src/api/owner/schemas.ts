/** Schemas that operations of owners and of operators share. */
import { z } from '@hono/zod-openapi';

/** Default number of entries in a page of a list. */
export const PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1_000;

/** Normalizes ids to lower case, as the database stores them. */
export const uuid = z.uuid().transform((id) => id.toLowerCase());

export const time = z.iso.datetime({ precision: 3 });
