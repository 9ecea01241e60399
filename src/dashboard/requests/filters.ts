/** The filters of the list of calls. */
import {
  type AttemptFilterName,
  type AttemptFilterTexts,
  OUTCOME_FILTERS,
  recordedCodes,
} from '../../attempts/attempt-filter.ts';
import { CAUSES, isCause } from '../../attempts/cause.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Mode } from '../../keys/key.ts';
import type { ListedKey } from '../../keys/queries.ts';
import { isolated } from '../../text/text.ts';
import { localIn, parseBound } from '../../text/time-zone.ts';
import type { Filter } from '../../ui/filter-bar.tsx';
import { type FilterProblems, filterFields } from '../../ui/searched-list.tsx';
import { offerChoices } from '../claims/filters.ts';
import type { FilterListing } from '../claims/queries.ts';

export interface FiltersProps {
  readonly keys: readonly ListedKey[];
  readonly listings: readonly FilterListing[];
  readonly mode: Mode;
  readonly texts: AttemptFilterTexts;
  readonly problems: FilterProblems<AttemptFilterName>;
  readonly timeZone: string;
}

const OUTCOMES: Readonly<Record<(typeof OUTCOME_FILTERS)[number], string>> = {
  redeemed: 'Redeemed',
  valid: 'Valid',
  already_redeemed: 'Already redeemed',
  not_found: 'Not found',
  error: 'Any error',
  failed: 'Any failure',
};

export function filtersOf({
  keys,
  listings,
  mode,
  texts,
  problems,
  timeZone,
}: FiltersProps): readonly Filter[] {
  const filter = filterFields(texts, problems);
  const { cause } = texts;
  return [
    filter('outcome', 'Outcome', {
      choices: [
        { value: '', label: 'Any outcome' },
        ...OUTCOME_FILTERS.map((outcome) => ({ value: outcome, label: OUTCOMES[outcome] })),
      ],
    }),
    filter('code', 'Error code', {
      choices: [
        { value: '', label: 'Any code' },
        ...recordedCodes(mode).map((code) => ({
          value: code,
          label: `${ERRORS[code as ErrorCode].status} ${code}`,
        })),
      ],
    }),
    ...(cause === undefined
      ? []
      : [
          filter('cause', 'Cause', {
            choices: [
              { value: '', label: 'Any cause' },
              { value: cause, label: isCause(cause) ? CAUSES[cause].what : cause },
            ],
          }),
        ]),
    filter('key', 'API key', {
      choices: [
        { value: '', label: 'All keys' },
        ...keys
          .filter((key) => key.mode === mode)
          .map(({ id, name, start, revoked_at }) => ({
            value: id,
            label: `${isolated(name)} (${start}…${revoked_at === null ? '' : ', revoked'})`,
          })),
      ],
    }),
    filter('offer', 'Offer', { choices: offerChoices(listings, listings.length === 1) }),
    filter('since', 'From', timeOf(timeZone, texts.since, problems.since, 'since')),
    filter('until', 'Until', timeOf(timeZone, texts.until, problems.until, 'until')),
  ];
}

/** A time field. The address may have a day, or a time with a zone, which the browser's field would not accept. */
function timeOf(
  zone: string,
  text: string | undefined,
  problem: string | undefined,
  end: 'since' | 'until',
): Partial<Filter> {
  const isTime = text !== undefined && problem === undefined;
  return { type: 'datetime-local', value: isTime ? localIn(zone, parseBound(zone, text, end, '')) : '' };
}
