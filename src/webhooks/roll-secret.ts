import { lockAccount } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { invalid, Refusal } from '../errors.ts';
import { appendEvent } from '../events/queries.ts';
import type { NewEndpoint } from './create.ts';
import type { OwnEndpoint } from './disable.ts';
import { MAX_SECRETS, SECRET_OVERLAP_MS } from './endpoint.ts';
import { expireSecrets, findEndpoint, insertSecret, listSecrets } from './endpoint-queries.ts';
import { sealedSecret } from './secrets.ts';

export interface RollSecret extends OwnEndpoint {
  /** The current secret that the page showed: a form that is sent twice rolls once. */
  readonly secretId: string;
}

export interface RolledSecret extends NewEndpoint {
  /** Until when the old secret signs too, ISO 8601 UTC. */
  readonly oldExpiresAt: string;
}

/** The secret was rolled meanwhile; the answer to that showed the new one. */
export class SecretRolledBefore extends Refusal {
  constructor() {
    super('invalid_request', 'The secret was rolled already, and the new one was shown then.');
    this.name = 'SecretRolledBefore';
  }
}

/** A new secret, shown once. Both sign for a day, so that a receiver can be changed in between. */
export async function rollSecret(context: Context, input: RollSecret): Promise<RolledSecret> {
  const { accountId, endpointId } = input;
  const now = context.now();
  const at = new Date(now).toISOString();
  const oldExpiresAt = new Date(now + SECRET_OVERLAP_MS).toISOString();
  return await context.db.transaction(async (tx) => {
    await lockAccount(tx, context.db.engine, accountId);
    const { id, url, scheme } = await findEndpoint(tx, accountId, endpointId);
    const secrets = await listSecrets(tx, [id], at);
    if (secrets[0]?.id !== input.secretId) throw new SecretRolledBefore();
    if (secrets.length >= MAX_SECRETS) {
      throw invalid(`${MAX_SECRETS} secrets sign for this endpoint now; wait until the oldest has ended.`);
    }
    const { signing, row } = sealedSecret(context, { accountId, endpointId: id, scheme, at });
    await expireSecrets(tx, id, at, oldExpiresAt);
    await insertSecret(tx, row);
    await appendEvent(tx, {
      accountId,
      type: 'endpoint.secret_rolled',
      at,
      actor: `account:${accountId}`,
      subjectId: id,
      data: { origin: new URL(url).origin, old_expires_at: oldExpiresAt },
    });
    return { id, url, scheme, oldExpiresAt, ...signing };
  });
}
