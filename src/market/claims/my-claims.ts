/** What a claimant sees of their claims, and the hop from one of them to the owner's page. */

import {
  type ClaimantClaim,
  findClaimOfPerson,
  insertOpening,
  readClaimsOf,
} from '../../claims/claimant-queries.ts';
import { hashToken } from '../../claims/token.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import type { Mode } from '../../keys/key.ts';
import type { Kind } from '../../offers/offer.ts';
import { fillRedemptionLink, linkOrigin } from '../../offers/redemption-link.ts';
import { isUuid } from '../../store/uuid.ts';

/** Claims of a page unless it asks for fewer. */
export const MY_CLAIMS_PAGE_SIZE = 25;

export interface MyClaim {
  readonly id: string;
  readonly mode: Mode;
  readonly state: 'not_redeemed' | 'redeemed' | 'replaced';
  readonly listing: { readonly slug: string; readonly name: string; readonly isPublic: boolean };
  readonly offer: { readonly id: string; readonly offer: string; readonly kind: Kind };
  /** The shared code for checkout. */
  readonly code: string | null;
  /** Origin of the owner's page; `null` where the offer has no link and the code is all there is. */
  readonly origin: string | null;
  readonly via: string | null;
  readonly claimedAt: string;
  /** When the owner's page was first opened from here. */
  readonly openedAt: string | null;
  readonly redeemedAt: string | null;
}

export interface MyClaims {
  readonly claims: readonly MyClaim[];
  /** Cursor of the next page; `null` on the last. */
  readonly next: string | null;
}

/** Live claims of a person, newest first. `after`: the cursor of the page before; a malformed one begins anew. */
export async function listMyClaims(
  context: Pick<Context, 'db'>,
  input: { readonly claimantAccountId: string; readonly after?: string | undefined; readonly limit?: number },
): Promise<MyClaims> {
  const limit = Math.min(input.limit ?? MY_CLAIMS_PAGE_SIZE, MY_CLAIMS_PAGE_SIZE);
  const beforeSeq = /^[1-9][0-9]{0,14}$/.test(input.after ?? '') ? Number(input.after) : null;
  const rows = await readClaimsOf(context.db.read, input.claimantAccountId, { beforeSeq, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    claims: page.map(toMyClaim),
    next: rows.length > limit ? String(page.at(-1)!.seq) : null,
  };
}

export interface MyClaimDetail extends MyClaim {
  /** The redemption link with the token in it: a secret of its claimant. `null` where `origin` is. */
  readonly link: string | null;
  /** Why there is no link though the offer has one, in a sentence. */
  readonly linkFault: string | null;
}

/** One claim of a person; `null` where they have none with this id. */
export async function findMyClaim(
  context: Pick<Context, 'db' | 'tokens'>,
  input: { readonly claimantAccountId: string; readonly claimId: string },
): Promise<MyClaimDetail | null> {
  const row = await find(context, input);
  return row === undefined ? null : { ...toMyClaim(row), ...linkOf(context, row) };
}

/**
 * The link with the token for the redirect to the owner's page. The first opening is kept for the owner's timeline, as
 * a record and not as an event: nothing of the claim changes. Throws `invalid_request` where there is no such claim
 * or nothing to open.
 */
export async function openClaim(
  context: Context,
  input: { readonly claimantAccountId: string; readonly claimId: string },
): Promise<{ readonly link: string }> {
  const row = await find(context, input);
  if (row === undefined) throw invalid('There is no such claim.');
  const { link, linkFault } = linkOf(context, row);
  if (link === null) {
    throw invalid(linkFault ?? 'This offer has no page to open: its code goes in at checkout.');
  }
  if (row.opened_at === null) {
    const opening = {
      account_id: row.account_id,
      claim_id: row.id,
      opened_at: new Date(context.now()).toISOString(),
    };
    await context.db.transaction((tx) => insertOpening(tx, opening));
  }
  return { link };
}

const find = async (
  context: Pick<Context, 'db'>,
  { claimantAccountId, claimId }: { readonly claimantAccountId: string; readonly claimId: string },
): Promise<ClaimantClaim | undefined> =>
  isUuid(claimId) ? findClaimOfPerson(context.db.read, claimantAccountId, claimId.toLowerCase()) : undefined;

function toMyClaim(row: ClaimantClaim): MyClaim {
  return {
    id: row.id,
    mode: row.mode,
    state: row.replaced_at !== null ? 'replaced' : row.redeemed_at !== null ? 'redeemed' : 'not_redeemed',
    listing: { slug: row.slug, name: row.listing_name, isPublic: row.listing_state === 'approved' },
    offer: { id: row.offer_id, offer: row.offer, kind: row.kind },
    code: row.code,
    origin: row.redemption_link === null ? null : linkOrigin(row.redemption_link),
    via: row.via,
    claimedAt: row.claimed_at,
    openedAt: row.opened_at,
    redeemedAt: row.redeemed_at,
  };
}

function linkOf(
  context: Pick<Context, 'tokens'>,
  row: ClaimantClaim,
): { readonly link: string | null; readonly linkFault: string | null } {
  if (row.redemption_link === null) return { link: null, linkFault: null };
  const token = context.tokens.derive(row.id, row.mode);
  if (Buffer.compare(hashToken(token), row.token_hash) !== 0) {
    return {
      link: null,
      linkFault: 'The link of this claim cannot be shown: the service runs under another secret key now.',
    };
  }
  return { link: fillRedemptionLink(row.redemption_link, token), linkFault: null };
}
