/** Formats the results as a table for the terminal, and writes them to files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Goal, Result } from './bench.ts';
import type { Machine } from './setup/machine.ts';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

export interface RowResult extends Result {
  readonly row: string;
}

/** A row that was skipped or failed. */
export interface Gap {
  readonly row: string;
  readonly why: string;
}

export interface Report {
  readonly machine: Machine;
  /** `mode`: `quick`, `default` or `full`. */
  readonly run: { readonly mode: string; readonly rounds: number; readonly seconds: number };
  readonly results: readonly RowResult[];
  readonly gaps: readonly Gap[];
}

interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** Spread of the ratios (subject divided by baseline) of all rounds; `null` without a baseline. */
const ratios = ({ subject, baseline }: Result): Spread | null =>
  baseline === undefined ? null : spread(subject.map((value, round) => value / baseline.values[round]!));

/** Whether the median meets the goal; `null` without a goal. */
function isMet(result: Result): boolean | null {
  const { goal } = result;
  if (!goal) return null;
  const { median } = goal.of === 'ratio' ? ratios(result)! : spread(result.subject);
  return goal.at === 'least' ? median >= goal.value : median <= goal.value;
}

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);

const amount = (values: readonly number[], unit: Result['unit']): string =>
  unit === 'per second' ? `${number(spread(values).median)}/s` : `${number(spread(values).median)} ${unit}`;

const goalText = (goal: Goal | null | undefined, unit: Result['unit']): string => {
  if (!goal) return '–';
  const sign = goal.at === 'least' ? '≥' : '≤';
  return goal.of === 'ratio' ? `${sign} ${goal.value}` : `${sign} ${goal.value} ${unit}`;
};

const COLUMNS = [
  'row',
  'what',
  'Claimcheck',
  'compared with',
  'baseline figure',
  'ratio (min–max)',
  'goal',
  'met',
];

function cells(result: RowResult): readonly string[] {
  const ratio = ratios(result);
  const met = isMet(result);
  return [
    result.row,
    result.what,
    amount(result.subject, result.unit),
    result.baseline?.name ?? '–',
    result.baseline === undefined ? '–' : amount(result.baseline.values, result.unit),
    ratio === null ? '–' : `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`,
    goalText(result.goal, result.unit),
    met === null ? '–' : met ? 'yes' : 'no',
  ];
}

export function terminalTable(results: readonly RowResult[]): string {
  const rows = [COLUMNS, ...results.map(cells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function markdown({ machine, run, results, gaps }: Report): string {
  const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`;
  const notes = results.flatMap((result) => (result.notes ?? []).map((note) => `- ${result.row}: ${note}`));
  return [
    `# Bench of ${machine.date}`,
    '',
    `Commit ${machine.commit}; ${run.mode} run, ${run.rounds} rounds. In each round, Claimcheck and the baseline take turns of ${run.seconds} s. Load program: ${machine.load}.`,
    `${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GiB, ${machine.system}; a 4 KiB write and flush takes ${machine.flushUs} µs.`,
    `Node ${machine.node}, SQLite ${machine.sqlite}, PostgreSQL ${machine.postgresql ?? 'not used'}.`,
    '',
    line(COLUMNS),
    line(COLUMNS.map(() => '---')),
    ...results.map((result) => line(cells(result))),
    '',
    'Each figure is the median over the rounds. Each ratio is the median of the ratios of all rounds.',
    ...(notes.length > 0 ? ['', ...notes] : []),
    ...(gaps.length > 0 ? ['', 'Not measured:', '', ...gaps.map(({ row, why }) => `- ${row}: ${why}`)] : []),
    '',
  ].join('\n');
}

/** Without the extension. */
export const reportPath = ({ machine, run }: Pick<Report, 'machine' | 'run'>): string =>
  `bench/results/${machine.date}-${run.mode}`;

/** Writes `reportPath` with the extensions `.json` and `.md`. */
export async function writeReport(report: Report): Promise<void> {
  const path = join(REPOSITORY, reportPath(report));
  // As in the files of earlier versions, goals are in `reach` and `reached`.
  const results = report.results.map((result) => {
    const { goal = null, baseline = null, notes = [], ...rest } = result;
    return { ...rest, baseline, reach: goal, notes, ratio: ratios(result), reached: isMet(result) };
  });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.json`, `${JSON.stringify({ ...report, results }, null, 2)}\n`);
  await writeFile(`${path}.md`, markdown(report));
}
