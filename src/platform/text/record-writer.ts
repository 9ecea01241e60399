/** The formats in which owners and operators export records. */
import { type CsvStyle, csvWriter, type RecordWriter } from './csv.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `csvStyle`: ignored with NDJSON. */
export const recordWriter = (
  format: ExportFormat,
  columns: readonly string[],
  csvStyle: CsvStyle = null,
): RecordWriter => (format === 'csv' ? csvWriter(columns, csvStyle) : ndjsonWriter(columns));

const ndjsonWriter = (columns: readonly string[]): RecordWriter => ({
  header: '',
  rows: (records) => records.map((record) => `${JSON.stringify(record, [...columns])}\n`).join(''),
});
