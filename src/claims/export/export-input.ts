/** Input of an export. */
import type { ClaimFilter } from '../claim-filter.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportInput {
  /** Slug or id of one listing; `null` for all. */
  readonly listing: string | null;
  /** Of the claims of that listing; live ones unless it names a mode. */
  readonly filter?: ClaimFilter;
  readonly format: ExportFormat;
}

export interface OwnerExportInput {
  readonly accountId: string;
  readonly filter: ClaimFilter;
  readonly format: ExportFormat;
}
