/** The headers of an answer that a browser saves as a file. */
import type { PageContext } from './pages.ts';

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** The file has everything up to this time, ISO 8601 UTC. Without the header at most a few seconds are missing. */
const AS_OF_HEADER = 'Claimcheck-As-Of';

/** `name`: of the file, without its ending; letters, digits and hyphens. `asOf`: as in `Stale`. */
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
