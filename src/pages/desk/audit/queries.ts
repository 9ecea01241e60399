import { sql } from 'kysely';
import { type EventType, entryOf } from '../../../base/events/catalogue.ts';
import { type LoggedEvent, lastSeq, toRecord } from '../../../base/events/queries.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { type Queryable, takePage } from '../../../platform/store/database.ts';
import { numberOfAccount } from '../../../platform/store/numbers.ts';
import { isUuid } from '../../../platform/store/uuid.ts';
import { isolated } from '../../../platform/text/text.ts';

export const AUDIT_PAGE_SIZE = 50;
/** Maximum number of events scanned per page if no index matches the filter. */
const AUDITED_EVENTS = 20_000;

/** There can be millions of claim events, so they are shown only on request. */
const CLAIM_EVENT_TYPES = ['claim.created', 'claim.redeemed'] as const satisfies readonly EventType[];

/** Apart from claim events, most events have these types, because every claimant signs up, signs in and signs out. */
const SIGN_INS: readonly EventType[] = ['account.created', 'session.signed_in', 'session.signed_out'];

/**
 * Matches `account.created` events if the account belongs to an operator, or if someone other than its holder created
 * it. These events stay visible when other sign-ups are hidden.
 */
const IS_NOTABLE_CREATION = sql<boolean>`events.type = 'account.created' and (accounts.operator_since is not null
  or events.actor <> 'account:' || cast(events.subject_id as text))`;

export interface AuditFilter {
  readonly accountId?: string | undefined;
  /** One event type; if unset, every type except claim events. */
  readonly type?: string | undefined;
  /** Excludes sign-ins, sign-outs and sign-ups. Sign-ups of operators are still included. */
  readonly withoutSignIns?: boolean | undefined;
  /** The actor as stored in events, such as `account:<id>`. */
  readonly actor?: string | undefined;
  /** Inclusive; ISO 8601 UTC. */
  readonly since?: string | undefined;
  /** Exclusive; ISO 8601 UTC. */
  readonly until?: string | undefined;
}

export type AuditEvent = LoggedEvent & {
  readonly accountEmail: string | null;
  readonly accountName: string | null;
};

export interface AuditPage {
  readonly events: readonly AuditEvent[];
  readonly next: string | null;
  /** Whether the scan stopped before the page was full. If so, older events may match. */
  readonly partial: boolean;
}

/** A malformed cursor is ignored. A malformed account id matches no events. */
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
    .select(['accounts.email', 'accounts.name']);
  if (accountId !== undefined) query = query.where('events.account_id', '=', accountId);
  if (type !== undefined) query = query.where('events.type', '=', type);
  if (actor !== undefined) query = query.where('events.actor', '=', actor);
  if (since !== undefined) query = query.where('events.at', '>=', since);
  if (until !== undefined) query = query.where('events.at', '<', until);
  const isSearch = withoutSignIns || [actor, since, until].some((text) => text !== undefined);
  let floor = 0;
  if (CLAIM_EVENT_TYPES.some((each) => each === type)) {
    const last = after ?? (await lastSeq(db)) + 1;
    floor = Math.max(0, last - AUDITED_EVENTS);
    query = query.where('events.seq', '>=', floor).where('events.seq', '<', last);
  } else {
    // Must match the predicate of the partial index, which excludes claim events.
    for (const each of CLAIM_EVENT_TYPES) query = query.where('events.type', '<>', sql.lit(each));
    if (after !== null) query = query.where('events.seq', '<', after);
    if (isSearch) {
      floor = await endOfScan(db, accountId, after);
      query = query.where('events.seq', '>=', floor);
    }
    if (withoutSignIns) {
      query = query.where((where) =>
        where.or([where('events.type', 'not in', SIGN_INS), IS_NOTABLE_CREATION]),
      );
    }
  }
  const newest = query.orderBy('events.seq', 'desc');
  const { rows, nextAfter } = await takePage(limit, (most) => newest.limit(most).execute());
  return {
    events: rows.map((row) => ({ ...toRecord(row), accountEmail: row.email, accountName: row.name })),
    next: nextAfter !== null ? String(nextAfter.seq) : floor > 0 ? String(floor) : null,
    partial: nextAfter === null && floor > 0,
  };
}

