import type { Context } from '../../base/context.ts';
import type { EndedParts } from '../../base/events/catalogue/access.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { appendKeyEvent } from '../keys/create.ts';
import { API_KEYS } from '../keys/kinds.ts';
import { endKey } from '../keys/queries.ts';
import { endSteps, expireLinksBy } from '../sign-in/credentials/queries.ts';
import { endProofs, endWorkIn } from '../sign-in/sessions/queries.ts';
import { endInvitations } from './invite.ts';
import { handOverEndpoints, listKeysCreatedBy, pauseEndpointsSetBy } from './queries.ts';
import { endsWith, KEY_END_MS, type KeyEndTime, type RoleEnd } from './role-end.ts';

export interface EndedRole {
  readonly accountId: string;
  readonly memberId: string;
  /** Who ends the role. */
  readonly actor: Actor;
  readonly end: RoleEnd;
  readonly keysEnd: KeyEndTime;
  /** The person to whom endpoints are handed over, who then knows that they keep sending; `null`: they are paused. */
  readonly endpointsTo: string | null;
}

/** Ends `ROLE_PARTS`. Needs the lock of the account, under which roles are checked before something is created. */
export async function endRole(
  context: Pick<Context, 'now' | 'at'>,
  tx: Transaction,
  ended: EndedRole,
): Promise<EndedParts> {
  const { accountId, memberId, end } = ended;
  if (endsWith('access', end)) await endWorkIn(tx, accountId, memberId);
  await endProofs(tx, memberId);
  await endSteps(tx, memberId);
  const invitations =
    (await endInvitations(tx, accountId, { invitedById: memberId })) +
    (endsWith('accessLinks', end) ? await expireLinksBy(tx, memberId, context.at(), { accountId }) : 0);
  const keys = await endKeys(context, tx, ended);
  const endpoints = endsWith('endpoints', end) ? await endEndpoints(context, tx, ended) : {};
  return { ...keys, ...endpoints, ...(invitations > 0 && { invitations }) };
}

async function endKeys(
  context: Pick<Context, 'now' | 'at'>,
  tx: Transaction,
  { accountId, memberId, actor, keysEnd }: EndedRole,
): Promise<EndedParts> {
  const at = context.at();
  const keys = await listKeysCreatedBy(tx, accountId, memberId, at);
  if (keys.length === 0) return {};
  if (keysEnd === 'never') return { keys_kept: keys.length };
  const until = toIso(context.now() + KEY_END_MS[keysEnd]);
  for (const key of keys) {
    if (keysEnd === 'now') {
      await endKey(tx, 'api_keys', key, { revoked_at: at });
      await appendKeyEvent(tx, API_KEYS, 'revoked', key, { at, actor, data: {} });
    } else if (key.expires_at === null || key.expires_at > until) {
      await endKey(tx, 'api_keys', key, { expires_at: until });
    }
  }
  return { keys: keys.length, keys_end_at: keysEnd === 'now' ? at : until };
}

async function endEndpoints(
  context: Pick<Context, 'now' | 'at'>,
  tx: Transaction,
  { accountId, memberId, actor, endpointsTo }: EndedRole,
): Promise<EndedParts> {
  if (endpointsTo !== null) {
    const count = await handOverEndpoints(tx, accountId, memberId, endpointsTo);
    return count > 0 ? { endpoints_kept: count } : {};
  }
  const at = context.at();
  const paused = await pauseEndpointsSetBy(tx, accountId, memberId, at);
  for (const { id, url } of paused) {
    const data = { origin: new URL(url).origin, reason: 'member_gone' } as const;
    await appendEvent(tx, { accountId, type: 'endpoint.disabled', at, actor, subjectId: id, data });
  }
  return paused.length > 0 ? { endpoints: paused.length } : {};
}
