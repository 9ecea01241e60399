import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Words } from '../../platform/languages/translate.ts';
import {
  approveListing,
  approveProposal,
  declineProposal,
  rejectListing,
  requestChanges,
} from './decisions.ts';
import { approvePictures, declinePictures } from './pictures.ts';
import type { Listing } from './queries.ts';
import { approveTexts, restoreTexts } from './text-decisions.ts';

/** What awaits review: a complete listing, or a proposal of a live listing. */
export const REVIEWED_KINDS = ['listing', 'url', 'texts', 'link', 'pictures'] as const;

export interface ReviewedEntry {
  readonly kind: (typeof REVIEWED_KINDS)[number];
  readonly listing: string;
  /** The offer, for `link`. */
  readonly offerId: string | undefined;
  /** The version of the listing that the operator saw. */
  readonly version: number;
}

/** `decline` sends a listing back to its owner; `reject` is final for a listing. Proposals are declined either way. */
export const RULINGS = ['approve', 'decline', 'reject'] as const;

export interface Ruling {
  readonly ruling: (typeof RULINGS)[number];
  /** Shown to the owners. Required unless the entries are approved. */
  readonly reason: string | null;
  readonly actor: Actor;
}

export interface Outcome {
  readonly entry: ReviewedEntry;
  /** The listing after the decision, or why there was no decision. */
  readonly result: { readonly decided: Listing } | { readonly refusal: Words };
}

type Decide = (
  context: Context,
  input: Omit<ReviewedEntry, 'kind'> & Pick<Ruling, 'reason' | 'actor'>,
) => Promise<Listing>;

const PROPOSAL = { approve: approveProposal, decline: declineProposal, reject: declineProposal };

const VERBS: Readonly<Record<ReviewedEntry['kind'], Readonly<Record<Ruling['ruling'], Decide>>>> = {
  listing: { approve: approveListing, decline: requestChanges, reject: rejectListing },
  url: PROPOSAL,
  link: PROPOSAL,
  texts: { approve: approveTexts, decline: restoreTexts, reject: restoreTexts },
  pictures: { approve: approvePictures, decline: declinePictures, reject: declinePictures },
};

/** Decides each entry in its own transaction, as if the operator decided one after the other. */
export async function decideTogether(
  context: Context,
  entries: readonly ReviewedEntry[],
  { ruling, reason, actor }: Ruling,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  /** By listing: the version that the operator saw, and the one after the decisions made here. */
  const versions = new Map<string, { readonly seen: number; readonly current: number }>();
  for (const entry of entries) {
    const { kind, ...input } = entry;
    const earlier = versions.get(entry.listing);
    const version = earlier?.seen === entry.version ? earlier.current : entry.version;
    try {
      const decided = await VERBS[kind][ruling](context, {
        ...input,
        version,
        reason: ruling === 'approve' ? null : reason,
        actor,
      });
      versions.set(entry.listing, { seen: entry.version, current: decided.version });
      outcomes.push({ entry, result: { decided } });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
      outcomes.push({ entry, result: { refusal: error.sentence } });
    }
  }
  return outcomes;
}
