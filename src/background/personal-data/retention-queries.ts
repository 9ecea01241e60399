import { countOf, type Queryable } from '../../platform/store/database.ts';
import { auditEvents } from './erase-queries.ts';

export type UnusedAccount = Awaited<ReturnType<typeof findUnused>>['unused'][number];

/**
 * Accounts unused since `before`, among `limit` after the ID `after`; not operators, nor accounts with listings, keys,
 * sessions, members or a planned deletion. `used_at`: last sign-in, or creation. `last`: the next `after`, or `null`.
 */
export async function findUnused(
  db: Queryable,
  { after, limit, before }: { readonly after: string; readonly limit: number; readonly before: string },
) {
  const page = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  const last = page.at(-1)?.id;
  if (last === undefined) return { unused: [], last: null };
  const unused = await db
    .selectFrom('accounts')
    .leftJoin('account_uses', 'account_uses.account_id', 'accounts.id')
    .select(({ fn }) => [
      'accounts.id',
      'accounts.email',
      fn.coalesce('account_uses.last_used_at', 'accounts.created_at').as('used_at'),
    ])
    .where('accounts.id', '>', after)
    .where('accounts.id', '<=', last)
    .where('accounts.operator_since', 'is', null)
    .where('accounts.delete_at', 'is', null)
    .where('accounts.deleted_at', 'is', null)
    .where(({ fn }) => fn.coalesce('account_uses.last_used_at', 'accounts.created_at'), '<', before)
    .where(({ and, not, exists, selectFrom }) =>
      and(
        (['listings', 'api_keys', 'sessions', 'memberships'] as const).map((table) =>
          not(
            exists(
              selectFrom(table).select('account_id').whereRef(`${table}.account_id`, '=', 'accounts.id'),
            ),
          ),
        ),
      ),
    )
    .orderBy('accounts.id')
    .execute();
  return { unused, last: page.length < limit ? null : last };
}

export type LoggedSignIn = Awaited<ReturnType<typeof findAuditEvents>>[number];

export const findAuditEvents = (db: Queryable, after: number, limit: number) =>
  auditEvents(db)
    .select(['seq', 'at', 'account_number', 'type', 'data'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();

export const countMailsBefore = (db: Queryable, before: string): Promise<number> =>
  countOf(db.selectFrom('mails').where('created_at', '<', before));
