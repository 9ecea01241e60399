/** Seeded random numbers, so that every demo has the same data. */

/** Uniform numbers from 0 (included) to 1 (excluded). */
export type Chance = () => number;

/** Mulberry32, by Tommy Ettinger (public domain). */
export function createChance(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A Poisson-distributed count (Knuth's algorithm; for small means). */
export function poisson(chance: Chance, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let left = chance(); left > limit; left *= chance()) count += 1;
  return count;
}

export const pick = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance() * list.length)]!;
