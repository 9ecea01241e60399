import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { MAX_LISTINGS_OF_ACCOUNT } from '../../marketplace/listings/listing.ts';
import {
  appendListingEvent,
  changeOwner,
  countListings,
  findListing,
  type Listing,
  lockListing,
} from '../../marketplace/listings/queries.ts';
import { listOffers } from '../../marketplace/offers/queries.ts';
import { refuseDeleted } from '../../people/accounts/account.ts';
import { type Account, findAccount } from '../../people/accounts/queries.ts';
import { expireLinksOf } from '../../people/visibility/link-queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { readAccountNumber } from '../../platform/store/numbers.ts';
import { countClaimsOf, countCodesOf, hasSameToken, type Moving, moveClaims, moveOffers } from './queries.ts';

/** Blocks redemptions on SQLite for up to a second. Five times as many would cause 503 and statement timeouts. */
const MAX_TRANSFERRED = { claims: 20_000, codes: 50_000 };

interface TransferListing {
  readonly listing: string;
  /** Id or email address of the new account. */
  readonly to: string;
  /** The version shown on the operator's page. The transfer is rejected if the listing has changed since. */
  readonly version?: number | undefined;
  readonly actor: Actor;
  /** The transfer was made before a restore, which undid it. Either account may have changed since the transfer. */
  readonly isRepeated?: true;
}

/** If no server is running. */
export const ANY_SIZE = { claims: 1e9, codes: 1e9 };

/**
 * Moves the listing with its offers, codes and claims, and the events of the claims. Afterwards, only the new account's
 * API keys find the claims, and nobody else can use the invitation links, which the old account may know. Concurrent
 * claims and redemptions commit either before or after the transfer.
 */
export async function transferListing(
  context: Context,
  input: TransferListing,
  most = MAX_TRANSFERRED,
): Promise<Listing> {
  const { db } = context;
  const { engine } = db;
  const { actor } = input;
  return await db.transaction(async (tx) => {
    const to = await findAccount(tx, input.to);
    const { account_id } = await findListing(tx, input.listing);
    // Lock accounts before offers, as claiming does, to avoid deadlocks.
    await DIALECTS[engine].takeLocks(tx, [account_id, to.id]);
    const listing = await lockListing(tx, engine, input.listing);
    // The form was sent twice.
    if (listing.account_id === to.id && (input.version ?? listing.version) < listing.version) return listing;
    if (listing.account_id !== account_id || (input.version ?? listing.version) !== listing.version) {
      throw invalid(message('Someone else has just changed the listing. Check it, then try again.'));
    }
    if (to.id === account_id) throw invalid(message('The listing already belongs to this account.'));
    refuseDeleted(to);
    if (!input.isRepeated) {
      refuseDeleted(await findAccount(tx, account_id));
      await refuseUnfit(tx, to);
    }
    const offerIds = (await listOffers(tx, listing)).map(({ id }) => id);
    await DIALECTS[engine].takeLocks(tx, offerIds);
    const moving: Moving = {
      listingId: listing.id,
      from: { id: account_id, number: await readAccountNumber(tx, account_id) },
      to: { id: to.id, number: await readAccountNumber(tx, to.id) },
    };
    const claims = await countClaimsOf(tx, moving, most.claims + 1);
    const codes = await countCodesOf(tx, moving, most.codes + 1);
    const { canMoveBetweenAccounts } = DIALECTS[engine];
    if (!canMoveBetweenAccounts && claims + codes > 0) {
      throw invalid(
        'Each account’s claims and codes are stored on one of several database servers, so a listing with claims or codes cannot be transferred. Its owner can hand over the whole account by changing the account’s email address.',
      );
    }
    if (claims > most.claims) {
      throw invalid(
        `The listing has too many claims: at most ${most.claims.toLocaleString('en')} can be transferred. Its owner can hand over the whole account by changing the account’s email address.`,
      );
    }
    if (codes > most.codes) {
      throw invalid(
        `The listing’s code lists are too long: at most ${most.codes.toLocaleString('en')} codes can be transferred. Withdraw codes, and add them again after the transfer.`,
      );
    }
    if (claims > 0 && (await hasSameToken(tx, moving))) {
      throw invalid(
        message('A claim of the new account has the same imported token as a claim of this listing.'),
      );
    }
    const at = context.at();
    await appendListingEvent(tx, listing, { at, actor }, 'listing.transferred', { to_account: to.id });
    if (canMoveBetweenAccounts) await moveClaims(tx, moving);
    await moveOffers(tx, moving);
    await expireLinksOf(tx, listing.id, at);
    const moved = await changeOwner(tx, listing, to.id);
    await appendListingEvent(tx, moved, { at, actor }, 'listing.transferred', { from_account: account_id });
    return moved;
  });
}

async function refuseUnfit(tx: Transaction, to: Account): Promise<void> {
  if (to.delete_at !== null) throw invalid(message('The new account is about to be deleted.'));
  if (to.suspended_at !== null) {
    throw invalid(message('The new account is suspended. End the suspension first.'));
  }
  if ((await countListings(tx, to.id)) >= MAX_LISTINGS_OF_ACCOUNT) {
    throw invalid(
      message('The new account already has the maximum of {count} listings.', {
        count: MAX_LISTINGS_OF_ACCOUNT,
      }),
    );
  }
}
