/** Names of the actors and listings of events, in at most four queries for any number of events. */
import type { Queryable } from '../../store/database.ts';
import { isolated } from '../../text/text.ts';

interface ActorName {
  /** The name at the beginning of a sentence. */
  readonly name: string;
  /** The account of a person; `null` for the operator's command and for keys. */
  readonly accountId: string | null;
}

export interface EventNames {
  /** A deleted actor has a name that says what it was. */
  readonly actors: ReadonlyMap<string, ActorName>;
  /** By slug; a listing that was deleted or renamed is missing. */
  readonly listings: ReadonlyMap<string, string>;
}

interface NamedEvent {
  readonly type: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The slug of the listing that an event is about; `null`: none. */
export function listingSlugOf({ type, data }: Pick<NamedEvent, 'type' | 'data'>): string | null {
  const slug = data[type.startsWith('listing.') ? 'slug' : 'listing'];
  return typeof slug === 'string' ? slug : null;
}

export async function nameEvents(db: Queryable, events: readonly NamedEvent[]): Promise<EventNames> {
  const [actors, listings] = await Promise.all([nameActors(db, events), nameListings(db, events)]);
  return { actors, listings };
}

async function nameListings(db: Queryable, events: readonly NamedEvent[]): Promise<EventNames['listings']> {
  const slugs = [...new Set(events.map(listingSlugOf).filter((slug) => slug !== null))];
  if (slugs.length === 0) return new Map();
  const rows = await db.selectFrom('listings').select(['slug', 'name']).where('slug', 'in', slugs).execute();
  return new Map(rows.map(({ slug, name }) => [slug, name]));
}

/** Kinds of actors that have a name, with their tables. */
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
      if (kind === 'account') return [actor, { name: name ?? 'Someone', accountId }];
      const [unnamed, noun] = OTHER_ACTORS[kind] ?? ['Someone'];
      return [actor, { name: name === undefined ? unnamed : `The ${noun} “${name}”`, accountId: null }];
    }),
  );
}

/** An actor without a name, and what comes before a name. */
const OTHER_ACTORS: Readonly<Record<string, readonly [unnamed: string, noun?: string]>> = {
  operator: ['The operator’s command line'],
  service: ['The service'],
  key: ['An API key', 'API key'],
  'operator-key': ['An operator key', 'operator key'],
};

export const actorName = ({ actors }: EventNames, actor: string): string =>
  actors.get(actor)?.name ?? 'Someone';
