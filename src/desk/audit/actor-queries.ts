/** Names of the actors of events, in three queries for any number of events. */
import type { Queryable } from '../../store/database.ts';

export interface ActorName {
  /** The name at the beginning of a sentence. */
  readonly name: string;
  /** The account of a person; `null` for the operator's command and for keys. */
  readonly accountId: string | null;
}

export type ActorNames = ReadonlyMap<string, ActorName>;

/** Names by actor. A deleted actor has a name that says what it was. */
export async function nameActors(
  db: Queryable,
  events: readonly { readonly actor: string }[],
): Promise<ActorNames> {
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
        { name: accounts.find((account) => account.id === id)?.name ?? 'Someone', accountId: id },
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
  return { name: name === undefined ? `An ${kind}` : `The ${kind} “${name}”`, accountId: null };
}

export const actorName = (names: ActorNames, actor: string): string => names.get(actor)?.name ?? 'Someone';
