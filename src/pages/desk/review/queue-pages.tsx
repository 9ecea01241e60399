import type { Context } from '../../../base/context.ts';
import { UNDO_WINDOW_MS } from '../../../base/events/decision-queries.ts';
import { deskAccountPath, deskListingPath, QUEUE_PATH } from '../../../base/paths.ts';
import { findListings } from '../../../marketplace/listings/card-queries.ts';
import {
  decideTogether,
  type Outcome,
  type QueueEntry,
  REQUEST_KINDS,
  type ReviewedEntry,
  RULINGS,
  type Ruling,
} from '../../../marketplace/listings/decide-together.ts';
import { readUndo } from '../../../marketplace/listings/move.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { countWaiting } from '../../../marketplace/listings/queue-queries.ts';
import { REVIEWED_KINDS } from '../../../marketplace/listings/review.ts';
import { readAccountNames } from '../../../people/accounts/queries.ts';
import { invalid } from '../../../platform/errors.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { isUuid } from '../../../platform/store/uuid.ts';
import { parseReason } from '../../../platform/text/text.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { toIso } from '../../../platform/text/time-text.ts';
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
    if (entries.length === 0) form.refuse(null, message('Select at least one item.'));
    if (entries.length > QUEUE_PAGE) {
      form.refuse(null, message('Select at most {most} items.', { most: QUEUE_PAGE }));
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
      together: await togetherOf(context, outcomes, ruling),
      // Kept for another attempt. The entries must be chosen again, because what was refused may have changed.
      form: newForm(isComplete ? {} : { ruling, reason: reason ?? '' }),
      status: isComplete ? 200 : 409,
    });
  });
}

const ENTRY = new RegExp(`^${ENTRY_FIELD}:([a-z]{1,20}):([0-9a-f-]{36})(?::([0-9a-f-]{36}))?$`);

/** The entries whose boxes are ticked. Each entry once. */
function entriesIn(form: FormInput): readonly QueueEntry[] {
  const entries = new Map<string, QueueEntry>();
  for (const [name, value] of form.fields) {
    const [, kind = '', id = '', offerId] = ENTRY.exec(name) ?? [];
    const isComplete = isUuid(id) && (offerId === undefined || isUuid(offerId));
    if (!isComplete || (kind === 'link') !== (offerId !== undefined)) continue;
    const entry = entryOf(kind, { id, offerId, seen: value });
    if (entry !== null) entries.set(name, entry);
  }
  return [...entries.values()];
}

/** `id`: the listing or the account. `seen`: what the operator saw, which is the value of the box. */
function entryOf(
  kind: string,
  { id, offerId, seen }: { readonly id: string; readonly offerId: string | undefined; readonly seen: string },
): QueueEntry | null {
  if (kind === 'report') return { kind, listing: id, upTo: seen };
  const wish = REQUEST_KINDS.find((one) => one === kind);
  if (wish !== undefined) return { kind: wish, account: id, seen };
  const reviewed: ReviewedEntry['kind'] | undefined = REVIEWED_KINDS.find((one) => one === kind);
  if (reviewed === undefined) return null;
  return { kind: reviewed, listing: id, offerId, version: /^\d{1,9}$/.test(seen) ? Number(seen) : 0 };
}

function parseRuling(text: string) {
  const ruling = RULINGS.find((one) => one === text);
  if (ruling === undefined) throw invalid(message('Choose a decision.'));
  return ruling;
}

/** Decisions about the same listing can only be undone from the last one on, so each listing is listed once. */
async function togetherOf(
  { db, now }: Context,
  outcomes: readonly Outcome[],
  ruling: Ruling['ruling'],
): Promise<Together> {
  const listingIds = outcomes.flatMap(({ entry }) => ('listing' in entry ? [entry.listing] : []));
  const accountIds = outcomes.flatMap(({ entry }) => ('account' in entry ? [entry.account] : []));
  const [listings, accounts] = await Promise.all([
    findListings(db.read, [...new Set(listingIds)]),
    readAccountNames(db.read, [...new Set(accountIds)]),
  ]);
  const names = new Map([...listings, ...accounts].map(({ id, name }) => [id, name]));
  const nameEntry = (entry: QueueEntry) => {
    const [id, path] =
      'account' in entry
        ? [entry.account, deskAccountPath(entry.account)]
        : [entry.listing, deskListingPath(entry.listing)];
    return { path, name: names.get(id) ?? null };
  };
  const decided = outcomes.flatMap(({ entry, result }) =>
    'decided' in result ? [{ entry, listing: result.decided }] : [],
  );
  const changed = new Map(
    decided.flatMap(({ listing }) => (listing === null ? [] : [[listing.id, listing] as const])),
  );
  return {
    decidedCount: decided.length,
    undoables: [...changed.values()].flatMap((listing) => undoableOf(listing, now()) ?? []),
    others: decided.flatMap(({ entry, listing }) =>
      listing === null ? [{ ...nameEntry(entry), sentence: sentenceOf(entry, ruling) }] : [],
    ),
    refused: outcomes.flatMap(({ entry, result }) =>
      'refusal' in result ? [{ ...nameEntry(entry), sentence: result.refusal }] : [],
    ),
  };
}

function sentenceOf({ kind }: QueueEntry, ruling: Ruling['ruling']): Message {
  const isApproved = ruling === 'approve';
  if (kind === 'report') return isApproved ? message('Reports dismissed') : message('Owner asked');
  if (kind === 'name') return isApproved ? message('New name approved') : message('New name declined');
  return isApproved ? message('Request granted') : message('Request declined');
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
  return now > until || now < until - 2 * UNDO_WINDOW_MS ? null : { listing, action, until: toIso(until) };
}
