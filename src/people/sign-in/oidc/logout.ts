import type { Context } from '../../../base/context.ts';
import { appendEvent } from '../../../base/events/queries.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { endSteps } from '../access-queries.ts';
import { byNetwork, OIDC_LOGOUT_BY_NETWORK } from '../limits/limits.ts';
import { countRequest, refuseRequest } from '../limits/throttle.ts';
import type { Caller, SignInServices } from '../services.ts';
import { deleteProviderSessions, deleteSessionsBefore } from '../sessions/queries.ts';
import { issuerIn, type ProviderLogout } from './logout-token.ts';
import { type IdentityProvider, isSameIssuer } from './provider.ts';
import { findAccountOfIdentity } from './queries.ts';

/**
 * Ends the sessions that a logout token names. Returns false if the token isn't valid. Only invalid tokens count toward
 * the limit, so that a provider can end the sessions of everybody at the same time.
 */
export async function endByProvider(
  services: SignInServices,
  providers: readonly IdentityProvider[],
  { token, caller }: { readonly token: string; readonly caller: Caller },
): Promise<boolean> {
  const limits = byNetwork(OIDC_LOGOUT_BY_NETWORK, caller.address);
  await refuseRequest(services, caller, limits);
  const issuer = issuerIn(token);
  const provider = providers.find((one) => issuer !== null && isSameIssuer(one.issuer, issuer));
  const logout = (await provider?.logoutOf(token)) ?? null;
  if (logout === null) {
    await countRequest(services, caller, limits);
    return false;
  }
  await endSessionsOf(services.context, logout);
  return true;
}

const endSessionsOf = (
  context: Context,
  { issuer, subject, providerSession, startedBeforeMs }: ProviderLogout,
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const before = toIso(startedBeforeMs);
    const ended = [];
    if (providerSession !== null) {
      ended.push(...(await deleteProviderSessions(tx, providerSession, before)));
    } else if (subject !== null) {
      const account = await findAccountOfIdentity(tx, issuer, subject);
      if (account === undefined) return;
      await endSteps(tx, account.id);
      ended.push(...(await deleteSessionsBefore(tx, account.id, before)));
    }
    const about = { type: 'session.revoked', at: context.at(), actor: 'service' } as const;
    for (const { id, account_id: accountId } of ended) {
      await appendEvent(tx, { ...about, accountId, subjectId: id, data: { by_provider: true } });
    }
  });
