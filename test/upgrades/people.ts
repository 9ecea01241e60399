/** What a stored database has of some people: links, invitations, choices, a question, and an erased account. */
import type { Service } from '../../src/app/service.ts';
import { writeChoices } from '../../src/background/notices/queries.ts';
import type { Context } from '../../src/base/context.ts';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import { askOwner } from '../../src/marketplace/listings/questions.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { planDeletion } from '../../src/people/accounts/edit.ts';
import { hashOfInvited, refuseInvitations } from '../../src/people/members/refusals.ts';
import { insertIdentity } from '../../src/people/sign-in/oidc/queries.ts';
import { issueSignInLink } from '../../src/people/sign-in/sign-in.ts';
import { acceptAccessLink, createAccessLink } from '../../src/people/visibility/access-link.ts';
import { NOTES, type People } from '../pages/sample-data.ts';
import { invite } from '../support/members.ts';
import type { StoredFacts } from './stored.ts';

const ACTOR = 'operator' as const;
export const ERASED = 'gia@stored.example';
const INVITED = 'nora@stored.example';

/** An account that claims an offer, and whose deletion is due before the restore, which then erases it. */
export async function addShortLived(context: Context, offerId: string): Promise<void> {
  const { id } = await createAccount(context, { email: ERASED, name: 'gia', actor: ACTOR });
  await claimOffer(context, { claimantAccountId: id, listing: NOTES, offerId });
  await planDeletion(context, { account: id, actor: ACTOR, notice: null });
}

interface ForLinks {
  readonly people: People;
  /** A listing for members only. */
  readonly listingId: string;
  /** An offer with a limit of claims. */
  readonly limitedOffer: string;
}

export async function addLinks(
  { context, baseUrl }: Pick<Service, 'baseUrl' | 'context'>,
  { people, listingId, limitedOffer }: ForLinks,
): Promise<StoredFacts['links']> {
  const { owner, claimant, stranger } = people;
  const { accountId } = owner;
  const actor = `account:${accountId}` as const;
  const access = await createAccessLink(context, {
    listingId,
    accountId,
    actor,
    name: 'Customers',
    people: 5,
    days: 30,
  });
  await acceptAccessLink(context, { code: access.code, personId: stranger.accountId });
  await claimOffer(context, {
    claimantAccountId: stranger.accountId,
    listing: NOTES,
    offerId: limitedOffer,
    via: 'not a label!',
    rules: { hasMail: false, address: '198.51.100.7' },
  });
  await askOwner(context, { listing: NOTES, question: 'Does the offer still exist?', actor: ACTOR });
  await context.db.transaction(async (tx) => {
    await writeChoices(tx, accountId, { week: false });
    await insertIdentity(tx, {
      account_id: claimant.accountId,
      issuer: 'https://login.stored.example',
      subject: 'bo',
      created_at: context.at(),
      operator_since: null,
    });
  });
  const hash = await context.db.transaction((tx) => hashOfInvited(context, tx, 'nobody@stored.example'));
  await refuseInvitations(context, hash);
  const link = await issueSignInLink(context, { account: claimant.email, baseUrl, next: '/claims' });
  return {
    access: access.code,
    invited: INVITED,
    invitation: await invite(context, { accountId, email: INVITED }),
    signIn: new URL(link).hash.slice(1),
  };
}
