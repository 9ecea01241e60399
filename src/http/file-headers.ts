/** The headers of an answer that a browser saves as a file. */
import type { PageContext } from './pages.ts';

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** All that happened until this time is in the file, ISO 8601 UTC; without it nothing is missing. */
const AS_OF_HEADER = 'Claimcheck-As-Of';

/** `name`: of the file, without its ending; letters, digits and hyphens. `asOf`: of what was read. */
export function saveAs(
  c: PageContext,
  name: string,
  format: keyof typeof CONTENT_TYPES,
  asOf: string | null,
): void {
  if (asOf !== null) c.header(AS_OF_HEADER, asOf);
  c.header('Content-Type', CONTENT_TYPES[format]);
  c.header('Content-Disposition', `attachment; filename="${name}.${format}"`);
}
