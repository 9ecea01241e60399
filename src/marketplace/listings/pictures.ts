import type { Context } from '../../base/context.ts';
import { appendEvent, isOperatorActor } from '../../base/events/queries.ts';
import { chargeGrowth, isNewcomer } from '../../people/growth/growth.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Queryable, Transaction } from '../../platform/store/database.ts';
import { lockOfferToChange } from '../offers/edit.ts';
import type { EncodedFile } from '../pictures/encode.ts';
import { MAX_BYTES_OF_ACCOUNT, MAX_BYTES_OF_NEWCOMER, type PictureKind } from '../pictures/picture.ts';
import { deletePicturesOf, deleteProposed } from '../pictures/queries.ts';
import { bytesOf, putPicture } from '../pictures/store.ts';
import { accountOf, type ChangeBy, type Listing, lockOwnListing, updateListing } from './queries.ts';

export type OfPicture = ChangeBy &
  (
    | { readonly listing: string; readonly kind: 'icon' | 'cover' }
    | { readonly offerId: string; readonly kind: 'offer' }
  );

type PictureChange = 'picture_added' | 'picture_removed' | 'picture_taken_back';

interface Target {
  readonly tx: Transaction;
  readonly listing: Listing;
  readonly subject: { readonly id: string; readonly listingId: string; readonly accountId: string };
  readonly kind: PictureKind;
}

/** `change` returns the event's data, or `null` if nothing changed. */
async function changePicture(
  context: Context,
  input: OfPicture,
  name: PictureChange,
  change: (target: Target) => Promise<{ readonly waits?: true } | null>,
): Promise<void> {
  const at = context.at();
  await context.db.transaction(async (tx) => {
    const { kind } = input;
    const { listing, offer } =
      'offerId' in input
        ? await lockOfferToChange(context, tx, input)
        : { listing: await lockOwnListing(tx, context.db.engine, input), offer: null };
    if (listing.state === 'rejected')
      throw invalid(message('A rejected listing cannot be edited. Create a new one.'));
    const subject = { id: (offer ?? listing).id, listingId: listing.id, accountId: listing.account_id };
    const data = await change({ tx, listing, subject, kind });
    if (data === null) return;
    await updateListing(tx, listing, {}, at);
    const { id: subjectId, accountId } = subject;
    const event = { accountId, at, actor: input.actor, subjectId };
    const { slug } = listing;
    const what = { change: name, kind } as const;
    if (offer === null) {
      await appendEvent(tx, { ...event, type: 'listing.changed', data: { ...what, slug, ...data } });
    } else {
      const ofOffer = { ...what, listing: slug, offer: offer.offer, ...data };
      await appendEvent(tx, { ...event, type: 'offer.changed', data: ofOffer });
    }
  });
}

/**
 * Replaces the current picture. After the listing's first approval, a picture from the owner needs a review. Until the
 * new picture is approved, the current picture stays visible.
 */
export async function addPicture(
  context: Context,
  input: OfPicture & { readonly files: readonly EncodedFile[] },
): Promise<void> {
  const accountId = accountOf(input);
  if (accountId !== null) await chargeGrowth(context, { accountId, bytes: bytesOf(input.files) });
  await putOwnPicture(context, input);
}

export const mostBytesFor = async (db: Queryable, by: ChangeBy): Promise<number> => {
  const accountId = accountOf(by);
  const isLimited = accountId !== null && (await isNewcomer(db, accountId));
  return isLimited ? MAX_BYTES_OF_NEWCOMER : MAX_BYTES_OF_ACCOUNT;
};

/** Like `addPicture`, for files whose bytes were charged. */
export async function putOwnPicture(
  context: Context,
  input: OfPicture & { readonly files: readonly EncodedFile[] },
): Promise<void> {
  const { files } = input;
  const mostBytes = await mostBytesFor(context.db.read, input);
  await changePicture(context, input, 'picture_added', async ({ tx, listing, subject, kind }) => {
    const waits = listing.origin !== null && !isOperatorActor(input.actor);
    const isChanged = await putPicture(context, tx, { subject, kind, files, waits, mostBytes });
    return isChanged ? (waits ? { waits } : {}) : null;
  });
}

/** Deletes the current picture and any proposed replacement. */
export const dropPicture = (context: Context, input: OfPicture): Promise<void> =>
  changePicture(context, input, 'picture_removed', async ({ tx, subject, kind }) =>
    (await deletePicturesOf(tx, [subject.id], kind)) ? {} : null,
  );

/** Deletes a proposed picture that is waiting for review or was declined. */
export const takeBackPicture = (context: Context, input: OfPicture): Promise<void> =>
  changePicture(context, input, 'picture_taken_back', async ({ tx, subject, kind }) =>
    (await deleteProposed(tx, subject, kind)) ? {} : null,
  );
