/** A subject has at most one shown and one proposed picture of each kind. Replaced pictures are served for a day. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import { lockAccount } from '../../people/accounts/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { toIso } from '../../platform/text/time-text.ts';
import type { EncodedFile } from './encode.ts';
import {
  MAX_BYTES_OF_ACCOUNT,
  MAX_PICTURES_OF_ACCOUNT,
  type PictureKind,
  type PictureSubject,
  REPLACED_KEPT_MS,
} from './picture.ts';
import {
  deletePictures,
  deleteProposed,
  findProposed,
  findReplaced,
  findReplacedOf,
  findShown,
  insertPicture,
  markReplaced,
  measurePictures,
  type PictureRow,
} from './queries.ts';

interface NewPicture {
  readonly subject: PictureSubject;
  readonly kind: PictureKind;
  readonly files: readonly EncodedFile[];
  /** The limit on all pictures of the account. */
  readonly mostBytes?: number;
  /** Whether the picture needs review. Until it is approved, the current picture is shown. */
  readonly waits?: boolean;
}

/**
 * Replaces the current picture, or proposes a replacement. False if nothing changed. The caller must lock the listing
 * (for the marketplace: `subject.id`) and write the event. Throws a refusal if the account's limits are exceeded.
 */
export async function putPicture(
  context: Context,
  tx: Transaction,
  { subject, kind, files, mostBytes = MAX_BYTES_OF_ACCOUNT, waits = false }: NewPicture,
): Promise<boolean> {
  const at = context.at();
  const described = JSON.stringify(files.map(({ data: _, ...file }) => file));
  const bytes = bytesOf(files);
  const isSame = (row: PictureRow | undefined) =>
    row !== undefined && namesIn(row.files) === namesIn(described);
  if (subject.accountId !== null) await lockAccount(tx, context.db.engine, subject.accountId);
  const proposed = await findProposed(tx, subject, kind);
  if (waits && proposed?.declined_reason === null && isSame(proposed)) return false;
  // Unlike a shown picture, a proposed picture was never public, so it can be deleted immediately.
  await deleteProposed(tx, subject, kind);
  const current = await findShown(tx, subject, kind);
  if (isSame(current)) return proposed !== undefined;
  if (!waits && current !== undefined) await markReplaced(tx, current.id, at);
  if (subject.accountId !== null)
    await requireQuota(tx, subject.accountId, { pictures: 1, bytes }, mostBytes);
  await insertPicture(
    tx,
    {
      id: uuidv7(context),
      account_id: subject.accountId,
      listing_id: subject.listingId,
      subject_id: subject.id,
      kind,
      files: described,
      bytes,
      created_at: at,
      proposed_at: waits ? at : null,
      declined_reason: null,
      replaced_at: null,
    },
    files.map(({ name, data }) => ({ name, data })),
  );
  return true;
}

export const bytesOf = (files: readonly EncodedFile[]): number =>
  files.reduce((sum, { data }) => sum + data.length, 0);

/** The file names, for comparison. The JSON can't be compared, because PostgreSQL reorders the keys of `jsonb`. */
const namesIn = (files: string): string =>
  (JSON.parse(files) as readonly { readonly name: string }[]).map(({ name }) => name).join(' ');

/**
 * Deletes replaced pictures if the added ones would exceed the limits: as few as possible, because redemptions wait.
 * Throws if the added ones would exceed the limits without any replaced picture.
 */
export async function requireQuota(
  tx: Transaction,
  accountId: string,
  added: { readonly pictures: number; readonly bytes: number },
  mostBytes: number,
): Promise<void> {
  const isWithinQuota = async (withReplaced: boolean): Promise<boolean> => {
    const { pictures, bytes } = await measurePictures(tx, accountId, { withReplaced });
    return pictures + added.pictures <= MAX_PICTURES_OF_ACCOUNT && bytes + added.bytes <= mostBytes;
  };
  if (await isWithinQuota(true)) return;
  if (!(await isWithinQuota(false))) {
    throw invalid(
      message(
        "An account can have at most {maxPicturesOfAccount} pictures, with a total size of at most {count} MiB. Remove one that you don't need.",
        { maxPicturesOfAccount: MAX_PICTURES_OF_ACCOUNT, count: mostBytes / 1024 / 1024 },
      ),
    );
  }
  do {
    await deletePictures(tx, await findReplacedOf(tx, accountId, PICTURES_A_PORTION));
  } while (!(await isWithinQuota(true)));
}

/** Pictures deleted per transaction. Each takes up to 2 MB. */
const PICTURES_A_PORTION = 10;
/** Pause between transactions, so that other writers can proceed. */
const PAUSE_MS = 25;

const replacedBefore = ({ now }: Pick<Context, 'now'>): string => toIso(now() - REPLACED_KEPT_MS);

export const picturesNeedSweep = async (context: Pick<Context, 'db' | 'now'>): Promise<boolean> =>
  (await findReplaced(context.db.read, replacedBefore(context), 1)).length > 0;

/** Deletes pictures replaced more than `REPLACED_KEPT_MS` ago. Safe to run concurrently in several processes. */
export async function sweepPictures(
  context: Pick<Context, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  while (signal?.aborted !== true) {
    const ids = await findReplaced(context.db.read, replacedBefore(context), PICTURES_A_PORTION);
    if (ids.length > 0) await context.db.transaction((tx) => deletePictures(tx, ids));
    if (ids.length < PICTURES_A_PORTION) return;
    await sleep(PAUSE_MS);
  }
}
