/** Owners' changes to the texts of a listing that an operator has approved. */
import { isDeepStrictEqual } from 'node:util';
import type { Review } from '../../platform/text/fields.ts';

type Value = string | number | null;
type Values = Readonly<Record<string, Value>>;

/**
 * Values of a listing and, by id, of its offers. `null` is an offer that was added to the live listing: in `waiting`, it
 * is hidden until it is approved; in `approved`, it went live without a review.
 */
interface Texts {
  readonly listing: Values;
  readonly offers: Readonly<Record<string, Values | null>>;
}

/** Stored in `listings.text_changes`. Only fields that differ from the live listing are included. */
export interface TextChanges {
  /** Values that wait for the operator's decision, while the approved ones stay live. */
  readonly waiting: Texts;
  /** Values that an operator approved and the owner has replaced without a review. */
  readonly approved: Texts;
  /** Why an operator declined `waiting`; `null` while the review is pending. */
  readonly declined: string | null;
}

/**
 * How a changed text reaches people. `free`: the listing was never approved, so its first review covers everything.
 * `approve`: an operator makes the change. `list`: it goes live and the queue lists it. `wait`: it waits for approval.
 */
export type TextRule = 'free' | 'approve' | 'list' | 'wait';

const EMPTY: Texts = { listing: {}, offers: {} };
export const NO_TEXT_CHANGES: TextChanges = { waiting: EMPTY, approved: EMPTY, declined: null };

interface Stored {
  readonly text_changes: string | null;
  readonly texts_changed_at: string | null;
}

export const readTextChanges = ({ text_changes }: Pick<Stored, 'text_changes'>): TextChanges =>
  text_changes === null ? NO_TEXT_CHANGES : (JSON.parse(text_changes) as TextChanges);

const isEmpty = ({ listing, offers }: Texts): boolean =>
  Object.keys(listing).length === 0 && Object.keys(offers).length === 0;

export const hasWaitingTexts = (changes: TextChanges): boolean =>
  changes.declined === null && !isEmpty(changes.waiting);

/** Whether the owner can discard something. */
export const hasProposals = ({ waiting: { listing, offers } }: TextChanges): boolean =>
  Object.keys(listing).length > 0 || Object.values(offers).some((values) => values !== null);

/** Whether the operator has something to decide. */
const needsDecision = (changes: TextChanges): boolean =>
  hasWaitingTexts(changes) || !isEmpty(changes.approved);

/** The columns that store `changes`. A change that joins others keeps their position in the queue. */
export function textColumns(changes: TextChanges, before: Stored, at: string): Stored {
  // PostgreSQL reorders the members of stored JSON, so the texts can't be compared.
  if (isDeepStrictEqual(changes, readTextChanges(before))) {
    return { text_changes: before.text_changes, texts_changed_at: before.texts_changed_at };
  }
  return {
    text_changes: isEmpty(changes.waiting) && isEmpty(changes.approved) ? null : JSON.stringify(changes),
    texts_changed_at: needsDecision(changes) ? (before.texts_changed_at ?? at) : null,
  };
}

/** `null`: the listing itself; otherwise the id of one of its offers. */
type Subject = string | null;

export const valuesOf = (texts: Texts, subject: Subject): Values =>
  subject === null ? texts.listing : (texts.offers[subject] ?? {});

function withValues(texts: Texts, subject: Subject, values: Values | null | undefined): Texts {
  if (subject === null) return { ...texts, listing: values ?? {} };
  const { [subject]: _, ...offers } = texts.offers;
  const isUnset = values === undefined || (values !== null && Object.keys(values).length === 0);
  return { ...texts, offers: isUnset ? offers : { ...offers, [subject]: values } };
}

interface Edit<Row> {
  readonly changes: TextChanges;
  readonly subject: Subject;
  readonly live: Row;
  readonly typed: Partial<Row>;
  readonly ruleOf: (field: keyof Row & string) => TextRule;
}

