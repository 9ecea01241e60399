/** What `sweep.ts` deletes, and when it has expired. */
import { type RawBuilder, sql } from 'kysely';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { OF_MAILED_CODES } from '../../platform/store/partial-indexes.ts';
import { DAY_MS, HOUR_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { deleteMails, emptyMails, findOldMails, findSpentMails } from '../mail/queries.ts';
import { EXPIRED_INVITATION_DAYS } from './codes/one-time-code.ts';
import { MAIL_USE_MS } from './limits/mail-use-queries.ts';
import { LATEST_END_MS } from './limits/queries.ts';

/** Rows that are found on a read connection and deleted in batches. */
interface Expiring {
  readonly find: (db: Queryable, at: string, limit: number) => Promise<string[]>;
  /** Deletes only rows that are still expired. */
  readonly remove: (tx: Transaction, at: string, keys: readonly string[]) => Promise<unknown>;
}

function rowsOf(table: string, key: string, isExpired: (at: string) => RawBuilder<unknown>): Expiring {
  const [name, column] = [sql.table(table), sql.ref<string>(key)];
  return {
    find: async (db, at, limit) => {
      const { rows } = await sql<{
        key: string;
      }>`select ${column} as key from ${name} where ${isExpired(at)} limit ${limit}`.execute(db);
      return rows.map(({ key }) => key);
    },
    remove: (tx, at, keys) =>
      sql`delete from ${name} where ${column} in (${sql.join(keys)}) and ${isExpired(at)}`.execute(tx),
  };
}

const hasEnded = (at: string) => sql`expires_at <= ${at}`;

interface Expiry {
  /** How long unsent mail is kept in the Outbox. */
  readonly mailKeptMs: number;
  /** ISO 8601. Rows that were created later come from a clock that was ahead, and would be valid for too long. */
  readonly future: string;
}

export const expiringTables = ({ mailKeptMs, future }: Expiry): readonly Expiring[] => [
  rowsOf(
    'sessions',
    'id',
    (at) => sql`(${hasEnded(at)} or idle_expires_at <= ${at} or created_at > ${future})`,
  ),
  // Expired codes of mails stay for a while, because unused mails are counted (`readMailUse`).
  rowsOf(
    'one_time_codes',
    'code_hash',
    (at) =>
      sql`(created_at > ${future} or (${hasEnded(at)} and not (${sql.raw(OF_MAILED_CODES)} and created_at > ${toIso(Date.parse(at) - MAIL_USE_MS)})))`,
  ),
  // Clears the text of mails whose code has expired or no longer exists.
  {
    find: findSpentMails,
    remove: (tx, _at, keys) => emptyMails(tx, keys),
  },
  {
    find: (db, at, limit) => findOldMails(db, toIso(Date.parse(at) - mailKeptMs), limit),
    remove: (tx, _at, keys) => deleteMails(tx, keys),
  },
  ...(
    [
      ['waiting_people', 'id'],
      ['email_sign_ins', 'link_hash'],
      ['sign_in_steps', 'secret_hash'],
    ] as const
  ).map(([table, key]) => rowsOf(table, key, (at) => sql`(${hasEnded(at)} or created_at > ${future})`)),
  rowsOf(
    'invitations',
    'id',
    (at) =>
      sql`(expires_at <= ${toIso(Date.parse(at) - EXPIRED_INVITATION_DAYS * DAY_MS)} or created_at > ${future})`,
  ),
  // These last for minutes, so a later end is wrong.
  rowsOf('oidc_sign_ins', 'state_hash', (at) => sql`(${hasEnded(at)} or expires_at > ${future})`),
  // Approved names are kept only so that the approval can be undone.
  rowsOf('account_requests', 'id', (at) => sql`approved_at <= ${toIso(Date.parse(at) - HOUR_MS)}`),
  rowsOf('throttles', 'key', (at) => {
    const now = Date.parse(at);
    return sql`(expires_ms <= ${now} or expires_ms > ${now + LATEST_END_MS})`;
  }),
];
