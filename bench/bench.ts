/** Input and result of a row. */

import type { Engine } from './setup/installation.ts';
import type { LargeInstallation } from './setup/large-installation.ts';
import type { PostgresServer } from './setup/postgres.ts';
import type { Stock } from './setup/stock.ts';

export interface Bench {
  /** Claims in the main installation of each engine, and of the bulk rows. */
  readonly claims: number;
  /** Claims in the large installation, and in that of years. */
  readonly manyClaims: number;
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
  readonly unit: 'per second' | 'ms' | 's' | 'MB' | 'bytes';
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

/** Measures all sides in turns, `rounds` times each, so that other load on the machine affects all. */
export async function inTurns<Side extends string>(
  bench: Bench,
  sides: Readonly<Record<Side, () => Promise<number>>>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Side, number[]>;
  for (let round = 1; round <= bench.rounds; round++) {
    for (const name of names) measured[name].push(await sides[name]());
    const shown = names
      .map((name) => measured[name].at(-1)!)
      .map((value) => value.toFixed(value < 100 ? 2 : 0));
    bench.say(`  round ${round}: ${shown.join(' against ')}`);
  }
  return measured;
}

/** A subject and its one baseline, in turns. */
export const alternate = (
  bench: Bench,
  subject: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ subject: number[]; baseline: number[] }> => inTurns(bench, { subject, baseline });

export const MEGABYTE = 1_000_000;
