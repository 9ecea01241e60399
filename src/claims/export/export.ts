import { findListing } from '../../marketplace/listings/queries.ts';
import { type Scan, scan, type TimePosition } from '../../platform/store/scan.ts';
import type { CsvStyle, RecordWriter } from '../../platform/text/csv.ts';
import { type ExportFormat, recordWriter } from '../../platform/text/record-writer.ts';
import { type ListedClaim, listOwners } from '../queries.ts';
import type { ClaimFilter } from '../search/claim-filter.ts';
import type { Reading } from '../search/search.ts';
import { findClaimList } from '../search/search-queries.ts';
import { withShortId } from '../short-id.ts';

interface ExportInput {
  /** Slug or id of a listing; `null`: all listings. */
  readonly listing: string | null;
  /** Without a `mode`, only live claims are exported. */
  readonly filter?: ClaimFilter;
  readonly format: ExportFormat;
}

export interface OwnerExportInput {
  readonly accountId: string;
  readonly filter: ClaimFilter;
  readonly format: ExportFormat;
  readonly csvStyle?: CsvStyle;
}

/** Page size of command-line exports. */
const PAGE_SIZE = 2_000;
/** Larger pages would outlive the young generation, and their collection would delay verifications. */
const SHORT_PAGE_SIZE = 250;
/** Maximum number of rows read per page if a filter matches few rows. */
const SCANNED_ROWS = 20_000;

/** Must not include the token, which is secret. */
const COLUMNS = [
  'claim_id',
  'short_id',
  'listing',
  'offer_id',
  'offer',
  'kind',
  'via',
  'claimant',
  'claimed_at',
  'redeemed_at',
  'replaced_at',
  'reference',
] as const satisfies readonly (keyof ClaimRecord)[];

/** Includes `mode`, because owners' exports include test claims. */
const OWNER_COLUMNS = [...COLUMNS, 'mode'] as const;

interface ExportedPage {
  /** Pages without claims are yielded too, so that the export can be cancelled while no claim matches. */
  readonly text: string;
  readonly claims: number;
}

/** Orders claims by owner, oldest first. Pages are read on demand and may include claims created since. */
export const exportClaims = (context: Reading, input: ExportInput): AsyncGenerator<ExportedPage, void> =>
  pagesOf(recordWriter(input.format, COLUMNS), readOldestFirst(context, input));

/** Newest first; pages are read on demand. */
export const exportSearch = (
  context: Reading,
  { accountId, filter, format, csvStyle }: OwnerExportInput,
): AsyncGenerator<ExportedPage, void> =>
  pagesOf(
    recordWriter(format, OWNER_COLUMNS, csvStyle),
    readFiltered(context, accountId, filter, { order: 'newest', pageSize: SHORT_PAGE_SIZE }),
  );

async function* readOldestFirst(
  context: Reading,
  { listing, filter }: ExportInput,
): AsyncGenerator<readonly ClaimRecord[], void> {
  const { read } = context.db;
  const listingRow = listing === null ? null : await findListing(read, listing);
  const completeFilter: ClaimFilter = {
    mode: 'live',
    ...filter,
    ...(listingRow !== null && { listing: listingRow.id }),
  };
  for (const accountId of listingRow === null ? await listOwners(read) : [listingRow.account_id]) {
    yield* readFiltered(context, accountId, completeFilter, { order: 'oldest', pageSize: PAGE_SIZE });
  }
}

async function* readFiltered(
  context: Reading,
  accountId: string,
  filter: ClaimFilter,
  { order, pageSize }: { readonly order: 'newest' | 'oldest'; readonly pageSize: number },
): AsyncGenerator<readonly ClaimRecord[], void> {
  const list = await findClaimList(context.db, accountId, filter, order);
  for (let after: TimePosition | null = null; ; ) {
    const { rows, end }: Scan<ListedClaim> = await scan(context.db, list, after, {
      scanned: SCANNED_ROWS,
      limit: pageSize,
    });
    yield rows.map((claim) => ({ claim_id: claim.id, ...withShortId(claim) }));
    if (end === null) return;
    after = end;
  }
}

type ClaimRecord = ListedClaim & { readonly claim_id: string; readonly short_id: string };

async function* pagesOf(
  writer: RecordWriter,
  pages: AsyncGenerator<readonly ClaimRecord[], void>,
): AsyncGenerator<ExportedPage, void> {
  let { header } = writer;
  for await (const records of pages) {
    yield { text: header + writer.rows(records), claims: records.length };
    header = '';
  }
  if (header !== '') yield { text: header, claims: 0 };
}
