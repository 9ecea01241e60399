/**
 * A new filter needs an entry here, a condition in `search-queries.ts` and a field in
 * `pages/dashboard/requests/list-page.tsx`.
 */

import { type Mode, parseKeyMode } from '../../people/keys/key.ts';
import { invalid, isErrorCode } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import { parseOneOf, quote } from '../../platform/text/text.ts';
import { parseBound } from '../../platform/text/time-zone.ts';
import { ALL_CAUSES, CAUSES, type Cause, causesOf, FAILURES, isCause, isFixed, STATUSES } from './cause.ts';

const FIRST_TIME = message('“From” must look like 2026-11-20T10:00 or 2026-11-20');
const LAST_TIME = message('“Until” must look like 2026-11-20T10:00 or 2026-11-20');

/** Parsers throw `invalid_request`. Days, and times without an offset, are in `timeZone`. */
const ATTEMPT_FILTERS = {
  outcome: parseOutcome,
  code: parseCode,
  cause: parseCause,
  key: (text: string) => text.toLowerCase(),
  offer: (text: string) => text.toLowerCase(),
  mode: parseKeyMode,
  since: (text: string, timeZone: string) => parseBound(timeZone, text, 'since', FIRST_TIME),
  /** The bound is exclusive. If the text is a day, the bound is the end of that day. */
  until: (text: string, timeZone: string) => parseBound(timeZone, text, 'until', LAST_TIME),
} as const;

export type AttemptFilterName = keyof typeof ATTEMPT_FILTERS;

export const ATTEMPT_FILTER_NAMES = Object.keys(ATTEMPT_FILTERS) as readonly AttemptFilterName[];

/** Query parameters as in the URL. Empty values are ignored. */
export type AttemptFilterTexts = Readonly<Partial<Record<AttemptFilterName, string | undefined>>>;

/** `outcome`, `code` and `cause` are sets of causes; a call's cause must be in each that is given. */
export type AttemptFilter = {
  readonly [Name in AttemptFilterName]?: ReturnType<(typeof ATTEMPT_FILTERS)[Name]> | undefined;
};

export function parseAttemptFilter(texts: AttemptFilterTexts, timeZone: string): AttemptFilter {
  return Object.fromEntries(
    ATTEMPT_FILTER_NAMES.flatMap((name) => {
      const text = texts[name]?.trim();
      return text ? [[name, ATTEMPT_FILTERS[name](text, timeZone)]] : [];
    }),
  );
}

export function causesIn({ outcome, code, cause }: AttemptFilter): readonly Cause[] | undefined {
  const sets = [outcome, code, cause].filter((set) => set !== undefined);
  return sets.length === 0 ? undefined : ALL_CAUSES.filter((one) => sets.every((set) => set.includes(one)));
}

/** A status, `error` for any problem, or `failed` for calls that the owner should act on. */
export const OUTCOME_FILTERS = [...STATUSES, 'error', 'failed'] as const;

const isError = (cause: Cause): boolean => isErrorCode(CAUSES[cause].outcome);

/** The problem codes that calls in a mode can get. Fixed tokens work only with test keys. */
export const recordedCodes = (mode: Mode): readonly string[] => [
  ...new Set(
    ALL_CAUSES.filter((cause) => isError(cause) && (mode === 'test' || !isFixed(cause))).map(
      (cause) => CAUSES[cause].outcome,
    ),
  ),
];

function parseOutcome(text: string): readonly Cause[] {
  const outcome = parseOneOf(OUTCOME_FILTERS, text, (values) =>
    message('The outcome must be one of {choices}; found {text}.', values),
  );
  if (outcome === 'failed') return FAILURES;
  return outcome === 'error' ? ALL_CAUSES.filter(isError) : causesOf(outcome);
}

function parseCode(text: string): readonly Cause[] {
  if (recordedCodes('test').includes(text)) return causesOf(text);
  throw invalid(message('No request in the log has the code {text}.', { text: quote(text) }));
}

function parseCause(text: string): readonly Cause[] {
  if (isCause(text)) return [text];
  throw invalid(
    message('No cause is called {text}. “Failures by cause” lists the causes of your failed calls.', {
      text: quote(text),
    }),
  );
}
