/** Exports the codes of an offer that no claim has, so that the owner can use them elsewhere. */
import type { Context } from '../../base/context.ts';
import { growthOfForm } from '../../people/growth/growth.ts';
import { countAttempt } from '../../people/sign-in/limits/throttle.ts';
import { nothingThere } from '../../platform/errors.ts';
import type { DataKey } from '../../platform/secrets/secret-keys.ts';
import type { CsvStyle } from '../../platform/text/csv.ts';
import { type ExportFormat, recordWriter } from '../../platform/text/record-writer.ts';
import { findListing } from '../listings/queries.ts';
import { listCodesLeft } from './code-queries.ts';
import { findCodeKey, inPortions } from './codes.ts';
import { appendOfferChange } from './edit.ts';
import { findOwnOffer, type Offer } from './queries.ts';

/** `code` is the heading that `addCodes` reads in a file. */
const COLUMNS = ['code', 'added_at', 'withheld_at'] as const;
const PAGE_SIZE = 500;

interface CodesToExport {
  readonly offerId: string;
  readonly accountId: string;
  readonly actor: `account:${string}`;
  readonly format: ExportFormat;
  readonly csvStyle: CsvStyle;
}

/**
 * In the order of the list, then the codes that are withheld after a restore. A code that is given to a claim during the
 * export may be in the file.
 */
export async function* exportCodes(context: Context, input: CodesToExport): AsyncGenerator<string, void> {
  const { header, rows } = recordWriter(input.format, COLUMNS, input.csvStyle);
  const { offer, key } = await recordExport(context, input);
  yield header;
  if (key === null) return;
  for (const isWithheld of [false, true]) {
    for (let after = 0; ; ) {
      const page = { isWithheld, after, limit: PAGE_SIZE };
      const codes = await context.db.semaphore.run(() => listCodesLeft(context.db.read, offer, page));
      const records = await inPortions(codes, ({ seq: _, code, ...times }) => ({
        ...times,
        code: key.decrypt(code),
      }));
      yield rows(records);
      if (codes.length < PAGE_SIZE) break;
      after = codes.at(-1)!.seq;
    }
  }
}

/** Charged like a form, because each export stores an event and its webhooks. */
async function recordExport(
  context: Context,
  { offerId, accountId, actor }: CodesToExport,
): Promise<{ readonly offer: Offer; readonly key: DataKey | null }> {
  const { db } = context;
  if ((await findOwnOffer(db.read, accountId, offerId)) === null) throw nothingThere();
  await countAttempt(context, await growthOfForm(db.read, { accountId, formBytes: 0 }));
  const at = context.at();
  return await db.transaction(async (tx) => {
    const offer = await findOwnOffer(tx, accountId, offerId);
    if (offer === null) throw nothingThere();
    const key = await findCodeKey(context, tx, offer);
    const listing = await findListing(tx, offer.listing_id);
    await appendOfferChange(tx, { offer, listing, at, actor }, { change: 'codes_exported' });
    return { offer, key };
  });
}
