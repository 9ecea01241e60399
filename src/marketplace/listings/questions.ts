/** Questions of operators to the owner of a live listing, for example about a report. The owner replies once. */
import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { invalid, nothingThere } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { parseReply } from '../../platform/text/text.ts';
import { appendListingEvent, type ChangeBy, type Listing, lockListing, lockOwnListing } from './queries.ts';
import { findOpenQuestion, insertQuestion, putReply } from './question-queries.ts';
import { requireOpenReports } from './reports.ts';

/** The question doesn't name the person who reported the listing. */
export const askOwner = (
  context: Context,
  input: {
    readonly listing: string;
    readonly question: string;
    /** For a question because of reports: the creation time of the newest one that the operator saw. */
    readonly reportsUpTo?: string;
    readonly actor: Actor;
  },
): Promise<Listing> =>
  context.db.transaction(async (tx) => {
    const at = context.at();
    const { actor, question } = input;
    const listing = await lockListing(tx, context.db.engine, input.listing);
    if (listing.state !== 'approved')
      throw invalid(message('You can ask the owner only while the listing is live.'));
    if (input.reportsUpTo !== undefined) await requireOpenReports(tx, listing.id, input.reportsUpTo);
    if ((await findOpenQuestion(tx, listing.id)) !== null) {
      throw invalid(message('The owner hasn’t answered your last question yet.'));
    }
    await insertQuestion(tx, { id: uuidv7(context), listing_id: listing.id, question, asked_at: at });
    await appendListingEvent(tx, listing, { at, actor }, 'listing.question_asked', { question });
    return listing;
  });

export async function answerQuestion(
  context: Context,
  input: ChangeBy & { readonly listing: string; readonly questionId: string; readonly reply: string },
): Promise<void> {
  const at = context.at();
  const reply = parseReply(input.reply);
  await context.db.transaction(async (tx) => {
    const listing = await lockOwnListing(tx, context.db.engine, input);
    const open = await findOpenQuestion(tx, listing.id);
    if (open === null) throw nothingThere();
    const isStored = await putReply(tx, { id: input.questionId, listingId: listing.id, reply, at });
    if (!isStored)
      throw invalid(message('The operator has asked another question since. Read it, then reply.'));
    await appendListingEvent(tx, listing, { at, actor: input.actor }, 'listing.question_answered', { reply });
  });
}
