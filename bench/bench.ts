/** Input and result of a row. */

import type { Engine } from './setup/installation.ts';
import type { LargeInstallation } from './setup/large-installation.ts';
import type { PostgresServer } from './setup/postgres.ts';
import type { Stock } from './setup/stock.ts';

export interface Bench {
  /** Claims in the main installation of each engine, and of the bulk rows. */
  readonly claims: number;
  /** Whether the growth rows are measured: the large installation has more than a hundred thousand claims. */
  readonly growth: boolean;
  /** How often subject and baseline are measured, in turns. */
  readonly rounds: number;
  /** Length of a round. */
  readonly seconds: number;
  /** A folder for everything the run writes; removed afterwards. */
  readonly scratch: string;
  /** The main installation of an engine, set up at first use. */
  stock(engine: Engine): Promise<Stock>;
  /** The installation with very many claims, set up at first use. */
  large(engine: Engine): Promise<LargeInstallation>;
  postgres(): Promise<PostgresServer>;
  /** A line of progress on the terminal. */
  say(text: string): void;
}

/** `ratio`: subject divided by baseline; `value`: the subject itself. */
export interface Reach {
  readonly of: 'ratio' | 'value';
  readonly at: 'least' | 'most';
  readonly value: number;
}

export interface Result {
  readonly row: string;
  readonly what: string;
  readonly unit: 'per second' | 'ms' | 's' | 'MB';
  /** One value a round; where there is a baseline, round i of both ran one after the other. */
  readonly subject: readonly number[];
  readonly baseline: { readonly name: string; readonly values: readonly number[] } | null;
  /** `null`: for information, without a goal. */
  readonly reach: Reach | null;
  readonly notes: readonly string[];
}

export interface Row {
  /** `<engine>-<what>`; `--only` takes it or a part of it. */
  readonly name: string;
  readonly engine: Engine;
  readonly about: string;
  run(bench: Bench): Promise<readonly Result[]>;
}

/** The row cannot be measured here; the sentence says why and goes into the report. */
export class NotMeasured extends Error {}

/** Measures both sides in turns, `rounds` times each, so that other load on the machine affects both. */
export async function alternate(
  bench: Bench,
  subject: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ subject: number[]; baseline: number[] }> {
  const measured = { subject: [] as number[], baseline: [] as number[] };
  for (let round = 1; round <= bench.rounds; round++) {
    measured.subject.push(await subject());
    measured.baseline.push(await baseline());
    const shown = (values: number[]): string => values.at(-1)!.toFixed(values.at(-1)! < 100 ? 2 : 0);
    bench.say(`  round ${round}: ${shown(measured.subject)} against ${shown(measured.baseline)}`);
  }
  return measured;
}

export const MEGABYTE = 1_000_000;
