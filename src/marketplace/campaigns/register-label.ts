import type { Context } from '../../base/context.ts';
import { invalid, nothingThere } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { parseLabel } from './label.ts';
import { countRegisteredLabels, putRegisteredLabel } from './label-queries.ts';
import { findListingOf } from './queries.ts';

/** Maximum number of labels that an owner can register for a listing. */
export const MAX_REGISTERED_LABELS = 1_000;

/** Visits with a registered label are always counted separately, whatever labels strangers use. Idempotent. */
export async function registerLabel(
  context: Pick<Context, 'db' | 'now' | 'at'>,
  {
    accountId,
    listing,
    label,
  }: { readonly accountId: string; readonly listing: string; readonly label: string },
): Promise<void> {
  const { db } = context;
  const via = parseLabel(label);
  await db.transaction(async (tx) => {
    const own = await findListingOf(tx, accountId, listing);
    if (own === undefined) throw nothingThere();
    await DIALECTS[db.engine].takeLock(tx, own.id);
    const of = { accountId, listingId: own.id };
    await putRegisteredLabel(tx, of, via, context.at());
    if ((await countRegisteredLabels(tx, of)) <= MAX_REGISTERED_LABELS) return;
    throw invalid(
      message('A listing can have at most {most, number} labels. Reuse an existing one.', {
        most: MAX_REGISTERED_LABELS,
      }),
    );
  });
}
