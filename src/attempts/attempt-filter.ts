/** The filter of an owner's request log, as written in an address. */
import { invalid } from '../errors.ts';
import { type Mode, parseKeyMode } from '../keys/key.ts';
import { quote } from '../text.ts';
import { parseBound } from '../time-zone.ts';
import { ALL_CAUSES, CAUSES, type Cause, causesOf, FAILURES, isCause, isFixed } from './cause.ts';

export interface AttemptFilter {
  /** `undefined`: any. */
  readonly causes?: readonly Cause[] | undefined;
  readonly keyId?: string | undefined;
  readonly offerId?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Calls from `since` on and before `until`; ISO 8601 UTC. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export const ATTEMPT_FILTER_FIELDS = [
  'outcome',
  'code',
  'cause',
  'key',
  'offer',
  'since',
  'until',
  'mode',
] as const;
export type AttemptFilterField = (typeof ATTEMPT_FILTER_FIELDS)[number];

/** A filter as in a URL; empty texts are left out. */
export type AttemptFilterTexts = Readonly<Partial<Record<AttemptFilterField, string | undefined>>>;

/** What `outcome` may be: one of the four, `error` for any problem, `failed` for what the owner has to act on. */
export const OUTCOME_FILTERS = [
  'redeemed',
  'valid',
  'already_redeemed',
  'not_found',
  'error',
  'failed',
] as const;
type OutcomeFilter = (typeof OUTCOME_FILTERS)[number];

const OUTCOMES: readonly string[] = ['redeemed', 'valid', 'already_redeemed', 'not_found'];

const isError = (cause: Cause): boolean => !OUTCOMES.includes(CAUSES[cause].outcome);

/** The codes of problems that calls of a mode can have: only test keys know the fixed tokens. */
export const recordedCodes = (mode: Mode): readonly string[] => [
  ...new Set(
    ALL_CAUSES.filter((cause) => isError(cause) && (mode === 'test' || !isFixed(cause))).map(
      (cause) => CAUSES[cause].outcome,
    ),
  ),
];

const causesOfOutcome = (outcome: OutcomeFilter): readonly Cause[] => {
  if (outcome === 'failed') return FAILURES;
  return outcome === 'error' ? ALL_CAUSES.filter(isError) : causesOf(outcome);
};

/** Throws `invalid_request` with the fault. A key or an offer of another account finds nothing. */
export function parseAttemptFilter(texts: AttemptFilterTexts, timeZone: string): AttemptFilter {
  const text = (field: AttemptFilterField): string | undefined => texts[field]?.trim() || undefined;
  const since = text('since');
  const until = text('until');
  const mode = text('mode');
  const sets = [parseOutcome(text('outcome')), parseCode(text('code')), parseCause(text('cause'))].filter(
    (causes) => causes !== undefined,
  );
  return {
    causes:
      sets.length === 0 ? undefined : ALL_CAUSES.filter((cause) => sets.every((set) => set.includes(cause))),
    keyId: text('key')?.toLowerCase(),
    offerId: text('offer')?.toLowerCase(),
    mode: mode === undefined ? undefined : parseKeyMode(mode),
    since: since === undefined ? undefined : parseBound(timeZone, since, 'since', `The first time ${HOW}`),
    until: until === undefined ? undefined : parseBound(timeZone, until, 'until', `The last time ${HOW}`),
  };
}

const HOW = 'is written like 2026-11-20T10:00 or 2026-11-20';

function parseOutcome(text: string | undefined): readonly Cause[] | undefined {
  if (text === undefined) return undefined;
  const outcome = OUTCOME_FILTERS.find((one) => one === text);
  if (outcome === undefined) {
    throw invalid(`The outcome is one of ${OUTCOME_FILTERS.join(', ')}; found ${quote(text)}.`);
  }
  return causesOfOutcome(outcome);
}

function parseCode(text: string | undefined): readonly Cause[] | undefined {
  if (text === undefined) return undefined;
  if (!recordedCodes('test').includes(text)) {
    throw invalid(`No call in the log has the code ${quote(text)}.`);
  }
  return causesOf(text);
}

function parseCause(text: string | undefined): readonly Cause[] | undefined {
  if (text === undefined) return undefined;
  if (!isCause(text)) throw invalid(`No cause is called ${quote(text)}; the failures link to each.`);
  return [text];
}
