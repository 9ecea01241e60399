/** A row of the benchmark, with its input and results. */

import { ENGINES, type Engine } from './setup/installation.ts';
import type { LargeInstallation } from './setup/large-installation.ts';
import type { PostgresServer } from './setup/postgres.ts';
import type { Stock } from './setup/stock.ts';

export interface Bench {
  /** Claims in the main installation of each engine, and in the bulk rows. */
  readonly claims: number;
  /** Claims in the large installation, and in the `years` rows. */
  readonly manyClaims: number;
  /** Whether to measure the `growth` and `years` rows, which need `manyClaims` to be more than 100,000. */
  readonly growth: boolean;
  /** How often the subject and the baseline are each measured. They take turns. */
  readonly rounds: number;
  /** Seconds for which the subject, and then the baseline, runs in a round. */
  readonly seconds: number;
  /** Folder for everything that the run writes; removed afterwards. */
  readonly scratch: string;
  /** The main installation of an engine, set up at first use. */
  stock(engine: Engine): Promise<Stock>;
  /** The large installation of an engine, set up at first use. */
  large(engine: Engine): Promise<LargeInstallation>;
  postgres(): Promise<PostgresServer>;
  say(text: string): void;
}

/** `ratio`: subject divided by baseline; `value`: the subject itself. */
export interface Reach {
  readonly of: 'ratio' | 'value';
  readonly at: 'least' | 'most';
  readonly value: number;
}

export interface Result {
  readonly what: string;
  readonly unit: 'per second' | 'ms' | 's' | 'MB' | 'bytes';
  /** One value per round. With a baseline, both sides ran one after the other in each round. */
  readonly subject: readonly number[];
  readonly baseline?: { readonly name: string; readonly values: readonly number[] };
  /** The goal. Without one, the result is only for information. */
  readonly reach?: Reach | null;
  readonly notes?: readonly string[];
}

export interface Row {
  /** `<engine>-<what>`. `--only` selects rows by a name or a part of it. */
  readonly name: string;
  readonly engine: Engine;
  readonly about: string;
  run(bench: Bench): Promise<readonly Result[]>;
}

/** The same row on both engines. `what`: the row's name without the engine. */
export const onBothEngines = (
  what: string,
  about: string,
  run: (bench: Bench, engine: Engine) => Promise<readonly Result[]>,
): readonly Row[] =>
  ENGINES.map((engine) => ({
    name: `${engine}-${what}`,
    engine,
    about,
    run: (bench) => run(bench, engine),
  }));

/** The row is not measured, on this machine or with these options. The message says why and goes into the report. */
export class NotMeasured extends Error {}

/** Measures all sides in alternation, `rounds` times each, so that other load on the machine affects all of them. */
export async function inTurns<Side extends string>(
  bench: Bench,
  sides: Readonly<Record<Side, () => Promise<number>>>,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Side, number[]>;
  for (let round = 1; round <= bench.rounds; round++) {
    for (const name of names) measured[name].push(await sides[name]());
    const values = names.map((name) => shown(measured[name].at(-1)!));
    bench.say(`  round ${round}: ${values.join(' against ')}`);
  }
  return measured;
}

const shown = (value: number): string => value.toFixed(value < 100 ? 2 : 0);

/** Measures a subject without a baseline. */
export async function inRounds(bench: Bench, what: string, once: () => Promise<number>): Promise<number[]> {
  const subject: number[] = [];
  for (let round = 1; round <= bench.rounds; round++) subject.push(await once());
  bench.say(`  ${what}: ${subject.map(shown).join(', ')}`);
  return subject;
}

/** The same benchmark with more rounds, for a p99: a single slow flush decides the p99 of a round. */
export const forTails = (bench: Bench): Bench => ({ ...bench, rounds: bench.rounds * 3 });

export const alternate = (
  bench: Bench,
  subject: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ subject: number[]; baseline: number[] }> => inTurns(bench, { subject, baseline });

export const MEGABYTE = 1_000_000;
