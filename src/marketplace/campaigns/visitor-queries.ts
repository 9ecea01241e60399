/**
 * Visitors are recognized for one day by a salted hash. On SQLite, salt and hashes stay in memory; on PostgreSQL, in
 * unlogged tables, which are not in the write-ahead log, on standbys or in the service's dumps.
 */
import { hash as digest } from 'node:crypto';
import { sql } from 'kysely';
import { type Engine, isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import { insertionOf } from '../../platform/store/insert-rows.ts';

/** Maximum number of visitors counted per day. Beyond it, only visits are counted. A visitor takes about 40 bytes. */
export const MAX_VISITORS_A_DAY = 250_000;

const SALT_BYTES = 32;
/** Hexadecimal digits per hash. 13 digits are 52 bits, which a JavaScript number represents exactly. */
const HASH_DIGITS = 13;

type Random = (bytes: number) => Uint8Array;

interface NewVisitors {
  readonly isNew: readonly boolean[];
  readonly committed: () => void;
}

export interface VisitorStore {
  /**
   * `mayBegin`: whether to create a salt if the day has none. Must be false if the day's salt may already have been
   * deleted. If the day has no salt, no visitor counts as new, because visitors can't be recognized without a salt.
   */
  add(tx: Transaction, day: string, traits: readonly string[], mayBegin: boolean): Promise<NewVisitors>;
  /** Whether salts or hashes of days before `before` are still stored. */
  remembers(db: Queryable, before: string): Promise<boolean>;
  forget(tx: Transaction, before: string): Promise<void>;
}

const hashOf = (salt: Uint8Array, traits: string): number =>
  Number.parseInt(
    digest('sha256', Buffer.concat([salt, Buffer.from(traits)]), 'hex').slice(0, HASH_DIGITS),
    16,
  );

/** For each hash, whether it is in `fresh` and appears in `hashes` for the first time. */
function firstOf(hashes: readonly number[], fresh: Iterable<number>): readonly boolean[] {
  const left = new Set(fresh);
  return hashes.map((hash) => left.delete(hash));
}

const NOBODY = (traits: readonly string[]): NewVisitors => ({
  isNew: traits.map(() => false),
  committed: () => {},
});

function createMemory(random: Random): VisitorStore {
  const days = new Map<string, { readonly salt: Uint8Array; readonly seenHashes: Set<number> }>();
  return {
    add: async (_tx, day, traits, mayBegin) => {
      let today = days.get(day);
      if (today === undefined) {
        if (!mayBegin) return NOBODY(traits);
        today = { salt: random(SALT_BYTES), seenHashes: new Set() };
        days.set(day, today);
      }
      const { salt, seenHashes } = today;
      const hashes = traits.map((text) => hashOf(salt, text));
      const fresh = [...new Set(hashes)]
        .filter((hash) => !seenHashes.has(hash))
        .slice(0, MAX_VISITORS_A_DAY - seenHashes.size);
      const committed = () => {
        for (const hash of fresh) seenHashes.add(hash);
      };
      return { isNew: firstOf(hashes, fresh), committed };
    },
    remembers: async (_db, before) => [...days.keys()].some((day) => day < before),
    forget: async (_tx, before) => {
      for (const day of days.keys()) if (day < before) days.delete(day);
    },
  };
}

const HASH_COLUMNS = { day: 'text', hash: 'integer' } as const;

const createTables = (random: Random): VisitorStore => ({
  add: async (tx, day, traits, mayBegin) => {
    const today = await lockDay(tx, day, mayBegin ? random(SALT_BYTES) : null);
    if (today === null) return NOBODY(traits);
    const hashes = traits.map((text) => hashOf(today.salt, text));
    const unique = [...new Set(hashes)].slice(0, MAX_VISITORS_A_DAY - today.visitors);
    if (unique.length === 0) return NOBODY(traits);
    const rows = unique.map((hash) => ({ day, hash }));
    const inserted = await sql<{ hash: number }>`
      ${insertionOf('postgres', 'visitors', HASH_COLUMNS, rows)} on conflict do nothing returning hash`.execute(
      tx,
    );
    await tx
      .updateTable('visitor_days')
      .set({ visitors: today.visitors + inserted.rows.length })
      .where('day', '=', day)
      .execute();
    return {
      isNew: firstOf(
        hashes,
        inserted.rows.map(({ hash }) => hash),
      ),
      committed: () => {},
    };
  },
  remembers: (db, before) =>
    isFound(db.selectFrom('visitor_days').select('day').where('day', '<', before).limit(1)),
  forget: async (tx, before) => {
    await tx.deleteFrom('visitors').where('day', '<', before).execute();
    await tx.deleteFrom('visitor_days').where('day', '<', before).execute();
  },
});

/** One process at a time inserts visitors of the day. `salt`: `null` if the row must not be created. */
async function lockDay(tx: Transaction, day: string, salt: Uint8Array | null) {
  const read = () =>
    tx
      .selectFrom('visitor_days')
      .select(['salt', 'visitors'])
      .where('day', '=', day)
      .forUpdate()
      .executeTakeFirst();
  const row = await read();
  if (row !== undefined || salt === null) return row ?? null;
  await tx
    .insertInto('visitor_days')
    .values({ day, salt, visitors: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await read()) ?? null;
}

export const VISITOR_STORES: Readonly<Record<Engine, (random: Random) => VisitorStore>> = {
  sqlite: createMemory,
  postgres: createTables,
  citus: createTables,
};
