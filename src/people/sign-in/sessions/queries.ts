import { type Selectable, sql } from 'kysely';
import { hashOfSecret } from '../../../platform/secrets/secrets.ts';
import { compileOnce } from '../../../platform/store/compile-once.ts';
import { isFound, type Queryable, type Transaction } from '../../../platform/store/database.ts';
import type { SessionsTable, SignInStepsTable } from '../../../platform/store/tables/accounts.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import type { Plan } from '../../accounts/account.ts';
import type { WorkAccount } from '../../accounts/membership-queries.ts';

type SessionRow = Selectable<SessionsTable>;
type SignInStepRow = Selectable<SignInStepsTable>;

export interface SignedIn {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: boolean;
  readonly sessionId: string;
  /** 2: a second factor was verified, or a passkey was used. */
  readonly factors: number;
  /** Whether the account has an authenticator app or a passkey. */
  readonly hasFactor: boolean;
  readonly provenAt: string;
  readonly lastSeenAt: string;
  /** The other account whose dashboard is open; `null`: the person's own account. */
  readonly worksIn: (WorkAccount & { readonly plan: Plan }) | null;
}

const selectSessions = compileOnce((db, { hashes, at }: { hashes: readonly string[]; at: string }, dialect) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    // Memberships are read with each request, so that a removed member loses access immediately.
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.account_id', '=', 'sessions.works_in_id')
        .onRef('memberships.member_id', '=', 'sessions.account_id'),
    )
    .leftJoin('accounts as work_account', (join) =>
      join
        .onRef('work_account.id', '=', 'memberships.account_id')
        .on('work_account.suspended_at', 'is', null)
        .on('work_account.deleted_at', 'is', null),
    )
    .select([
      'work_account.id as workAccountId',
      'work_account.name as workAccountName',
      'work_account.plan as workAccountPlan',
      'memberships.role',
      'sessions.token_hash as tokenHash',
      'sessions.id as sessionId',
      'sessions.factors',
      'sessions.proven_at as provenAt',
      'sessions.last_seen_at as lastSeenAt',
      'accounts.id as accountId',
      'accounts.name',
      'accounts.email',
      'accounts.plan',
      'accounts.operator_since as operatorSince',
    ])
    .select((eb) =>
      eb
        .or([
          eb('accounts.two_factor_at', 'is not', null),
          eb.exists(
            eb
              .selectFrom('passkeys')
              .select('passkeys.id')
              .whereRef('passkeys.account_id', '=', 'accounts.id'),
          ),
        ])
        .as('hasFactor'),
    )
    .where(dialect.isOneOf(sql.ref('sessions.token_hash'), 'text', hashes))
    .where('sessions.expires_at', '>', at)
    .where('sessions.idle_expires_at', '>', at)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null),
);

/** Keeps the order of `secrets`. `null`: revoked or expired, or the account is suspended or deleted. */
export async function findSessions(
  db: Queryable,
  secrets: readonly string[],
  now: number,
): Promise<readonly (SignedIn | null)[]> {
  const hashes = secrets.map(hashOfSecret);
  const rows = await selectSessions(db, { hashes, at: toIso(now) });
  const byHash = new Map(
    rows.map((row): [string, SignedIn] => {
      const {
        tokenHash,
        factors,
        hasFactor,
        operatorSince,
        workAccountId,
        workAccountName,
        workAccountPlan,
        role,
        ...person
      } = row;
      const isElsewhere =
        workAccountId !== null && workAccountName !== null && workAccountPlan !== null && role !== null;
      return [
        tokenHash,
        {
          ...person,
          factors: Number(factors),
          hasFactor: Boolean(hasFactor),
          isOperator: operatorSince !== null,
          worksIn: isElsewhere
            ? { accountId: workAccountId, name: workAccountName, plan: workAccountPlan, role }
            : null,
        },
      ];
    }),
  );
  return hashes.map((hash) => byHash.get(hash) ?? null);
}

export function listSessions(db: Queryable, accountId: string, now: number) {
  const at = toIso(now);
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'ip', 'user_agent as userAgent'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', at)
    .where('idle_expires_at', '>', at)
    .orderBy('id', 'desc')
    .execute();
}

export const insertSession: (tx: Transaction, session: SessionRow) => Promise<unknown> = compileOnce(
  (db, session: SessionRow) => db.insertInto('sessions').values(session),
);

/** Returns false if the session has ended. Otherwise, it can't end before the transaction commits. */
export const updateSession = (
  tx: Transaction,
  id: string,
  change: Partial<Pick<SessionRow, 'token_hash' | 'factors' | 'proven_at' | 'works_in_id'>>,
): Promise<boolean> => isFound(tx.updateTable('sessions').set(change).where('id', '=', id).returning('id'));

