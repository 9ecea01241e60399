/** SQL of the audit log, newest first. */
import { sql } from 'kysely';
import { type EventRecord, lastSeq, toRecord } from '../../events/queries.ts';
import type { Queryable } from '../../store/database.ts';
import { isUuid } from '../../store/uuid.ts';

export const AUDIT_PAGE_SIZE = 50;
/** Most events read for a page where no index matches the filter. */
const AUDITED_EVENTS = 20_000;

/** Events of claims can be millions, so they are shown only on request. */
const CLAIM_EVENT_TYPES = ['claim.created', 'claim.redeemed'] as const;

/** Most of the other events are these, since each visit of a claimant adds some. */
const SIGN_INS = ['account.created', 'session.signed_in', 'session.signed_out'];

/** An account that somebody else created, or an operator's: a change that operators look for. */
const IS_NOTABLE_CREATION = sql<boolean>`events.type = 'account.created' and (accounts.operator_since is not null
  or events.actor <> 'account:' || cast(events.subject_id as text))`;

export interface AuditFilter {
  /** The account whose log is read; all unless set. */
  readonly accountId?: string | undefined;
  /** One event type; if unset, every type except claim events. */
  readonly type?: string | undefined;
  /** Leaves out sign-ups, sign-ins and sign-outs, which would hide changes and decisions. */
  readonly withoutSignIns?: boolean | undefined;
  /** The actor, as in events. */
  readonly actor?: string | undefined;
  /** Start (included) and end (excluded); ISO 8601 UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export type AuditEvent = EventRecord & { readonly accountEmail: string | null };

export interface AuditPage {
  readonly events: readonly AuditEvent[];
  readonly next: string | null;
  /** The page is not full, but older events exist. */
  readonly partial: boolean;
}

/** A malformed cursor starts at the newest event; a malformed account id finds none. */
export async function readAuditLog(
  db: Queryable,
  input: { readonly filter: AuditFilter; readonly after?: string | undefined; readonly limit?: number },
): Promise<AuditPage> {
  const { accountId, type, withoutSignIns, actor, since, until } = input.filter;
  const limit = input.limit ?? AUDIT_PAGE_SIZE;
  const nothing = { events: [], next: null, partial: false };
  if (accountId !== undefined && !isUuid(accountId)) return nothing;
  const after = /^[1-9][0-9]{0,14}$/.test(input.after ?? '') ? Number(input.after) : null;
  let query = db
    .selectFrom('events')
    .leftJoin('accounts', 'accounts.id', 'events.account_id')
    .selectAll('events')
    .select('accounts.email');
  if (accountId !== undefined) query = query.where('events.account_id', '=', accountId);
  if (type !== undefined) query = query.where('events.type', '=', type);
  if (actor !== undefined) query = query.where('events.actor', '=', actor);
  if (since !== undefined) query = query.where('events.at', '>=', since);
  if (until !== undefined) query = query.where('events.at', '<', until);
  const isSearch = withoutSignIns || [actor, since, until].some((text) => text !== undefined);
  let floor = 0;
  if (CLAIM_EVENT_TYPES.some((known) => known === type)) {
    const last = after ?? (await lastSeq(db)) + 1;
    floor = Math.max(0, last - AUDITED_EVENTS);
    query = query.where('events.seq', '>=', floor).where('events.seq', '<', last);
  } else {
    // Exactly the condition of the index, which has no events of claims.
    for (const known of CLAIM_EVENT_TYPES) query = query.where('events.type', '<>', sql.lit(known));
    if (after !== null) query = query.where('events.seq', '<', after);
    if (isSearch) {
      floor = await placeAfter(db, accountId, after);
      query = query.where('events.seq', '>=', floor);
    }
    if (withoutSignIns) {
      query = query.where((where) =>
        where.or([where('events.type', 'not in', SIGN_INS), IS_NOTABLE_CREATION]),
      );
    }
  }
  const rows = await query
    .orderBy('events.seq', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const full = rows.length > limit;
  return {
    events: page.map((row) => ({ ...toRecord(row), accountEmail: row.email })),
    next: full ? String(page.at(-1)!.seq) : floor > 0 ? String(floor) : null,
    partial: !full && floor > 0,
  };
}

/** `seq` of the last of the next `AUDITED_EVENTS` events, not counting events of claims; 0: there are fewer. */
async function placeAfter(
  db: Queryable,
  accountId: string | undefined,
  after: number | null,
): Promise<number> {
  // Reads the table and not the view, which would join every row.
  let query = db.selectFrom('event_rows').select('seq');
  if (accountId !== undefined) {
    query = query.where('account_number', '=', ({ selectFrom }) =>
      selectFrom('accounts').select('number').where('id', '=', accountId),
    );
  }
  for (const known of CLAIM_EVENT_TYPES) query = query.where('type', '<>', sql.lit(known));
  if (after !== null) query = query.where('seq', '<', after);
  const row = await query
    .orderBy('seq', 'desc')
    .offset(AUDITED_EVENTS - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}