/**
 * Returns where a scan of `AUDITED_EVENTS` events ends: the `seq` of the oldest scanned event. The scan runs backward
 * from `after` and skips claim events. Returns 0 if there are fewer events.
 */
async function endOfScan(
  db: Queryable,
  accountId: string | undefined,
  after: number | null,
): Promise<number> {
  // Reads the table `event_rows`, because the view `events` would join every row.
  let query = db.selectFrom('event_rows').select('seq');
  if (accountId !== undefined) {
    query = query.where('account_number', '=', numberOfAccount(accountId));
  }
  for (const each of CLAIM_EVENT_TYPES) query = query.where('type', '<>', sql.lit(each));
  if (after !== null) query = query.where('seq', '<', after);
  const row = await query
    .orderBy('seq', 'desc')
    .offset(AUDITED_EVENTS - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

interface ActorName {
  /** The name at the beginning of a sentence. */
  readonly name: string;
  /** `null` for the command line, the service and keys. */
  readonly accountId: string | null;
}

export interface EventNames {
  /** A deleted actor is named by its kind, such as “An API key”. */
  readonly actors: ReadonlyMap<string, ActorName>;
  /** By slug. A listing is missing if it was deleted or its slug has changed. */
  readonly listings: ReadonlyMap<string, { readonly id: string; readonly name: string }>;
}

type NamedEvent = Pick<LoggedEvent, 'type' | 'actor' | 'data'>;

export function listingSlugOf(event: Pick<NamedEvent, 'type' | 'data'>): string | null {
  const members = Object.entries(entryOf(event)?.data ?? {});
  const [name = ''] = members.find(([, { is }]) => is === 'listing') ?? [];
  const slug = event.data[name];
  return typeof slug === 'string' ? slug : null;
}

/** Makes at most four queries, regardless of the number of events. */
export async function nameEvents(db: Queryable, events: readonly NamedEvent[]): Promise<EventNames> {
  const [actors, listings] = await Promise.all([nameActors(db, events), nameListings(db, events)]);
  return { actors, listings };
}

async function nameListings(db: Queryable, events: readonly NamedEvent[]): Promise<EventNames['listings']> {
  const slugs = [...new Set(events.map(listingSlugOf).filter((slug) => slug !== null))];
  if (slugs.length === 0) return new Map();
  const rows = await db
    .selectFrom('listings')
    .select(['id', 'slug', 'name'])
    .where('slug', 'in', slugs)
    .execute();
  return new Map(rows.map(({ slug, ...listing }) => [slug, listing]));
}

/** Tables with the names of actors, by kind of actor. */
const NAMED_ACTORS = { account: 'accounts', key: 'api_keys', 'operator-key': 'operator_keys' } as const;

async function nameActors(db: Queryable, events: readonly NamedEvent[]): Promise<EventNames['actors']> {
  const actors = [...new Set(events.map(({ actor }) => actor))];
  const names = new Map<string, string>();
  for (const [kind, table] of Object.entries(NAMED_ACTORS)) {
    const ids = actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.split(':')[1]!);
    if (ids.length === 0) continue;
    const rows = await db.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute();
    for (const { id, name } of rows) names.set(`${kind}:${id}`, isolated(name));
  }
  return new Map(
    actors.map((actor): [string, ActorName] => {
      const [kind = '', accountId = ''] = actor.split(':');
      const name = names.get(actor);
      if (kind === 'account') return [actor, { name: name ?? t('Someone'), accountId }];
      const [unnamed, named = unnamed] = OTHER_ACTORS[kind] ?? [message('Someone')];
      const text = name === undefined ? t(unnamed) : t(named, { name });
      return [actor, { name: text, accountId: null }];
    }),
  );
}

/** By kind: the text for an actor without a name, and with one. */
const OTHER_ACTORS: Readonly<Record<string, readonly [unnamed: Message, named?: Message]>> = {
  operator: [message('The operator’s command line')],
  service: [message('The service')],
  key: [message('An API key'), message('The API key “{name}”')],
  'operator-key': [message('An operator key'), message('The operator key “{name}”')],
};

export const actorName = ({ actors }: EventNames, actor: string): string =>
  actors.get(actor)?.name ?? t('Someone');
