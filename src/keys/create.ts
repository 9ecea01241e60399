import { findAccount, lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import { type Actor, appendEvent } from '../events/queries.ts';
import { isUuid, uuidv7 } from '../store/uuid.ts';
import { idOfForm, MAX_ACTIVE_KEYS, mintKey, parseDuration, parseKeyMode, parseKeyName } from './key.ts';
import { refusePlanWithoutKeys } from './plan.ts';
import { type ApiKey, countActiveKeys, insertKeyOnce } from './queries.ts';

export interface CreateKey {
  /** Id or e-mail address. */
  readonly account: string;
  readonly name: string;
  /** `live` unless set. */
  readonly mode?: string | undefined;
  /** Such as `90d`; never unless set. */
  readonly expiresIn?: string | undefined;
  /** The form's UUIDv7: a form that is sent twice makes one key. Any other value is ignored. */
  readonly formId?: string | undefined;
  readonly actor: Actor;
}

/** The form was sent before; the answer to its first sending showed the secret. */
export class KeyMadeBefore extends Refusal {
  readonly keyId: string;

  constructor(keyId: string) {
    super('invalid_request', 'This form was sent before, and its key was made then.');
    this.name = 'KeyMadeBefore';
    this.keyId = keyId;
  }
}

/** The account has as many active keys as it may have. */
export class TooManyKeys extends Refusal {
  constructor(advice: string) {
    super('invalid_request', `An account has at most ${MAX_ACTIVE_KEYS} active API keys; ${advice}.`);
    this.name = 'TooManyKeys';
  }
}

/** A new key with its secret, which is shown only once. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
  readonly mode: ApiKey['mode'];
  readonly expiresAt: string | null;
}

/**
 * Refuses an account whose plan has no API keys, and one with too many active keys. Throws `KeyMadeBefore` for a form
 * that is sent a second time.
 */
export async function createKey(context: Context, input: CreateKey): Promise<NewKey> {
  const now = context.now();
  const at = new Date(now).toISOString();
  const name = parseKeyName(input.name);
  const mode = parseKeyMode(input.mode ?? 'live');
  const expiresAt =
    input.expiresIn === undefined ? null : new Date(now + parseDuration(input.expiresIn)).toISOString();
  const minted = mintKey(context.random, mode);
  const { formId } = input;
  const ownId = uuidv7(context);
  const id = await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, input.account);
    refusePlanWithoutKeys(account);
    if (input.actor !== 'operator') await lockAccount(tx, context.db.engine, account.id);
    const id = formId !== undefined && isUuid(formId) ? idOfForm(account.id, formId) : ownId;
    const inserted = await insertKeyOnce(tx, {
      id,
      account_id: account.id,
      name,
      mode,
      secret_hash: minted.hash,
      start: minted.start,
      created_at: at,
      expires_at: expiresAt,
    });
    if (!inserted) throw new KeyMadeBefore(id);
    if (input.actor !== 'operator' && (await countActiveKeys(tx, account.id, at)) > MAX_ACTIVE_KEYS) {
      throw new TooManyKeys('revoke one first');
    }
    await appendEvent(tx, {
      accountId: account.id,
      type: 'key.created',
      at,
      actor: input.actor,
      subjectId: id,
      data: { name, mode, start: minted.start, expires_at: expiresAt },
    });
    return id;
  });
  return { id, key: minted.key, mode, expiresAt };
}
