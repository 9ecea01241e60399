import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid, KeyMadeBefore, Refusal } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { type CallKey, idOfCall, idOfNew } from '../../platform/store/form-id.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { personOf } from '../accounts/membership-queries.ts';
import { type Account, findAccount, lockAccount } from '../accounts/queries.ts';
import {
  joinScopes,
  type MintedKey,
  type Mode,
  mintKey,
  parseDuration,
  parseKeyMode,
  parseKeyName,
  parseKeyNetworks,
  parseOperatorKeyName,
  parseScopes,
} from './key.ts';
import { API_KEYS, type KeyEventData, type KeyKind, type KeyVerb, OPERATOR_KEYS } from './kinds.ts';
import { countActiveKeys, type KeyTable, listKeyIds, type NewKeyRow } from './queries.ts';

interface KeyToCreate {
  readonly account: string;
  readonly name: string;
  /** A duration such as `90d`. If omitted, the key never expires. */
  readonly expiresIn?: string | undefined;
  /** Addresses and networks, as `parseKeyNetworks` reads them. Omitted or empty: from everywhere. */
  readonly networks?: string | undefined;
  /** The form's UUIDv7, which prevents a second key if the form is sent twice. Ignored if it is not a UUID. */
  readonly formId?: string | undefined;
  /** Prevents a second key if the call is repeated. */
  readonly call?: CallKey | undefined;
  readonly actor: Actor;
}

interface CreateKey extends KeyToCreate {
  readonly mode?: string | undefined;
}

interface CreateOperatorKey extends KeyToCreate {
  readonly scopes: readonly string[];
}

/** `key` is shown only once. */
export interface CreatedKey {
  readonly id: string;
  readonly key: string;
  readonly expires_at: string | null;
}
export type NewKey = CreatedKey & { readonly mode: Mode };
type NewOperatorKey = CreatedKey & { readonly scopes: string };

/** Throws if the plan has no API keys or there are too many, and `KeyMadeBefore` if the form was already sent. */
export async function createKey(context: Context, input: CreateKey): Promise<NewKey> {
  const name = parseKeyName(input.name);
  const own = { mode: parseKeyMode(input.mode ?? 'live'), created_by_id: personOf(input.actor) };
  const { id, key, expires_at, mode } = await create(context, API_KEYS, { ...input, name }, own);
  return { id, key, expires_at, mode };
}

/** Throws unless the account is an active operator with few keys, and `KeyMadeBefore` if the form was already sent. */
export async function createOperatorKey(context: Context, input: CreateOperatorKey): Promise<NewOperatorKey> {
  const name = parseOperatorKeyName(input.name);
  const scopes = parseScopes(input.scopes);
  return await create(context, OPERATOR_KEYS, { ...input, name }, { scopes: joinScopes(scopes) }, { scopes });
}

async function create<Own>(
  context: Context,
  kind: KeyKind<Own>,
  { account: reference, name, expiresIn, networks: networksText = '', formId, call, actor }: KeyToCreate,
  own: Own,
  ofEvent: { readonly scopes?: readonly string[] } = {},
): Promise<CreatedKey & Own> {
  const now = context.now();
  const at = toIso(now);
  const expires_at = expiresIn === undefined ? null : toIso(now + parseDuration(expiresIn));
  const networks = parseKeyNetworks(networksText);
  return await context.db.transaction(async (tx) => {
    const account = await lockHolder(tx, context, kind, reference, actor);
    const id =
      call === undefined
        ? idOfNew(context, account.id, formId)
        : await idOfKeyCall(context, tx, kind.table, account, call);
    const row = { ...own, id, account_id: account.id, name, networks, created_at: at, expires_at };
    const advice = message('revoke one first');
    const { key, start } = await addKey(tx, context, kind, row, { actor, advice });
    const data = { ...ofEvent, ...networksData(networks), expires_at };
    await appendKeyEvent(tx, kind, 'created', { ...row, start }, { at, actor, data });
    return { ...own, id, key, expires_at };
  });
}

/** Throws a refusal if the call was carried out before, because the key is shown only once. */
async function idOfKeyCall(
  context: Context,
  tx: Transaction,
  table: KeyTable,
  account: Account,
  call: CallKey,
): Promise<string> {
  await lockAccount(tx, context.db.engine, account.id);
  const ids = await listKeyIds(tx, table, account.id);
  const id = idOfCall(context, account.id, call, ids);
  if (!ids.includes(id)) return id;
  throw new Refusal(
    'idempotency_key_reused',
    `A call with this Idempotency-Key has created the key ${id}, which is shown only once. Revoke it, and create another one with another Idempotency-Key.`,
  );
}

/** Throws a refusal if the account can't have keys of this kind, or if the actor may not create them. */
export async function lockHolder<Own>(
  tx: Transaction,
  { db }: Pick<Context, 'db'>,
  kind: KeyKind<Own>,
  reference: string,
  actor: Actor,
): Promise<Account> {
  const { id } = await findAccount(tx, reference);
  if (kind.isLimited(actor)) await lockAccount(tx, db.engine, id);
  // Whoever removes an operator holds the same lock.
  const account = await findAccount(tx, id);
  kind.requireHolder(account);
  // Removing a member also locks the account. If the removal commits first, this check refuses the actor. Otherwise,
  // the removal also revokes the new key or shortens its lifetime.
  await kind.requireActor(tx, account.id, actor);
  return account;
}

/** Throws `KeyMadeBefore`, or a refusal that ends with `advice` if there are too many active keys. */
export async function addKey<Own>(
  tx: Transaction,
  { random }: Pick<Context, 'random'>,
  kind: KeyKind<Own>,
  row: Omit<NewKeyRow, 'secret_hash' | 'start'> & Own,
  { actor, advice }: { readonly actor: Actor; readonly advice: Message },
): Promise<Pick<MintedKey, 'key' | 'start'>> {
  const { key, hash, start } = mintKey(random, kind.prefix(row));
  if (!(await kind.insert(tx, { ...row, secret_hash: hash, start }))) throw new KeyMadeBefore(row.name);
  if (kind.isLimited(actor)) {
    const active = await countActiveKeys(tx, kind.table, row.account_id, row.created_at);
    if (active > kind.maxActive) throw invalid(message('{limit}; {advice}.', { limit: kind.limit, advice }));
  }
  return { key, start };
}

/** As text, because the networks may say where a person is. */
export const networksData = (networks: string | null) => ({
  networks: networks?.replaceAll(' ', ', ') ?? null,
});

/** The event contains `kind.eventData(key)` and `data`. */
export const appendKeyEvent = <Own, V extends KeyVerb>(
  tx: Transaction,
  kind: KeyKind<Own>,
  verb: V,
  key: Pick<NewKeyRow, 'id' | 'account_id' | 'name' | 'start'> & Own,
  { at, actor, data }: { readonly at: string; readonly actor: Actor; readonly data: KeyEventData<V> },
): Promise<unknown> =>
  appendEvent(tx, {
    accountId: key.account_id,
    type: kind.events[verb],
    at,
    actor,
    subjectId: key.id,
    // `never`: the kind decides about the type and about the members that describe the key.
    data: { ...kind.eventData(key), ...data } as never,
  });
