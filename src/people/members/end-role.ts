import type { Context } from '../../base/context.ts';
import type { EndedParts } from '../../base/events/catalogue/access.ts';
import type { Actor } from '../../base/events/queries.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { appendKeyEvent } from '../keys/create.ts';
import { API_KEYS } from '../keys/kinds.ts';
import { endKey } from '../keys/queries.ts';
import { endEndpoints } from '../sign-in/access.ts';
import { endInvitations, endSteps, expireLinksBy } from '../sign-in/access-queries.ts';
import { endProofs, endWorkIn } from '../sign-in/sessions/queries.ts';
import { handOverEndpoints, listKeysCreatedBy } from './queries.ts';
import { isEndedBy, KEY_END_MS, type KeyEndTime, type RoleEnd } from './role-end.ts';

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
  if (isEndedBy('access', end)) await endWorkIn(tx, accountId, memberId);
  await endProofs(tx, memberId);
  await endSteps(tx, memberId);
  const invitations =
    (await endInvitations(tx, accountId, { invitedById: memberId })) +
    (isEndedBy('accessLinks', end) ? await expireLinksBy(tx, memberId, context.at(), { accountId }) : 0);
  const keys = await endKeys(context, tx, ended);
  const endpoints = isEndedBy('endpoints', end) ? await handOverOrPause(context, tx, ended) : {};
  return { ...keys, ...endpoints, ...(invitations > 0 && { invitations }) };
}

async function endKeys(
  context: Pick<Context, 'now' | 'at'>,
  tx: Transaction,
  { accountId, memberId, actor, keysEnd }: EndedRole,
): Promise<EndedParts> {
  const at = context.at();
  const keys = await listKeysCreatedBy(tx, accountId, memberId, at);
  if (keysEnd === 'never') return keys.length === 0 ? {} : { keys_kept: keys.length };
  const until = toIso(Date.parse(at) + KEY_END_MS[keysEnd]);
  // Keys that end sooner stay unchanged, for example if the role of a suspended person is ended again.
  const ending = keys.filter(({ expires_at }) => expires_at === null || expires_at > until);
  for (const key of ending) {
    if (keysEnd === 'now') {
      await endKey(tx, 'api_keys', key, { revoked_at: at });
      await appendKeyEvent(tx, API_KEYS, 'revoked', key, { at, actor, data: {} });
    } else await endKey(tx, 'api_keys', key, { expires_at: until });
  }
  return ending.length === 0 ? {} : { keys: ending.length, keys_end_at: until };
}

async function handOverOrPause(
  context: Pick<Context, 'now' | 'at'>,
  tx: Transaction,
  { accountId, memberId, actor, endpointsTo }: EndedRole,
): Promise<EndedParts> {
  if (endpointsTo !== null) {
    const count = await handOverEndpoints(tx, accountId, memberId, endpointsTo);
    return count > 0 ? { endpoints_kept: count } : {};
  }
  const paused = await endEndpoints(tx, accountId, memberId, { at: context.at(), actor });
  return paused > 0 ? { endpoints: paused } : {};
}
