/** An owner's progress in the four set-up steps, each derived from data. */
import { planHasApiKeys } from '../../accounts/account.ts';
import { findAccount } from '../../accounts/queries.ts';
import type { Context } from '../../context.ts';
import { listActiveKeyModes } from '../../keys/queries.ts';
import { type AttemptView, readLatestAttempts } from './diagnosed-attempts.ts';
import { findFurthestListing, findOfferByLink, listFirstVerifications } from './set-up-queries.ts';

export interface SetUpProgress {
  /** A listing is published and approved. `listing`: the one with the most progress. */
  readonly published: {
    readonly done: boolean;
    readonly listing: {
      readonly id: string;
      readonly slug: string;
      readonly name: string;
      readonly state: string;
    } | null;
  };
  /** An offer has a redemption link; every link has `{claim}`. `offer`: where none has a link, the one to edit. */
  readonly linked: {
    readonly done: boolean;
    readonly offer: { readonly id: string; readonly listingId: string } | null;
  };
  /** There is an active API key. `live`: one of them is live. `possible`: the plan has keys. */
  readonly keyed: { readonly done: boolean; readonly live: boolean; readonly possible: boolean };
  /**
   * A verification found a claim. `redeemed`: the first call that redeemed one, where it is not `first`. `attempts`: the
   * newest calls, each with its diagnosis.
   */
  readonly verified: {
    readonly done: boolean;
    readonly first: Verification | null;
    readonly redeemed: Verification | null;
    readonly attempts: readonly AttemptView[];
  };
  readonly complete: boolean;
}

export interface Verification {
  readonly at: string;
  readonly requestId: string;
  readonly outcome: string;
  readonly tokenLast4: string | null;
  /** `null` where it was not measured. */
  readonly latencyUs: number | null;
}

/** States of listings by progress: the first one present is the account's progress. */
const FURTHEST_FIRST = [
  'approved',
  'suspended',
  'pending',
  'changes_requested',
  'rejected',
  'withdrawn',
  'draft',
];

/** Throws `invalid_request` for an unknown account. */
export async function setUpProgress(
  context: Pick<Context, 'db' | 'now'>,
  accountId: string,
): Promise<SetUpProgress> {
  const db = context.db.read;
  // First: a malformed id would make the other queries fail with the database's message.
  const account = await findAccount(db, accountId);
  const [furthest, linkedOffer, toLink, keyModes, firsts, attempts] = await Promise.all([
    findFurthestListing(db, accountId, FURTHEST_FIRST),
    findOfferByLink(db, accountId, true),
    findOfferByLink(db, accountId, false),
    listActiveKeyModes(db, accountId, new Date(context.now()).toISOString()),
    listFirstVerifications(db, accountId),
    readLatestAttempts(context, accountId),
  ]);
  const first = firsts[0];
  const redeemed = firsts.find(({ outcome }) => outcome === 'redeemed');
  const published = furthest?.state === 'approved';
  const linked = linkedOffer !== undefined;
  const keyed = keyModes.length > 0;
  return {
    published: { done: published, listing: furthest ?? null },
    linked: {
      done: linked,
      offer: linked || toLink === undefined ? null : { id: toLink.id, listingId: toLink.listing_id },
    },
    keyed: { done: keyed, live: keyModes.includes('live'), possible: planHasApiKeys(account.plan) },
    verified: {
      done: first !== undefined,
      first: first === undefined ? null : verificationOf(first),
      redeemed: redeemed === undefined || redeemed === first ? null : verificationOf(redeemed),
      attempts,
    },
    complete: published && linked && keyed && first !== undefined,
  };
}

const verificationOf = (row: Awaited<ReturnType<typeof listFirstVerifications>>[number]): Verification => ({
  at: row.at,
  requestId: row.request_id,
  outcome: row.outcome,
  tokenLast4: row.token_last4,
  latencyUs: row.latency_us,
});

/** What the page shows: the first redemption, and until then the first verification. */
export const shownVerification = ({ verified }: SetUpProgress): Verification | null =>
  verified.redeemed ?? verified.first;

/** A claim was found, and none is redeemed yet. */
export const awaitsRedemption = (progress: SetUpProgress): boolean =>
  shownVerification(progress)?.outcome === 'valid';