/** Splits an edit into the columns that change immediately and the texts that wait for the operator. */
export function planTexts<Row extends object>({
  changes,
  subject,
  live,
  typed,
  ruleOf,
}: Edit<Row>): {
  readonly columns: Partial<Row>;
  readonly changes: TextChanges;
} {
  const columns: Record<string, Value> = {};
  const waiting: Record<string, Value> = { ...valuesOf(changes.waiting, subject) };
  const approved: Record<string, Value> = { ...valuesOf(changes.approved, subject) };
  const isNew = subject !== null && isAddedOffer(changes, subject);
  const isHidden = subject !== null && changes.waiting.offers[subject] === null;
  const current = live as Values;
  for (const [field, value] of Object.entries(typed) as [string, Value][]) {
    const was = current[field] ?? null;
    const rule = ruleOf(field as keyof Row & string);
    // An operator's form also sends the fields that the operator left as they are, whose proposals keep waiting.
    if (value === was && rule === 'approve') continue;
    delete waiting[field];
    if (value === was) continue;
    if (rule === 'wait') {
      waiting[field] = value;
      continue;
    }
    columns[field] = value;
    if (rule === 'approve' || approved[field] === value) delete approved[field];
    else if (rule === 'list' && !isNew && !(field in approved)) approved[field] = was;
  }
  const isSame = isEqual(waiting, valuesOf(changes.waiting, subject));
  return {
    columns: columns as Partial<Row>,
    changes: {
      waiting: isHidden ? changes.waiting : withValues(changes.waiting, subject, waiting),
      approved: isNew ? changes.approved : withValues(changes.approved, subject, approved),
      declined: isSame && !(isHidden && Object.keys(columns).length > 0) ? changes.declined : null,
    },
  };
}

const isEqual = (one: Values, other: Values): boolean =>
  Object.keys({ ...one, ...other }).every(
    (field) => field in one && field in other && one[field] === other[field],
  );

/** Adds an offer to a listing that was approved. */
export const withNewOffer = (changes: TextChanges, offerId: string, rule: 'list' | 'wait'): TextChanges =>
  rule === 'list'
    ? { ...changes, approved: withValues(changes.approved, offerId, null) }
    : { ...changes, waiting: withValues(changes.waiting, offerId, null), declined: null };

export const withoutOffer = (changes: TextChanges, offerId: string): TextChanges => ({
  ...changes,
  waiting: withValues(changes.waiting, offerId, undefined),
  approved: withValues(changes.approved, offerId, undefined),
});

/** The row as it will be after approval. Declined texts are left out, unless `isForOwner`: forms still contain them. */
export const withWaitingTexts = <Row extends object>(
  row: Row,
  changes: TextChanges,
  subject: Subject,
  isForOwner = false,
): Row => (changes.declined === null || isForOwner ? { ...row, ...valuesOf(changes.waiting, subject) } : row);

/** The row as an operator last approved it. */
export const withApprovedTexts = <Row extends object>(
  row: Row,
  changes: TextChanges,
  subject: Subject,
): Row => ({
  ...row,
  ...valuesOf(changes.approved, subject),
});

/** Drops what the owner proposed, except offers that were added. */
export const withoutProposals = (changes: TextChanges): TextChanges => {
  const added = Object.entries(changes.waiting.offers).filter(([, values]) => values === null);
  const isDeclined = added.length > 0 && changes.declined !== null;
  return {
    ...changes,
    waiting: { listing: {}, offers: Object.fromEntries(added) },
    declined: isDeclined ? changes.declined : null,
  };
};

/** Whether the offer went live without a review. */
export const isAddedOffer = ({ approved }: TextChanges, offerId: string): boolean =>
  approved.offers[offerId] === null;

/** Keeps declined texts, so that nothing typed is lost. `hidden`: offers that wait for approval. */
export function declineTexts(
  changes: TextChanges,
  reason: string,
  rowOf: (subject: Subject) => object | undefined,
  hidden: ReadonlySet<string>,
): TextChanges {
  let { waiting } = changes;
  for (const subject of [null, ...Object.keys(changes.approved.offers)]) {
    const row = rowOf(subject) as Values | undefined;
    if (row === undefined) continue;
    if (subject !== null && hidden.has(subject)) {
      waiting = withValues(waiting, subject, null);
      continue;
    }
    const fields = Object.keys(valuesOf(changes.approved, subject));
    const typed = Object.fromEntries(fields.map((field) => [field, row[field] ?? null]));
    waiting = withValues(waiting, subject, { ...typed, ...valuesOf(waiting, subject) });
  }
  return { waiting, approved: EMPTY, declined: reason };
}

/** `rule`: the rule for texts that the operator's policy covers. */
export const ruleFor = (review: Review, rule: TextRule): TextRule => {
  if (rule === 'free' || rule === 'approve') return rule;
  if (review === 'always') return 'wait';
  return review === 'policy' ? rule : 'free';
};
