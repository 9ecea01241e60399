/** Seeded: demos filled on the same weekday at the same time of day have the same people and claims. */
import type { Context } from '../../base/context.ts';
import { type CreateAccount, createAccount, recordUse } from '../../people/accounts/create.ts';
import type { NewKey } from '../../people/keys/create.ts';
import { OWNERS, type Person } from './market.ts';

/** Returns a uniformly distributed number from 0 (inclusive) to 1 (exclusive). */
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

/** Returns a Poisson-distributed count. Uses Knuth's algorithm, which is suitable only for small means. */
export function poisson(chance: Chance, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let left = chance(); left > limit; left *= chance()) count += 1;
  return count;
}

export const pick = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance() * list.length)]!;

const FIRST_NAMES =
  `Ada Aisha Alba Amir Anouk Anton Aroha Bao Bea Carlos Chiara Chidi Dana Daniel Diego Elif Elin Emre
Esther Farah Femi Finn Freya Gabriel Greta Hana Hugo Ida Ines Isaac Jana Jonas Julia Kai Kofi Lara Leila Leo Lena
Linh Luca Maja Malik Marta Mateo Mei Mila Milan Moritz Nadia Nikos Noor Olivia Omar Paula Pedro Priya Rafael Rosa
Sam Sara Selma Sofia Soren Tariq Theresa Tomas Uma Vera Victor Wanda Yara Yusuf Zoe`.split(/\s+/);

const LAST_NAMES =
  `Abadi Adeyemi Almeida Andersen Baker Bauer Becker Bianchi Bos Castillo Chen Costa Dahl Demir Dubois
Eriksen Fischer Fontana Garcia Grant Haddad Hansen Horvat Ito Ivanova Jansen Kaya Keller Khan Kim Kowalski Laurent
Lehmann Lopez Marin Mensah Meyer Moreau Mwangi Nakamura Nguyen Novak Okafor Olsen Osei Park Patel Pereira Petrov
Quinn Ramos Reyes Ricci Rossi Santos Sato Schulz Silva Singh Sorensen Tanaka Torres Vega Visser Walker Weber Wood
Yilmaz Zhang`.split(/\s+/);

export function createPeople(chance: Chance): () => Person {
  const countByName = new Map<string, number>();
  return () => {
    const [first, last] = [pick(chance, FIRST_NAMES), pick(chance, LAST_NAMES)];
    const local = `${first}.${last}`.toLowerCase();
    const namesakes = countByName.get(local) ?? 0;
    countByName.set(local, namesakes + 1);
    return {
      name: `${first} ${last}`,
      email: `${local}${namesakes === 0 ? '' : namesakes + 1}@mail.example`,
    };
  };
}

/** Name of the key that each owner's server uses. */
export const SERVER_KEY = 'web server';

export interface Cast {
  /** Account IDs by email address. */
  readonly accounts: Map<string, string>;
  /** Offer IDs by name. */
  readonly offers: Map<string, string>;
  /** Keys by owner and name. After a roll, the old key is stored under its name followed by ` (old)`. */
  readonly keys: Map<string, Pick<NewKey, 'id' | 'key'>>;
}

export const keyOf = (cast: Cast, owner: string, name = SERVER_KEY): Pick<NewKey, 'id' | 'key'> =>
  cast.keys.get(`${owner} ${name}`)!;

export const ownerId = (cast: Cast, owner: string): string => cast.accounts.get(OWNERS[owner]!.email)!;

export async function signUp(
  { past, cast }: { readonly past: Context; readonly cast: Cast },
  person: Person,
  how: Omit<CreateAccount, keyof Person>,
): Promise<string> {
  const { id } = await createAccount(past, { ...person, ...how });
  await recordUse(past, id);
  cast.accounts.set(person.email, id);
  return id;
}
