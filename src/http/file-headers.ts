/** The headers of an answer that a browser saves as a file. */
import type { PageContext } from './pages.ts';

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** `name`: of the file, without its ending; letters, digits and hyphens. */
export function saveAs(c: PageContext, name: string, format: keyof typeof CONTENT_TYPES): void {
  c.header('Content-Type', CONTENT_TYPES[format]);
  c.header('Content-Disposition', `attachment; filename="${name}.${format}"`);
}
