/** SQL that removes expired rows: the reader finds their keys, and the writer deletes them in portions. */
import { DAY_MS } from '../durations.ts';
import { deleteMails, emptyMails, findOldMails, findSpentMails } from '../mail/queries.ts';
import type { Queryable, Transaction } from '../store/database.ts';

/** A table whose rows expire. */
export interface Expiring {
  /** At most `limit` keys of expired rows. `at`: now, ISO 8601 UTC. */
  readonly find: (db: Queryable, at: string, limit: number) => Promise<string[]>;
  /** Deletes those of these rows that are still expired. */
  readonly remove: (tx: Transaction, at: string, keys: readonly string[]) => Promise<unknown>;
}

const sessions: Expiring = {
  find: async (db, at, limit) => {
    const rows = await db
      .selectFrom('sessions')
      .select('id')
      .where((eb) => eb.or([eb('expires_at', '<=', at), eb('idle_expires_at', '<=', at)]))
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  },
  remove: (tx, at, keys) =>
    tx
      .deleteFrom('sessions')
      .where('id', 'in', keys)
      .where((eb) => eb.or([eb('expires_at', '<=', at), eb('idle_expires_at', '<=', at)]))
      .execute(),
};

const codes: Expiring = {
  find: async (db, at, limit) => {
    const query = db.selectFrom('one_time_codes').select('code_hash').where('expires_at', '<=', at);
    return (await query.limit(limit).execute()).map(({ code_hash }) => code_hash);
  },
  // A code is never made valid again, so the expiry need not be checked again.
  remove: (tx, _at, keys) => tx.deleteFrom('one_time_codes').where('code_hash', 'in', keys).execute(),
};

/** How long the operator sees a mail: its code has expired by then. */
const MAIL_KEPT_MS = 7 * DAY_MS;

const oldMails: Expiring = {
  find: (db, at, limit) => findOldMails(db, new Date(Date.parse(at) - MAIL_KEPT_MS).toISOString(), limit),
  remove: (tx, _at, keys) => deleteMails(tx, keys),
};

/** Texts of mails whose code was deleted above or by another process before the mail was kept. */
const spentMails: Expiring = {
  find: (db, _at, limit) => findSpentMails(db, limit),
  remove: (tx, _at, keys) => emptyMails(tx, keys),
};

const steps: Expiring = {
  find: async (db, at, limit) => {
    const query = db.selectFrom('sign_in_steps').select('secret_hash').where('expires_at', '<=', at);
    return (await query.limit(limit).execute()).map(({ secret_hash }) => secret_hash);
  },
  remove: (tx, _at, keys) => tx.deleteFrom('sign_in_steps').where('secret_hash', 'in', keys).execute(),
};

const oidcSignIns: Expiring = {
  find: async (db, at, limit) => {
    const query = db.selectFrom('oidc_sign_ins').select('state_hash').where('expires_at', '<=', at);
    return (await query.limit(limit).execute()).map(({ state_hash }) => state_hash);
  },
  remove: (tx, _at, keys) => tx.deleteFrom('oidc_sign_ins').where('state_hash', 'in', keys).execute(),
};

/** `latestEndMs`: a counter that ends later than this from now was written while the clock was ahead. */
const throttles = (latestEndMs: number): Expiring => ({
  find: async (db, at, limit) => {
    const now = Date.parse(at);
    const rows = await db
      .selectFrom('throttles')
      .select('key')
      .where((eb) => eb.or([eb('expires_ms', '<=', now), eb('expires_ms', '>', now + latestEndMs)]))
      .limit(limit)
      .execute();
    return rows.map(({ key }) => key);
  },
  remove: (tx, at, keys) => {
    const now = Date.parse(at);
    return tx
      .deleteFrom('throttles')
      .where('key', 'in', keys)
      .where((eb) => eb.or([eb('expires_ms', '<=', now), eb('expires_ms', '>', now + latestEndMs)]))
      .execute();
  },
});

export const expiringTables = (latestEndMs: number): readonly Expiring[] => [
  sessions,
  codes,
  spentMails,
  oldMails,
  steps,
  oidcSignIns,
  throttles(latestEndMs),
];
