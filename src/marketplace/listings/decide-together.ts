import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import type { AccountRequest } from '../../people/accounts/request-queries.ts';
import { declineRequest, grantRequest } from '../../people/accounts/requests.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Words } from '../../platform/languages/translate.ts';
import {
  approvePictures,
  approveProposal,
  approveTexts,
  declinePictures,
  declineProposal,
  restoreTexts,
} from './decide-proposal.ts';
import { approveListing, rejectListing, requestChanges, suspendListing } from './decisions.ts';
import type { Listing } from './queries.ts';
import { askOwner } from './questions.ts';
import { dismissReports, reportsAreClosed } from './reports.ts';
import type { ReviewedKind } from './review.ts';

export interface ReviewedEntry {
  readonly kind: ReviewedKind;
  readonly listing: string;
  /** The offer, for `link`. */
  readonly offerId: string | undefined;
  /** The version of the listing that the operator saw. */
  readonly version: number;
}

/** The open reports about a listing. */
export interface ReportedEntry {
  readonly kind: 'report';
  readonly listing: string;
  /** The creation time of the newest report that the operator saw. */
  readonly upTo: string;
}

/** An account's request for a plan, for permission to publish or for a new name. */
export const REQUEST_KINDS = ['plan', 'publish', 'name'] as const satisfies readonly AccountRequest['wish'][];

export interface RequestEntry {
  readonly kind: (typeof REQUEST_KINDS)[number];
  readonly account: string;
  /** The request that the operator saw (`seenOf`). */
  readonly seen: string;
}

export type QueueEntry = ReviewedEntry | ReportedEntry | RequestEntry;

/**
 * `decline` sends a listing back to its owner; `reject` is final for a listing. Proposals and requests are declined
 * either way. For reports, `approve` dismisses them, `decline` asks the owner, and `reject` suspends the listing.
 */
export const RULINGS = ['approve', 'decline', 'reject'] as const;

export interface Ruling {
  readonly ruling: (typeof RULINGS)[number];
  /** Shown to the owners. Required unless the entries are approved. */
  readonly reason: string | null;
  readonly actor: Actor;
}

export interface Outcome {
  readonly entry: QueueEntry;
  /**
   * Why there was no decision; or the listing after a decision that can be undone with its version, and `null` after
   * another decision.
   */
  readonly result: { readonly decided: Listing | null } | { readonly refusal: Words };
}

type Review = (
  context: Context,
  input: Omit<ReviewedEntry, 'kind'> & Pick<Ruling, 'reason' | 'actor'>,
) => Promise<Listing>;

const PROPOSAL = { approve: approveProposal, decline: declineProposal, reject: declineProposal };

const REVIEWS: Readonly<Record<ReviewedEntry['kind'], Readonly<Record<Ruling['ruling'], Review>>>> = {
  listing: { approve: approveListing, decline: requestChanges, reject: rejectListing },
  url: PROPOSAL,
  link: PROPOSAL,
  texts: { approve: approveTexts, decline: restoreTexts, reject: restoreTexts },
  pictures: { approve: approvePictures, decline: declinePictures, reject: declinePictures },
};

/** Decides each entry in its own transaction, as if the operator decided one after the other. */
export async function decideTogether(
  context: Context,
  entries: readonly QueueEntry[],
  { ruling, reason: typed, actor }: Ruling,
): Promise<readonly Outcome[]> {
  const reason = ruling === 'approve' ? null : typed;
  /** By listing: the version that the operator saw, and the one after the decisions made here. */
  const versions = new Map<string, { readonly seen: number; readonly current: number }>();

  const review = async ({ kind, ...entry }: ReviewedEntry): Promise<Listing> => {
    const earlier = versions.get(entry.listing);
    const version = earlier?.seen === entry.version ? earlier.current : entry.version;
    const decided = await REVIEWS[kind][ruling](context, { ...entry, version, reason, actor });
    versions.set(entry.listing, { seen: entry.version, current: decided.version });
    return decided;
  };
  const decide = async (entry: QueueEntry): Promise<Listing | null> => {
    if ('version' in entry) return await review(entry);
    if ('upTo' in entry) return await decideReports(context, entry, { ruling, reason, actor });
    const { kind: wish, account, seen } = entry;
    const request = { account, wish, seen, actor };
    if (ruling === 'approve') await grantRequest(context, request);
    else await declineRequest(context, { ...request, reason: reason ?? '' });
    return null;
  };

  const outcomes: Outcome[] = [];
  // Reports last, because a suspension changes the version that the listing's other entries were seen with.
  for (const entry of entries.toSorted((a, b) => Number('upTo' in a) - Number('upTo' in b))) {
    try {
      outcomes.push({ entry, result: { decided: await decide(entry) } });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
      outcomes.push({ entry, result: { refusal: error.sentence } });
    }
  }
  return outcomes;
}

async function decideReports(
  context: Context,
  { listing, upTo: reportsUpTo }: ReportedEntry,
  { ruling, reason, actor }: Ruling,
): Promise<Listing | null> {
  if (ruling === 'reject') return await suspendListing(context, { listing, reason, actor, reportsUpTo });
  if (ruling === 'decline') {
    await askOwner(context, { listing, question: reason ?? '', actor, reportsUpTo });
  } else if (!(await dismissReports(context, { listing, upTo: reportsUpTo, actor }))) {
    throw reportsAreClosed();
  }
  return null;
}
