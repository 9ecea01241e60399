import type { Context } from '../../../base/context.ts';
import { UNDO_WINDOW_MS } from '../../../base/events/decision-queries.ts';
import { QUEUE_PATH } from '../../../base/paths.ts';
import { findListings } from '../../../marketplace/listings/card-queries.ts';
import {
  decideTogether,
  type Outcome,
  REVIEWED_KINDS,
  type ReviewedEntry,
  RULINGS,
} from '../../../marketplace/listings/decide-together.ts';
import { readUndo } from '../../../marketplace/listings/move.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { countWaiting } from '../../../marketplace/listings/queue-queries.ts';
import { invalid } from '../../../platform/errors.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { isUuid } from '../../../platform/store/uuid.ts';
import { parseReason } from '../../../platform/text/text.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, type PageContext, page, readForm } from '../../frame/pages.ts';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { Undoable } from './decide.tsx';
import { listQueue, QUEUE_PAGE } from './queries.ts';
import { QueuePage } from './queue-page.tsx';
import { DECIDE_TOGETHER_PATH, ENTRY_FIELD, type Together } from './together.tsx';

export function queuePages(app: PageRouter, context: Context): void {
  app.get(QUEUE_PATH, { for: 'operator' }, async (c) =>
    queuePage(c, context, { decided: await findDecided(context, c.req.query('decided')), form: newForm() }),
  );

  app.post(DECIDE_TOGETHER_PATH, { for: 'operator' }, async (c, viewer) => {
    const form = await readForm(c);
    const entries = entriesIn(form);
    if (entries.length === 0) form.refuse(null, message('Choose at least one entry.'));
    if (entries.length > QUEUE_PAGE) {
      form.refuse(null, message('Choose at most {most} entries.', { most: QUEUE_PAGE }));
    }
    const input = form.read({
      ruling: parseRuling,
      reason: (text) => (form.text('ruling') === 'approve' ? null : parseReason(text)),
    });
    if (input === null || !form.isFine) return queuePage(c, context, { form, status: 422 });
    const outcomes = await decideTogether(context, entries, { ...input, actor: actorOf(viewer) });
    const isComplete = outcomes.every(({ result }) => 'decided' in result);
    const { ruling, reason } = input;
    return queuePage(c, context, {
      together: await togetherOf(context, outcomes),
      // Kept for another attempt. The entries must be chosen again, because what was refused may have changed.
      form: newForm(isComplete ? {} : { ruling, reason: reason ?? '' }),
      status: isComplete ? 200 : 409,
    });
  });
}

const ENTRY = new RegExp(
  `^${ENTRY_FIELD}:(${REVIEWED_KINDS.join('|')}):([0-9a-f-]{36})(?::([0-9a-f-]{36}))?$`,
);

/** The entries whose boxes are ticked; the value of each is the version of the listing. Each entry once. */
function entriesIn(form: FormInput): readonly ReviewedEntry[] {
  const entries = new Map<string, ReviewedEntry>();
  for (const [name, value] of form.fields) {
    const [, kind, listing = '', offerId] = ENTRY.exec(name) ?? [];
    const isComplete = isUuid(listing) && (offerId === undefined || isUuid(offerId));
    if (!isComplete || (kind === 'link') !== (offerId !== undefined)) continue;
    const version = /^\d{1,9}$/.test(value) ? Number(value) : 0;
    entries.set(name, { kind: kind as ReviewedEntry['kind'], listing, offerId, version });
  }
  return [...entries.values()];
}

function parseRuling(text: string) {
  const ruling = RULINGS.find((one) => one === text);
  if (ruling === undefined) throw invalid(message('Choose a decision.'));
  return ruling;
}

/** Decisions about the same listing can only be undone from the last one on, so each listing is listed once. */
async function togetherOf({ db, now }: Context, outcomes: readonly Outcome[]): Promise<Together> {
  const listings = await findListings(db.read, [...new Set(outcomes.map(({ entry }) => entry.listing))]);
  const names = new Map(listings.map(({ id, name }) => [id, name]));
  const decided = new Map(
    outcomes.flatMap(({ result }) =>
      'decided' in result ? [[result.decided.id, result.decided] as const] : [],
    ),
  );
  return {
    decidedCount: outcomes.filter(({ result }) => 'decided' in result).length,
    undoables: [...decided.values()].flatMap((listing) => undoableOf(listing, now()) ?? []),
    refused: outcomes.flatMap(({ entry, result }) =>
      'refusal' in result
        ? [{ listingId: entry.listing, name: names.get(entry.listing) ?? null, sentence: result.refusal }]
        : [],
    ),
  };
}

interface QueueView {
  readonly form: FormState;
  readonly decided?: Undoable | null;
  readonly together?: Together;
  readonly status?: 200 | 409 | 422;
}

async function queuePage(c: PageContext, context: Context, view: QueueView): Promise<Response> {
  const { decided = null, together = null, form, status = 200 } = view;
  const after = c.req.query('after');
  const [queue, waiting] = await Promise.all([
    listQueue(context.db.read, { after }),
    countWaiting(context.db.read),
  ]);
  // The menu's number is older if entries were decided.
  c.set('waiting', waiting);
  const props = { queue, waiting, decided, together, form, now: context.now(), after };
  return page(c, <QueuePage {...props} />, { title: t('Queue'), status });
}

async function findDecided({ db, now }: Context, id: string | undefined): Promise<Undoable | null> {
  const [listing] = id !== undefined && isUuid(id) ? await findListings(db.read, [id]) : [];
  return listing === undefined ? null : undoableOf(listing, now());
}

/** The listing's last decision, while it can be undone. */
export function undoableOf(listing: Listing, now: EpochMs): Undoable | null {
  if (listing.undo === null) return null;
  const { action, at } = readUndo(listing.undo);
  const until = Date.parse(at) + UNDO_WINDOW_MS;
  // A time in the future comes from a clock that was ahead.
  return now > until || now < until - 2 * UNDO_WINDOW_MS
    ? null
    : { listing, action, until: new Date(until).toISOString() };
}
