/** Accounts that may belong to the same person. */
import type { Account } from '../../accounts/queries.ts';
import { networkOf } from '../../network/network.ts';
import type { Queryable } from '../../store/database.ts';
import { isUuid } from '../../store/uuid.ts';
import { HOUR_MS } from '../../text/durations.ts';
import { toIso } from '../../text/time-text.ts';

export interface LookAlike {
  readonly account: Account;
  readonly reason: string;
}

/** Accounts made around the same time that are compared. */
const COMPARED_ACCOUNTS = 1_000;
const SHOWN = 50;

/**
 * Accounts with the same mailbox in another spelling, and accounts made within an hour of this one that are signed in
 * from the same network and browser.
 */
export async function findLookAlikes(db: Queryable, account: Account): Promise<readonly LookAlike[]> {
  const mailbox = db.selectFrom('accounts').select('mailbox').where('id', '=', account.id);
  const sameMailbox = await db
    .selectFrom('accounts')
    .selectAll()
    .where('mailbox', '=', mailbox)
    .where('id', '<>', account.id)
    .orderBy('id')
    .limit(SHOWN)
    .execute();
  const known = new Set(sameMailbox.map(({ id }) => id));
  const nearby = (await findNearby(db, account)).filter(({ id }) => !known.has(id));
  return [
    ...sameMailbox.map((each) => ({ account: each, reason: 'Same mailbox, spelled differently' })),
    ...nearby.map((each) => ({ account: each, reason: 'Same network, hour and browser' })),
  ].slice(0, SHOWN);
}

/** Those of these accounts that are suspended. */
export async function findSuspended(db: Queryable, ids: readonly string[]): Promise<readonly Account[]> {
  const known = ids.filter(isUuid).slice(0, SHOWN);
  if (known.length === 0) return [];
  return await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', known)
    .where('suspended_at', 'is not', null)
    .orderBy('id')
    .execute();
}

async function findNearby(db: Queryable, account: Account): Promise<readonly Account[]> {
  const own = await db
    .selectFrom('sessions')
    .select(['ip', 'user_agent'])
    .where('account_id', '=', account.id)
    .execute();
  const places = new Set(own.filter(({ ip }) => ip !== null).map(placeOf));
  if (places.size === 0) return [];
  const madeMs = Date.parse(account.created_at);
  const near = db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '<>', account.id)
    .where('id', '>=', firstIdOf(madeMs - HOUR_MS))
    .where('id', '<', firstIdOf(madeMs + HOUR_MS))
    .where('created_at', '>=', toIso(madeMs - HOUR_MS))
    .orderBy('id')
    .limit(COMPARED_ACCOUNTS);
  const accounts = await near.execute();
  if (accounts.length === 0) return [];
  const sessions = await db
    .selectFrom('sessions')
    .select(['account_id', 'ip', 'user_agent'])
    .where(
      'account_id',
      'in',
      accounts.map(({ id }) => id),
    )
    .execute();
  const alike = new Set(
    sessions
      .filter((session) => session.ip !== null && places.has(placeOf(session)))
      .map((each) => each.account_id),
  );
  return accounts.filter(({ id }) => alike.has(id));
}

const placeOf = ({
  ip,
  user_agent,
}: {
  readonly ip: string | null;
  readonly user_agent: string | null;
}): string => `${networkOf(ip)} ${user_agent}`;

/** The lowest UUIDv7 of a time (RFC 9562 section 5.7). */
const firstIdOf = (ms: number): string => {
  const digits = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
};
