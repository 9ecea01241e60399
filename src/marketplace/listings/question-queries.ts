import { type Selectable, sql } from 'kysely';
import { isFound, type Queryable, type Transaction } from '../../platform/store/database.ts';
import type { ListingQuestionsTable } from '../../platform/store/tables/listings.ts';
import type { Iso } from '../../platform/text/time-text.ts';

export type Question = Selectable<ListingQuestionsTable>;

/** Maximum number of questions that the desk shows. */
const LATEST_QUESTIONS = 20;

const isUnanswered = sql<boolean>`replied_at is null`;

export const insertQuestion = (
  tx: Transaction,
  question: Pick<Question, 'id' | 'listing_id' | 'question' | 'asked_at'>,
): Promise<unknown> => tx.insertInto('listing_questions').values(question).execute();

export const findOpenQuestion = async (db: Queryable, listingId: string): Promise<Question | null> =>
  (await db
    .selectFrom('listing_questions')
    .selectAll()
    .where('listing_id', '=', listingId)
    .where(isUnanswered)
    .executeTakeFirst()) ?? null;

/** Oldest first. */
export const listQuestions = async (db: Queryable, listingId: string): Promise<readonly Question[]> => {
  const latest = await db
    .selectFrom('listing_questions')
    .selectAll()
    .where('listing_id', '=', listingId)
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LATEST_QUESTIONS)
    .execute();
  return latest.toReversed();
};

export async function readNewestQuestions(
  db: Queryable,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, Question>> {
  if (listingIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('listing_questions')
    .selectAll()
    .where('listing_id', 'in', listingIds)
    .orderBy('asked_at')
    .orderBy('id')
    .execute();
  return new Map(rows.map((question) => [question.listing_id, question]));
}

/** Returns `false` if this question is not open. */
export const putReply = (
  tx: Transaction,
  {
    id,
    listingId,
    reply,
    at,
  }: { readonly id: string; readonly listingId: string; readonly reply: string; readonly at: Iso },
): Promise<boolean> =>
  isFound(
    tx
      .updateTable('listing_questions')
      .set({ reply, replied_at: at })
      .where('id', '=', id)
      .where('listing_id', '=', listingId)
      .where(isUnanswered)
      .returning('id'),
  );

/** Questions without a reply. Call when the reports that they are about are closed. */
export const withdrawQuestions = (tx: Transaction, listingId: string): Promise<unknown> =>
  tx.deleteFrom('listing_questions').where('listing_id', '=', listingId).where(isUnanswered).execute();

const askedBefore = (before: Iso) => sql<boolean>`asked_at < ${before}`;

const ofClosedReports = sql<boolean>`not exists (
  select 1 from reports where reports.listing_id = listing_questions.listing_id and reports.closed_at is null)`;

export const hasOldQuestions = (db: Queryable, before: Iso): Promise<boolean> =>
  isFound(
    db
      .selectFrom('listing_questions')
      .select('id')
      .where(askedBefore(before))
      .where(ofClosedReports)
      .limit(1),
  );

export const deleteOldQuestions = (tx: Transaction, before: Iso): Promise<unknown> =>
  tx.deleteFrom('listing_questions').where(askedBefore(before)).where(ofClosedReports).execute();
