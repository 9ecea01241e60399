/** Creates marketplace data for tests: owners with an offer and API keys, claims, request logs and a brand. */

import type { Brand } from '../../src/base/brand/brand.ts';
import type { Context } from '../../src/base/context.ts';
import { changeBrand } from '../../src/base/settings/change-brand.ts';
import type { Cause } from '../../src/claims/attempts/cause.ts';
import { createAttemptRecorder } from '../../src/claims/attempts/recorder.ts';
import { issueClaims } from '../../src/claims/creation/issue.ts';
import { hashToken } from '../../src/claims/token.ts';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { findPublicListing, type PublicListing } from '../../src/pages/market/queries.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { createKey } from '../../src/people/keys/create.ts';
import type { Mode } from '../../src/people/keys/key.ts';
import type { ViewRights } from '../../src/people/visibility/visibility.ts';
import type { Queryable } from '../../src/platform/store/database.ts';
import { attemptOf } from './attempts.ts';

/** The rights of people without a session on a marketplace for everyone. */
export const STRANGER: ViewRights = { all: false, unrestricted: true, listings: [], accounts: [] };

/** What a stranger sees of a listing; `null`: nothing. */
export async function findLive(db: Queryable, slug: string, now: number): Promise<PublicListing | null> {
  const listing = await findPublicListing(db, STRANGER, slug, now);
  return listing?.state === 'hidden' ? null : listing;
}

export interface Owner {
  readonly accountId: string;
  readonly email: string;
  readonly slug: string;
  readonly listingId: string;
  readonly offerId: string;
  readonly liveKey: string;
  readonly liveKeyId: string;
  readonly testKey: string;
}

export const OFFER_TEXT = '20 % off the first "year"';
const ACTOR = 'operator' as const;

let owners = 0;

export async function createOwner(context: Context): Promise<Owner> {
  owners += 1;
  const name = `owner-${process.pid}-${owners}`;
  const account = await createAccount(context, {
    email: `${name}@example.com`,
    name,
    plan: 'studio',
    actor: ACTOR,
  });
  const listing = await createListing(context, {
    account: account.id,
    slug: name,
    name,
    url: 'https://acme.example/app',
    upTo: 'approved',
    actor: ACTOR,
  });
  const offer = await createOffer(context, {
    listing: name,
    offer: OFFER_TEXT,
    kind: 'discount',
    redemption_link: 'https://acme.example/welcome?claim={claim}',
    actor: ACTOR,
  });
  const live = await createKey(context, { account: account.id, name: 'server', mode: 'live', actor: ACTOR });
  const test = await createKey(context, { account: account.id, name: 'trial', mode: 'test', actor: ACTOR });
  return {
    accountId: account.id,
    email: account.email,
    slug: name,
    listingId: listing.id,
    offerId: offer.id,
    liveKey: live.key,
    liveKeyId: live.id,
    testKey: test.key,
  };
}

export async function issueTokens(
  context: Context,
  owner: Partial<Owner> & Pick<Owner, 'offerId'>,
  count: number,
  options: { mode?: Mode; via?: string | null } = {},
): Promise<string[]> {
  const input = { offerId: owner.offerId, count, mode: options.mode ?? 'live', via: options.via ?? null };
  const tokens: string[] = [];
  for await (const claims of issueClaims(context, input)) tokens.push(...claims.map(({ token }) => token));
  return tokens;
}

/** Returns the rows of an owner's claims in order of creation. */
export const claimsOf = ({ db }: Context, owner: Owner) =>
  db.read
    .selectFrom('claims')
    .leftJoin('claim_references', 'claim_references.claim_seq', 'claims.seq')
    .selectAll('claims')
    .select('claim_references.reference')
    .where('account_id', '=', owner.accountId)
    .orderBy('seq')
    .execute();

/** Records one call per cause in the request log, all with the same token and one minute apart. */
export async function recordAttempts(
  context: Context,
  owner: Owner,
  token: string,
  causes: readonly Cause[],
  startMs: number,
): Promise<void> {
  const recorder = createAttemptRecorder(context);
  for (const [at, cause] of causes.entries()) {
    recorder.record(
      attemptOf({
        accountId: owner.accountId,
        atMs: startMs + at * 60_000,
        requestId: `r${at}`,
        keyId: owner.liveKeyId,
        cause,
        redeem: cause !== 'valid',
        tokenLast4: token.slice(-4),
        tokenHash: hashToken(token),
        offerId: owner.offerId,
      }),
    );
  }
  await recorder.close();
}

/** Saves the configured brand as an operator, with the fields in `changed` replaced. */
export const saveBrand = (context: Context, operatorId: string, changed: Partial<Brand>): Promise<void> =>
  changeBrand(context, {
    brand: { ...context.marketplace.first, ...changed },
    operatorId,
    actor: `account:${operatorId}`,
  });
