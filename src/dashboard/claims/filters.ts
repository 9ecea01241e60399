/** The filters of the list of claims, and the choices of offers for lists of owners. */
import { type ClaimFilterName, type ClaimFilterTexts, NO_LABEL_FILTER } from '../../claims/claim-filter.ts';
import { isolated } from '../../text/text.ts';
import type { Choice } from '../../ui/field.tsx';
import type { Filter } from '../../ui/filter-bar.tsx';
import { type FilterProblems, filterFields } from '../../ui/searched-list.tsx';
import { FILTER_LISTINGS, type FilterListing } from './queries.ts';

export interface ClaimFiltersProps {
  readonly listings: readonly FilterListing[];
  readonly labels: readonly string[];
  readonly texts: ClaimFilterTexts;
  readonly problems: FilterProblems<ClaimFilterName>;
}

export function claimFilters({ listings, labels, texts, problems }: ClaimFiltersProps): readonly Filter[] {
  const filter = filterFields(texts, problems);
  const chosen = listings.filter(({ slug }) => texts.listing === undefined || slug === texts.listing);
  const all = listings.length < FILTER_LISTINGS ? '' : ` (the first ${FILTER_LISTINGS})`;
  return [
    filter('listing', `Listing${all}`, {
      choices: [
        { value: '', label: 'All listings' },
        ...listings.map(({ slug, name }) => ({ value: slug, label: name })),
      ],
    }),
    filter('offer', 'Offer', {
      choices: offerChoices(chosen.length === 0 ? listings : chosen, listings.length === 1),
    }),
    filter('state', 'State', {
      choices: [
        { value: '', label: 'Any state' },
        { value: 'redeemed', label: 'Redeemed' },
        { value: 'not_redeemed', label: 'Not redeemed' },
      ],
    }),
    filter('via', 'Label', {
      placeholder: `Any, or ${NO_LABEL_FILTER}`,
      suggestions: [NO_LABEL_FILTER, ...labels],
    }),
    ...(texts.claimant === undefined && problems.claimant === undefined
      ? []
      : [filter('claimant', 'Reference')]),
    filter('claimed_from', 'Claimed from', { type: 'date' }),
    filter('claimed_to', 'Claimed until', { type: 'date' }),
    filter('redeemed_from', 'Redeemed from', { type: 'date' }),
    filter('redeemed_to', 'Redeemed until', { type: 'date' }),
  ];
}

/** `isOne`: the account has one listing, which needs no name. */
export const offerChoices = (listings: readonly FilterListing[], isOne: boolean): readonly Choice[] => [
  { value: '', label: 'All offers' },
  ...listings.flatMap(({ name, offers }) =>
    offers.map(({ id, offer }) => ({
      value: id,
      label: isOne ? offer : `${isolated(offer)} (${isolated(name)})`,
    })),
  ),
];
