import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import type { ReportsTable } from '../../platform/store/tables/listings.ts';
import type { Iso } from '../../platform/text/time-text.ts';
import { MAX_OPEN_REPORTS, type StoredReport } from './report.ts';

type Report = Selectable<ReportsTable>;

/** A literal, because SQLite uses partial indexes only for literal conditions. */
const isOpen = sql<boolean>`closed_at is null`;

export const insertReport = (tx: Transaction, report: Omit<Report, 'closed_at'>): Promise<unknown> =>
  tx.insertInto('reports').values(report).execute();

/** Includes closed reports. */
export const hasReport = (tx: Transaction, id: string): Promise<boolean> =>
  isFound(tx.selectFrom('reports').select('id').where('id', '=', id));

export const readOpenReports = (tx: Transaction, listingId: string): Promise<StoredReport[]> =>
  tx
    .selectFrom('reports')
    .select(['id', 'cause', 'words', 'reporter_id', 'is_confirmed', 'network', 'created_at'])
    .where('listing_id', '=', listingId)
    .where(isOpen)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_OPEN_REPORTS)
    .execute();

export const deleteReport = (tx: Transaction, id: string): Promise<unknown> =>
  tx.deleteFrom('reports').where('id', '=', id).execute();

/** Oldest first, with the names of the reporters who were signed in. */
export const listOpenReports = (db: Queryable, listingId: string) =>
  db
    .selectFrom('reports')
    .leftJoin('accounts', 'accounts.id', 'reports.reporter_id')
    .selectAll('reports')
    .select('accounts.name as reporter')
    .where('reports.listing_id', '=', listingId)
    .where(isOpen)
    .orderBy('reports.created_at')
    .orderBy('reports.id')
    .limit(MAX_OPEN_REPORTS)
    .execute();

export type OpenReport = Awaited<ReturnType<typeof listOpenReports>>[number];

export const hasOpenReports = (
  tx: Transaction,
  { listingId, upTo }: { readonly listingId: string; readonly upTo: Iso },
): Promise<boolean> =>
  isFound(
    tx
      .selectFrom('reports')
      .select('id')
      .where('listing_id', '=', listingId)
      .where('created_at', '<=', upTo)
      .where(isOpen)
      .limit(1),
  );

/** Closes reports that were created at or before `upTo`. Returns whether there were any. */
export const closeReports = (
  tx: Transaction,
  { listingId, upTo, at }: { readonly listingId: string; readonly upTo: Iso; readonly at: Iso },
): Promise<boolean> =>
  isFound(
    tx
      .updateTable('reports')
      .set({ closed_at: at, network: null })
      .where('listing_id', '=', listingId)
      .where('created_at', '<=', upTo)
      .where(isOpen)
      .returning('id'),
  );

export const closeReport = (tx: Transaction, id: string, at: Iso): Promise<unknown> =>
  tx.updateTable('reports').set({ closed_at: at, network: null }).where('id', '=', id).execute();

interface ClosedReports {
  readonly listingId: string;
  readonly closedAt: Iso;
}

/** The reports by people with a confirmed address. Each person has at most one. */
export const listClosedReports = (db: Queryable, { listingId, closedAt }: ClosedReports) =>
  db
    .selectFrom('reports')
    .select(['reporter_id', 'cause', 'words', 'created_at'])
    .where('listing_id', '=', listingId)
    .where('closed_at', '=', closedAt)
    .where('reporter_id', 'is not', null)
    .where('is_confirmed', '=', 1)
    .$narrowType<{ reporter_id: string }>()
    .orderBy('id')
    .execute();

/** For a suspension that is undone. The hash of the network has been deleted. */
export const reopenReports = (tx: Transaction, { listingId, closedAt }: ClosedReports): Promise<unknown> =>
  tx
    .updateTable('reports')
    .set({ closed_at: null })
    .where('listing_id', '=', listingId)
    .where('closed_at', '=', closedAt)
    .execute();

const closedBefore = (before: Iso) => sql<boolean>`closed_at is not null and closed_at < ${before}`;

export const hasClosedReports = (db: Queryable, before: Iso): Promise<boolean> =>
  isFound(db.selectFrom('reports').select('id').where(closedBefore(before)).limit(1));

export const deleteClosedReports = (tx: Transaction, before: Iso): Promise<unknown> =>
  tx.deleteFrom('reports').where(closedBefore(before)).execute();
