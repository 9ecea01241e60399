import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { appendKeyEvent, networksData } from './create.ts';
import { keyState, parseKeyNetworks, splitNetworks } from './key.ts';
import { API_KEYS, type KeyKind, OPERATOR_KEYS } from './kinds.ts';
import { setNetworks } from './queries.ts';

interface NetworksChange {
  readonly keyId: string;
  /** The account that must own the key; omitted for the operator, who may change any API key. */
  readonly accountId?: string | undefined;
  /** As `parseKeyNetworks` reads them. Empty: the key may be used from everywhere. */
  readonly networks: string;
  readonly actor: Actor;
}

/** Takes effect in every process with the next call. Does nothing if the key already has these networks. */
export const changeKeyNetworks = (context: Context, input: NetworksChange) =>
  change(context, API_KEYS, input);

export const changeOperatorKeyNetworks = (context: Context, input: NetworksChange) =>
  change(context, OPERATOR_KEYS, input);

async function change<Own>(
  context: Context,
  kind: KeyKind<Own>,
  { keyId, accountId, networks: text, actor }: NetworksChange,
) {
  const now = context.now();
  const networks = parseKeyNetworks(text);
  return await context.db.transaction(async (tx) => {
    const key = await kind.find(tx, keyId, accountId);
    await kind.requireActor(tx, key.account_id, actor);
    const state = keyState(key, now);
    if (state !== 'active') {
      throw invalid(
        message(
          'The key is {state, select, expired {expired} other {revoked}}, so its networks cannot be changed.',
          {
            state,
          },
        ),
      );
    }
    if (await setNetworks(tx, kind.table, key, networks)) {
      await appendKeyEvent(tx, kind, 'networks', key, {
        at: context.at(),
        actor,
        data: networksData(networks),
      });
    }
    return { id: key.id, name: key.name, networks: [...splitNetworks(networks)] };
  });
}
