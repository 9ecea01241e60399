/** SQL that removes expired rows: the reader finds their keys, and the writer deletes them in portions. */
import { type RawBuilder, sql } from 'kysely';
import { deleteMails, emptyMails, findOldMails, findSpentMails } from '../mail/queries.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { toIso } from '../text/time-text.ts';
import { LATEST_END_MS } from './throttle-queries.ts';

interface Expiring {
  readonly find: (db: Queryable, at: string, limit: number) => Promise<string[]>;
  /** Deletes the rows that are still expired. */
  readonly remove: (tx: Transaction, at: string, keys: readonly string[]) => Promise<unknown>;
}

function rowsOf(table: string, key: string, isExpired: (at: string) => RawBuilder<unknown>): Expiring {
  const [name, column] = [sql.table(table), sql.ref<string>(key)];
  return {
    find: async (db, at, limit) => {
      const { rows } = await sql<{
        found: string;
      }>`select ${column} as found from ${name} where ${isExpired(at)} limit ${limit}`.execute(db);
      return rows.map(({ found }) => found);
    },
    remove: (tx, at, keys) =>
      sql`delete from ${name} where ${column} in (${sql.join(keys)}) and ${isExpired(at)}`.execute(tx),
  };
}

const hasEnded = (at: string) => sql`expires_at <= ${at}`;

/** `mailKeptMs`: how long the operator sees a mail. */
export const expiringTables = (mailKeptMs: number): readonly Expiring[] => [
  rowsOf('sessions', 'id', (at) => sql`(${hasEnded(at)} or idle_expires_at <= ${at})`),
  rowsOf('one_time_codes', 'code_hash', hasEnded),
  // Texts of mails whose code was deleted above or by another process before the mail was kept.
  {
    find: (db, _at, limit) => findSpentMails(db, limit),
    remove: (tx, _at, keys) => emptyMails(tx, keys),
  },
  {
    find: (db, at, limit) => findOldMails(db, toIso(Date.parse(at) - mailKeptMs), limit),
    remove: (tx, _at, keys) => deleteMails(tx, keys),
  },
  rowsOf('email_sign_ins', 'link_hash', hasEnded),
  rowsOf('sign_in_steps', 'secret_hash', hasEnded),
  rowsOf('oidc_sign_ins', 'state_hash', hasEnded),
  rowsOf('throttles', 'key', (at) => {
    const now = Date.parse(at);
    return sql`(expires_ms <= ${now} or expires_ms > ${now + LATEST_END_MS})`;
  }),
];
