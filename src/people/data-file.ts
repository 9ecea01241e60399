/** The file with what is stored about a person: one JSON document with a list for each part, or a table. */
import { csvHeader, csvRows } from '../text/csv.ts';
import { DATA_PARTS, type DataPart, type DataRecord } from './data.ts';

export const DATA_FORMATS = ['json', 'csv'] as const;
export type DataFormat = (typeof DATA_FORMATS)[number];

type Pages = AsyncIterable<readonly DataRecord[]>;

export const dataFile = (pages: Pages, format: DataFormat): AsyncGenerator<string, void> =>
  format === 'json' ? toJson(pages) : toCsv(pages);

/** Each part is there, also an empty one. */
async function* toJson(pages: Pages): AsyncGenerator<string, void> {
  let open: DataPart | null = null;
  const begin = (part: DataPart | null): string => {
    const from = open === null ? 0 : DATA_PARTS.indexOf(open) + 1;
    const passed = DATA_PARTS.slice(from, part === null ? undefined : DATA_PARTS.indexOf(part));
    const closing = open === null ? '{\n' : '\n  ],\n';
    const empty = passed.map((each) => `  ${JSON.stringify(each)}: [],\n`).join('');
    open = part;
    return part === null ? closing + empty : `${closing}${empty}  ${JSON.stringify(part)}: [\n`;
  };
  for await (const records of pages) {
    let text = '';
    for (const { part, data } of records) {
      text += part === open ? ',\n' : begin(part);
      text += `    ${JSON.stringify(data)}`;
    }
    if (text !== '') yield text;
  }
  yield `${begin(null).replace(/,\n$/, '\n')}}\n`;
}

/** The parts have different members, so each member is a row. `record` numbers the records of a part. */
const CSV_COLUMNS = ['part', 'record', 'member', 'value'] as const;

async function* toCsv(pages: Pages): AsyncGenerator<string, void> {
  yield csvHeader(CSV_COLUMNS);
  let open: DataPart | null = null;
  let record = 0;
  for await (const records of pages) {
    const rows = records.flatMap(({ part, data }) => {
      record = part === open ? record + 1 : 1;
      open = part;
      return Object.entries(data).map(([member, value]) => ({ part, record, member, value: textOf(value) }));
    });
    if (rows.length > 0) yield csvRows(rows, CSV_COLUMNS);
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
