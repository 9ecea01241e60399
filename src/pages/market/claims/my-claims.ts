import type { Context } from '../../../base/context.ts';
import { claimState } from '../../../claims/claim.ts';
import { linkOfClaim, templateOf } from '../../../claims/claimants/open.ts';
import {
  type ClaimantClaim,
  type ClaimantCursor,
  findClaimOfPerson,
  readClaimsOf,
  readClaimsOnListing,
} from '../../../claims/claimants/queries.ts';
import { codesOfClaims } from '../../../claims/codes/codes-of-claims.ts';
import { linkOrigin } from '../../../marketplace/offers/redemption-link.ts';
import { KEYS_KEPT_MS } from '../../../people/accounts/account.ts';
import type { Message } from '../../../platform/languages/translate.ts';
import { type Queryable, takePage } from '../../../platform/store/database.ts';
import { toIso } from '../../../platform/text/time-text.ts';

const MY_CLAIMS_PAGE_SIZE = 25;

type Reading = Pick<Context, 'db' | 'secretBox' | 'random' | 'now'>;

export type MyClaim = ReturnType<typeof toMyClaim>;

/** Returns claims in live mode, unredeemed claims first. A malformed cursor (`after`) is ignored. */
export async function listMyClaims(
  context: Reading,
  input: { readonly claimantAccountId: string; readonly after?: string | undefined; readonly limit?: number },
): Promise<{ readonly claims: readonly MyClaim[]; readonly next: string | null }> {
  const after = readCursor(input.after);
  const { rows, nextAfter } = await takePage(input.limit ?? MY_CLAIMS_PAGE_SIZE, (limit) =>
    readClaimsOf(context.db.read, input.claimantAccountId, { after, limit }),
  );
  const codes = await codesOfClaims(context, context.db.read, rows);
  return {
    claims: rows.map((row) => toMyClaim(context, row, input.claimantAccountId, codes)),
    next: nextAfter && writeCursor(nextAfter),
  };
}

const writeCursor = ({ redeemed_at, seq }: ClaimantClaim): string =>
  `${redeemed_at === null ? 'open' : 'redeemed'}~${seq}`;

function readCursor(text: string | undefined): ClaimantCursor | null {
  const [, part, seq] = /^(open|redeemed)~([1-9][0-9]{0,14})$/.exec(text ?? '') ?? [];
  return part === undefined ? null : { isRedeemed: part === 'redeemed', seq: Number(seq) };
}

export interface MyClaimDetail extends MyClaim {
  readonly linkFault: Message | null;
  readonly conditions: string | null;
  /** The person's current claim on the offer, if this claim was replaced. */
  readonly newer_id: string | null;
}

/** Omits the redemption link, because it contains the token. `null` if the person has no claim with this id. */
export async function findMyClaim(
  context: Reading & Pick<Context, 'tokens'>,
  input: { readonly claimantAccountId: string; readonly claimId: string },
): Promise<MyClaimDetail | null> {
  const { claimantAccountId, claimId } = input;
  const row = await findClaimOfPerson(context.db, claimantAccountId, claimId);
  if (row === undefined) return null;
  const { linkFault } = linkOfClaim(context, row, claimantAccountId);
  const codes = await codesOfClaims(context, context.db.read, [row]);
  const claim = toMyClaim(context, row, claimantAccountId, codes);
  const newer_id =
    claim.state === 'replaced' ? await findNewerClaim(context.db.read, claimantAccountId, row) : null;
  return { ...claim, linkFault, conditions: row.conditions, newer_id };
}

async function findNewerClaim(
  db: Queryable,
  claimantAccountId: string,
  { listing_id, offer_id }: Pick<ClaimantClaim, 'listing_id' | 'offer_id'>,
): Promise<string | null> {
  const current = await readClaimsOnListing(db, claimantAccountId, listing_id);
  return current.find((claim) => claim.offer_id === offer_id)?.id ?? null;
}

function toMyClaim(
  { now }: Pick<Context, 'now'>,
  row: ClaimantClaim,
  claimantAccountId: string,
  codes: ReadonlyMap<string, string>,
) {
  const template = templateOf(row, claimantAccountId);
  const redeemableUntil =
    row.owner_deleted_at === null ? null : toIso(Date.parse(row.owner_deleted_at) + KEYS_KEPT_MS);
  return {
    id: row.id,
    mode: row.mode,
    listing_id: row.listing_id,
    listing_name: row.listing_name,
    listing_slug: row.listing_slug,
    offer: row.offer,
    kind: row.kind,
    claimed_at: row.claimed_at,
    opened_at: row.opened_at,
    redeemed_at: row.redeemed_at,
    code: codes.get(row.id) ?? row.code,
    /** Whether the code is from a code list and therefore unique to this claim. */
    hasOwnCode: codes.has(row.id),
    shopUrl: row.shop_url ?? row.listing_url,
    state: claimState(row),
    isPublic: row.listing_state === 'approved',
    /** If true, claims on the owner's offers can't be verified. */
    isOwnerSuspended: row.owner_suspended_at !== null,
    /** `null` unless the owner has deleted their account. */
    redeemableUntil,
    isTooLate: redeemableUntil !== null && redeemableUntil <= toIso(now()),
    /** Origin of the owner's page; `null` if the offer has only a code. */
    origin: template === null ? null : linkOrigin(template),
  };
}
