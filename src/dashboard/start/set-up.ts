/** How far an owner has come with the four steps of setting up, each read from data. */
import { planHasApiKeys } from '../../accounts/account.ts';
import { findAccount } from '../../accounts/queries.ts';
import type { Context } from '../../context.ts';
import { countActiveKeys } from '../../keys/queries.ts';
import { type AttemptView, readLatestAttempts } from './diagnosed-attempts.ts';
import { findFirstVerification, findFurthestListing, findOfferByLink } from './set-up-queries.ts';

export interface SetUpProgress {
  /** A listing is published and approved. `listing`: the one that is furthest. */
  readonly published: {
    readonly done: boolean;
    readonly listing: {
      readonly id: string;
      readonly slug: string;
      readonly name: string;
      readonly state: string;
    } | null;
  };
  /** An offer has a redemption link; every one holds `{claim}`. `offer`: one to put a link into where none has. */
  readonly linked: {
    readonly done: boolean;
    readonly offer: { readonly id: string; readonly listingId: string } | null;
  };
  /** There is an API key that is active. `possible`: the plan has keys. */
  readonly keyed: { readonly done: boolean; readonly possible: boolean; readonly keys: number };
  /** A verification found a claim. `attempts`: the newest calls, each with what was wrong with it. */
  readonly verified: {
    readonly done: boolean;
    readonly first: FirstVerification | null;
    readonly attempts: readonly AttemptView[];
  };
  readonly complete: boolean;
}

export interface FirstVerification {
  readonly at: string;
  readonly requestId: string;
  readonly outcome: string;
  readonly tokenLast4: string | null;
  readonly latencyUs: number;
}

/** Of these states the first that a listing has says how far the account is. */
const FURTHEST_FIRST = [
  'approved',
  'suspended',
  'pending',
  'changes_requested',
  'rejected',
  'withdrawn',
  'draft',
];

/** Throws `invalid_request` for an account there is not. */
export async function setUpProgress(
  context: Pick<Context, 'db' | 'now'>,
  accountId: string,
): Promise<SetUpProgress> {
  const db = context.db.read;
  // First and alone: what is no id would fail the others in the database's words.
  const account = await findAccount(db, accountId);
  const [furthest, linkedOffer, toLink, active, first, attempts] = await Promise.all([
    findFurthestListing(db, accountId, FURTHEST_FIRST),
    findOfferByLink(db, accountId, true),
    findOfferByLink(db, accountId, false),
    countActiveKeys(db, accountId, new Date(context.now()).toISOString()),
    findFirstVerification(db, accountId),
    readLatestAttempts(context, accountId),
  ]);
  const published = furthest?.state === 'approved';
  const linked = linkedOffer !== undefined;
  return {
    published: { done: published, listing: furthest ?? null },
    linked: {
      done: linked,
      offer: linked || toLink === undefined ? null : { id: toLink.id, listingId: toLink.listing_id },
    },
    keyed: { done: active > 0, possible: planHasApiKeys(account.plan), keys: active },
    verified: {
      done: first !== undefined,
      first:
        first === undefined
          ? null
          : {
              at: first.at,
              requestId: first.request_id,
              outcome: first.outcome,
              tokenLast4: first.token_last4,
              latencyUs: first.latency_us,
            },
      attempts,
    },
    complete: published && linked && active > 0 && first !== undefined,
  };
}
