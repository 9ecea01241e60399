/** Who is signed in: the look-up of every page, the list of one's sessions, and their end. */
import type { Context } from '../context.ts';
import { appendEvent, type EventType } from '../events/queries.ts';
import { sha256 } from '../secrets.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import type { Plan } from './account.ts';

/** The person of a session. */
export interface SignedIn {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: boolean;
  readonly sessionId: string;
}

/**
 * The value of the session's cookie → who is signed in; `null` for a session that has ended or whose account is
 * suspended. One look-up by unique key; the secret is 190 bits of chance, so the cookie's signature adds nothing.
 */
export async function findSession(db: Queryable, cookie: string, now: number): Promise<SignedIn | null> {
  const secret = cookie.slice(0, cookie.lastIndexOf('.'));
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.id as session_id',
      'accounts.id',
      'accounts.name',
      'accounts.email',
      'accounts.plan',
      'accounts.operator_since',
    ])
    .where('sessions.token_hash', '=', Buffer.from(sha256(secret)).toString('base64url'))
    .where('sessions.expires_at', '>', new Date(now).toISOString())
    .where('accounts.suspended_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    accountId: row.id,
    name: row.name,
    email: row.email,
    plan: row.plan,
    isOperator: row.operator_since !== null,
    sessionId: row.session_id,
  };
}

/** The value of a cookie in a `Cookie` header, decoded; `null` where it is not there. */
export function cookieOf(header: string | null, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key !== name || value === undefined) continue;
    try {
      return decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return null;
}

export interface SessionSummary {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** The sessions of an account that have not ended, the newest first. */
export async function listSessions(db: Queryable, accountId: string, now: number): Promise<SessionSummary[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'expires_at', 'ip', 'user_agent'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', new Date(now).toISOString())
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ip: row.ip,
    userAgent: row.user_agent,
  }));
}

export interface EndSession {
  readonly accountId: string;
  readonly sessionId: string;
  /** `session.signed_out`: the one that asks; `session.revoked`: another. */
  readonly as: 'session.signed_out' | 'session.revoked';
}

/** Ends one session of an account. False where there is no such session, or it is another account's. */
export async function endSession(context: Context, input: EndSession): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const row = await tx
      .deleteFrom('sessions')
      .where('id', '=', input.sessionId)
      .where('account_id', '=', input.accountId)
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return false;
    await appendAccountEvent(context, tx, input.accountId, input.as, input.sessionId);
    return true;
  });
}

/** Ends every session of an account but one; all of them without `exceptId`. Returns how many. */
export async function endSessions(
  context: Context,
  tx: Transaction,
  accountId: string,
  exceptId: string | null,
): Promise<number> {
  let query = tx.deleteFrom('sessions').where('account_id', '=', accountId).returning('id');
  if (exceptId !== null) query = query.where('id', '!=', exceptId);
  const ended = await query.execute();
  for (const { id } of ended) await appendAccountEvent(context, tx, accountId, 'session.revoked', id);
  return ended.length;
}

/** Ends all other sessions than the one that asks. */
export const revokeOtherSessions = (
  context: Context,
  { accountId, sessionId }: Pick<EndSession, 'accountId' | 'sessionId'>,
): Promise<number> => context.db.transaction((tx) => endSessions(context, tx, accountId, sessionId));

/** An event of an account that its own person caused. */
export const appendAccountEvent = (
  context: Context,
  tx: Transaction,
  accountId: string,
  type: EventType,
  subjectId: string = accountId,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  appendEvent(tx, {
    accountId,
    type,
    at: new Date(context.now()).toISOString(),
    actor: `account:${accountId}`,
    subjectId,
    data,
  });
