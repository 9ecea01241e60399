/** Exports claims for a spreadsheet or another program. */
import { stringify } from 'csv-stringify/sync';
import type { Context } from '../context.ts';
import { findListing } from '../listings/queries.ts';
import { type ClaimRecord, readClaims } from './queries.ts';

/** Claims read at a time; each page is a short read of its own. */
const PAGE_SIZE = 2_000;

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The columns of an export. No token is among them: a file of claims is not a place for secrets. */
const COLUMNS = [
  'claim_id',
  'listing',
  'offer_id',
  'offer',
  'kind',
  'via',
  'claimant',
  'claimed_at',
  'redeemed_at',
  'replaced_at',
] as const satisfies readonly (keyof ClaimRecord)[];

export interface ExportInput {
  /** Slug or id of one listing; `null` for all. */
  readonly listing: string | null;
  readonly format: ExportFormat;
}

export interface ExportedPage {
  readonly text: string;
  readonly claims: number;
}

/**
 * The live claims there are when it begins, and perhaps some made meanwhile, in the order of creation, as text. The
 * next page is read when it is asked for. CSV has a header, and a cell that a spreadsheet would take for a
 * formula begins with an apostrophe. Throws `invalid_request` for an unknown listing.
 */
export async function* exportClaims(
  context: Pick<Context, 'db'>,
  input: ExportInput,
): AsyncGenerator<ExportedPage, void> {
  const listing = input.listing === null ? null : await findListing(context.db.read, input.listing);
  if (input.format === 'csv') yield { text: `${COLUMNS.join(',')}\n`, claims: 0 };
  for (let afterSeq = 0; ; ) {
    const rows = await readClaims(context.db.read, { listing, afterSeq, limit: PAGE_SIZE });
    const last = rows.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
    const records = rows.map(({ seq: _, ...record }) => record);
    yield { text: input.format === 'csv' ? toCsv(records) : toNdjson(records), claims: rows.length };
    if (rows.length < PAGE_SIZE) return;
  }
}

const toCsv = (records: readonly ClaimRecord[]): string =>
  stringify([...records], { columns: [...COLUMNS], escape_formulas: true });

const toNdjson = (records: readonly ClaimRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