/** Records the use of a session. Does nothing if another request has recorded a use after `before`. */
export const updateLastSeen = (
  tx: Transaction,
  id: string,
  seen: Pick<SessionRow, 'last_seen_at' | 'idle_expires_at'>,
  before: string,
): Promise<unknown> =>
  tx.updateTable('sessions').set(seen).where('id', '=', id).where('last_seen_at', '<=', before).execute();

/** Switches the person's sessions from this account back to the person's own account. */
export const endWorkIn = (tx: Transaction, accountId: string, personId: string): Promise<unknown> =>
  tx
    .updateTable('sessions')
    .set({ works_in_id: null })
    .where('account_id', '=', personId)
    .where('works_in_id', '=', accountId)
    .execute();

/** The person's rights while the session lasts; `undefined` once it has ended or the person is suspended. */
export const findHolder = (db: Queryable, sessionId: string, at: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select('accounts.operator_since')
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', at)
    .where('accounts.suspended_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .executeTakeFirst();

export const shortenSessions = (tx: Transaction, until: string): Promise<unknown> =>
  tx.updateTable('sessions').set({ expires_at: until }).where('expires_at', '>', until).execute();

/** The person must confirm their identity again before the next sensitive change, in every session. */
export const endProofs = (tx: Transaction, personId: string): Promise<unknown> =>
  tx
    .updateTable('sessions')
    .set({ proven_at: toIso(0) })
    .where('account_id', '=', personId)
    .execute();

export const deleteSession = (tx: Transaction, accountId: string, id: string): Promise<boolean> =>
  isFound(tx.deleteFrom('sessions').where('id', '=', id).where('account_id', '=', accountId).returning('id'));

export async function deleteSessions(tx: Transaction, accountId: string, exceptId: string | null) {
  let query = tx.deleteFrom('sessions').where('account_id', '=', accountId).returning('id');
  if (exceptId !== null) query = query.where('id', '!=', exceptId);
  return (await query.execute()).map(({ id }) => id);
}

/** Ends the sessions that came from this session at an identity provider, and their pending second factors. */
export async function deleteProviderSessions(tx: Transaction, providerSession: string, before: string) {
  await tx
    .deleteFrom('sign_in_steps')
    .where('provider_session', '=', providerSession)
    .where('created_at', '<', before)
    .execute();
  return tx
    .deleteFrom('sessions')
    .where('provider_session', '=', providerSession)
    .where('created_at', '<', before)
    .returning(['id', 'account_id'])
    .execute();
}

export const deleteSessionsBefore = (tx: Transaction, accountId: string, before: string) =>
  tx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('created_at', '<', before)
    .returning(['id', 'account_id'])
    .execute();

/** Deletes all but the newest `count` sessions of an account. Returns the deleted ids. */
export const deleteOldestSessions = async (tx: Transaction, accountId: string, count: number) =>
  (await deleteOldest(tx, { accountId, count })).map(({ id }) => id);

const deleteOldest = compileOnce((db, { accountId, count }: { accountId: string; count: number }) =>
  db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(count),
    )
    .returning('id'),
);

export const deleteSessionBySecret = (tx: Transaction, secret: string) =>
  tx
    .deleteFrom('sessions')
    .where('token_hash', '=', hashOfSecret(secret))
    .returning(['id', 'account_id'])
    .executeTakeFirst();

export const insertStep = (tx: Transaction, step: SignInStepRow): Promise<unknown> =>
  tx.insertInto('sign_in_steps').values(step).execute();

export const findStep = (db: Queryable, secret: string, at: string) =>
  db
    .selectFrom('sign_in_steps')
    .selectAll()
    .where('secret_hash', '=', hashOfSecret(secret))
    .where('expires_at', '>', at)
    .executeTakeFirst();

export const takeTry = (tx: Transaction, secretHash: string, tries: number): Promise<boolean> =>
  isFound(
    tx
      .updateTable('sign_in_steps')
      .set((eb) => ({ tries: eb('tries', '+', 1) }))
      .where('secret_hash', '=', secretHash)
      .where('tries', '<', tries)
      .returning('tries'),
  );

export const deleteStep = (tx: Transaction, secretHash: string): Promise<boolean> =>
  isFound(tx.deleteFrom('sign_in_steps').where('secret_hash', '=', secretHash).returning('account_id'));

export async function countSessions(db: Queryable, accountId: string, at: string) {
  const { sessions, lastSeenAt } = await db
    .selectFrom('sessions')
    .select(({ fn }) => [
      fn.countAll().as('sessions'),
      fn.max<string | null>('last_seen_at').as('lastSeenAt'),
    ])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', at)
    .where('idle_expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return { sessions: Number(sessions), lastSeenAt };
}
