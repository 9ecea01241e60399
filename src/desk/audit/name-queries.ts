/** Names of the actors and listings of events, in four queries for any number of events. */
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

async function nameActors(db: Queryable, events: readonly NamedEvent[]): Promise<EventNames['actors']> {
  const actors = [...new Set(events.map(({ actor }) => actor))];
  const idsOf = (kind: string) =>
    actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.slice(kind.length + 1));
  const [accountIds, keyIds, operatorKeyIds] = [idsOf('account'), idsOf('key'), idsOf('operator-key')];
  const [accounts, keys, operatorKeys] = await Promise.all([
    accountIds.length === 0
      ? []
      : db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', accountIds).execute(),
    keyIds.length === 0
      ? []
      : db.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', keyIds).execute(),
    operatorKeyIds.length === 0
      ? []
      : db.selectFrom('operator_keys').select(['id', 'name']).where('id', 'in', operatorKeyIds).execute(),
  ]);
  return new Map(
    actors.map((actor): [string, ActorName] => {
      const id = actor.slice(actor.indexOf(':') + 1);
      if (actor === 'operator') return [actor, { name: 'The operator’s command line', accountId: null }];
      if (actor === 'service') return [actor, { name: 'The service', accountId: null }];
      if (actor === 'unknown') return [actor, { name: 'Someone', accountId: null }];
      if (actor.startsWith('key:')) return [actor, keyName('API key', keys, id)];
      if (actor.startsWith('operator-key:')) return [actor, keyName('operator key', operatorKeys, id)];
      return [
        actor,
        { name: isolated(accounts.find((account) => account.id === id)?.name ?? 'Someone'), accountId: id },
      ];
    }),
  );
}

function keyName(
  kind: string,
  keys: readonly { readonly id: string; readonly name: string }[],
  id: string,
): ActorName {
  const name = keys.find((key) => key.id === id)?.name;
  return { name: name === undefined ? `An ${kind}` : `The ${kind} “${isolated(name)}”`, accountId: null };
}

export const actorName = ({ actors }: EventNames, actor: string): string =>
  actors.get(actor)?.name ?? 'Someone';
