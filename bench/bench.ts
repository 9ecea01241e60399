/** A row of the benchmark, with its input and results. */

import { ENGINES, type Engine } from './setup/installation.ts';
import type { LargeInstallation } from './setup/large-installation.ts';
import type { PostgresServer } from './setup/postgres.ts';
import type { Stock } from './setup/stock.ts';

export interface Bench {
  /** Number of claims in the main installation of each engine, and in the `bytes` and `import` rows. */
  readonly claims: number;
  /** Number of claims in the large installation, and in the `years` row. */
  readonly manyClaims: number;
  /** Number of measurements of the subject, and of each baseline. */
  readonly rounds: number;
  /** Duration of a measurement. */
  readonly seconds: number;
  /** Temporary folder, deleted when the run ends. */
  readonly scratch: string;
  /** The main installation of an engine, set up on first use. */
  stock(engine: Engine): Promise<Stock>;
  /** The large installation of an engine, set up on first use. */
  large(engine: Engine): Promise<LargeInstallation>;
  postgres(): Promise<PostgresServer>;
  say(text: string): void;
}

/** A goal for the ratio (subject divided by baseline) or for the value of the subject. */
export interface Goal {
  readonly of: 'ratio' | 'value';
  readonly at: 'least' | 'most';
  readonly value: number;
}

export interface Result {
  readonly what: string;
  readonly unit: 'per second' | 'µs' | 'ms' | 's' | 'MB' | 'bytes';
  /** One value per round. */
  readonly subject: readonly number[];
  readonly baseline?: { readonly name: string; readonly values: readonly number[] };
  /** Without a goal, the result is informational. */
  readonly goal?: Goal | null;
  readonly notes?: readonly string[];
}

export interface Row {
  /** `<engine>-<what>`. `--only` matches any part of the name. */
  readonly name: string;
  readonly engine: Engine;
  readonly about: string;
  run(bench: Bench): Promise<readonly Result[]>;
}

/** Returns one row for each engine. `what`: the row's name without the engine. */
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

/** Thrown if a row can't be measured on this machine or with these options. The report shows the message. */
export class NotMeasured extends Error {}

/** In each round, measures one side after the other, so that other load on the machine affects all sides. */
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

/**
 * Returns the bench with three times as many rounds. A p99 needs more rounds, because a single slow flush can determine
 * the p99 of a round.
 */
export const forTails = (bench: Bench): Bench => ({ ...bench, rounds: bench.rounds * 3 });

export const alternate = (
  bench: Bench,
  subject: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ subject: number[]; baseline: number[] }> => inTurns(bench, { subject, baseline });

export const MEGABYTE = 1_000_000;
