import { readKinds, readMailSettings } from '../../background/notices/queries.ts';
import type { Context } from '../../base/context.ts';
import { plannedDeletion } from '../../people/accounts/account.ts';
import { listWorkAccounts } from '../../people/accounts/membership-queries.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import { findRequest } from '../../people/accounts/request-queries.ts';
import { passkeyHost } from '../../people/sign-in/credentials/passkeys.ts';
import { hasSecondFactor, listPasskeys } from '../../people/sign-in/credentials/queries.ts';
import { hasUsablePassword } from '../../people/sign-in/credentials/set-password.ts';
import { isSameIssuer, type ProviderChoice } from '../../people/sign-in/oidc/provider.ts';
import { listIdentities } from '../../people/sign-in/oidc/queries.ts';
import type { SignInServices } from '../../people/sign-in/services.ts';
import { listSessions } from '../../people/sign-in/sessions/queries.ts';
import type { Iso } from '../../platform/text/time-text.ts';
import type { Viewer } from '../ui/viewer.ts';
import { hasFreshProof, hasRecentProof, isLocked } from './proof/fresh-proof.ts';

interface NameProposal {
  readonly name: string;
  readonly proposedAt: Iso;
  /** Why the operator declined the name; `null`: the name waits for review. */
  readonly declined: string | null;
}

export async function readNameProposal(
  { db }: Pick<Context, 'db'>,
  accountId: string,
): Promise<NameProposal | null> {
  const request = await findRequest(db.read, accountId, 'name');
  if (request === undefined || request.approved_at !== null) return null;
  const { name, created_at: proposedAt, declined_at, reason } = request;
  return { name: name ?? '', proposedAt, declined: declined_at === null ? null : (reason ?? '') };
}

export type AccountView = Awaited<ReturnType<typeof readAccountView>>;

export async function readAccountView(
  services: SignInServices,
  viewer: Viewer,
  providers: readonly ProviderChoice[],
) {
  const { context, baseUrl, mailer, isOidcOnly } = services;
  const { accountId, name, email, sessionId, isOperator } = viewer;
  const { read } = context.db;
  const [
    account,
    nameProposal,
    password,
    hasFactor,
    passkeys,
    identities,
    sessions,
    kinds,
    mail,
    workAccounts,
  ] = await Promise.all([
    findAccount(read, accountId),
    readNameProposal(context, accountId),
    hasUsablePassword(services, accountId),
    hasSecondFactor(read, accountId),
    listPasskeys(read, accountId),
    listIdentities(read, accountId),
    listSessions(read, accountId, context.now()),
    readKinds(read, viewer),
    readMailSettings(read, accountId),
    listWorkAccounts(read, accountId),
  ]);
  const isFreshlyProven = hasFreshProof(viewer);
  return {
    name,
    nameProposal,
    email,
    sessionId,
    isOperator,
    /** Whether people can sign in only through identity providers. */
    isOidcOnly,
    hasPassword: password,
    hasSecondFactor: hasFactor,
    passkeys,
    canHavePasskeys: passkeyHost(baseUrl) !== null,
    identities,
    /** The providers to which the person can connect the account. */
    otherProviders: providers.filter(
      (one) => !identities.some(({ issuer }) => isSameIssuer(issuer, one.issuer)),
    ),
    providers,
    /** `null`: no mail server is configured. */
    mail: mailer.isReal ? { kinds, ...mail } : null,
    sessions,
    workAccounts: workAccounts.map((account) => account.name),
    deleteAt: plannedDeletion(account),
    isFreshlyProven,
    canDownload: hasRecentProof(viewer),
    /** May submit the forms that ask for the password; without a password, a fresh proof is needed instead. */
    isOwner: password ? !isLocked(viewer) : isFreshlyProven,
  };
}
