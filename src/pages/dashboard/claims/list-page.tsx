import {
  NEW_LISTING_PATH,
  OWN_LISTINGS_PATH,
  OWNER_CLAIMS_PATH,
  ownerClaimPath,
  ownerClaimsPath,
  ownerExportPath,
  SHARE_PATH,
} from '../../../base/paths.ts';
import { shownClaimState } from '../../../claims/claim.ts';
import type { ListedClaim } from '../../../claims/queries.ts';
import {
  CLAIM_FILTER_NAMES,
  type ClaimFilterName,
  type ClaimFilterTexts,
  NO_LABEL_FILTER,
} from '../../../claims/search/claim-filter.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import type { Mode } from '../../../people/keys/key.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import type { SearchPage } from '../../../platform/store/scan.ts';
import { EXPORT_FORMATS } from '../../../platform/text/record-writer.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { Label } from '../../ui/breakable.tsx';
import { Button } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { DownloadButtons } from '../../ui/download-buttons.tsx';
import type { Choice } from '../../ui/field.tsx';
import { choicesOf, type Filter, FilterBar, FilterField, Results } from '../../ui/filter-bar.tsx';
import { FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type FilterProblems, filterFields, InvalidFilters, SearchedList } from '../../ui/searched-list.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, NameCell } from '../../ui/table.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { Time } from '../../ui/time.tsx';
import { FILTER_LABELS, FILTER_LISTINGS, type FilterListing } from './queries.ts';

interface OwnerClaimsPageProps {
  readonly listings: readonly FilterListing[];
  readonly labels: readonly string[];
  readonly texts: ClaimFilterTexts;
  readonly problems: FilterProblems<ClaimFilterName>;
  readonly mode: Mode;
  readonly results: SearchPage<ListedClaim> | null;
  /** Number of matching claims. `null` if the filter is invalid or the counts per label do not support it. */
  readonly total: number | null;
  readonly isFirst: boolean;
  readonly find: FormState;
  readonly now: EpochMs;
}

const RESULTS = 'claims';

export function OwnerClaimsPage(props: OwnerClaimsPageProps) {
  const { listings, texts, mode, problems, results, isFirst } = props;
  const isFiltered = CLAIM_FILTER_NAMES.some((field) => field !== 'mode' && texts[field] !== undefined);
  const isEmpty = results !== null && results.rows.length === 0 && results.next === null;
  const header = <PageHeader title={t('Claims')} badge={mode === 'test' && <StateBadge state="test" />} />;
  if (isEmpty && !isFiltered && isFirst && props.find.problems.length === 0) {
    return (
      <>
        {header}
        {mode === 'test' ? <NoTestClaims /> : <NoClaims hasListings={listings.length > 0} />}
      </>
    );
  }
  return (
    <>
      {header}
      <Find form={props.find} />
      <FilterBar
        action={OWNER_CLAIMS_PATH}
        results={RESULTS}
        isFiltered={isFiltered}
        filters={claimFilters(props)}
        hidden={texts.mode === undefined ? {} : { mode: texts.mode }}
      />
      <Results id={RESULTS}>
        {results === null ? <InvalidFilters problems={problems} /> : <ClaimResults {...props} {...results} />}
      </Results>
    </>
  );
}

const NoTestClaims = () => (
  <EmptyState
    sentence={t(
      'No test claims yet. To create one, choose “Open with a test claim” on the page of an offer.',
    )}
    link={[t('Go to your listings'), OWN_LISTINGS_PATH]}
    example={t('Its token will look like {mono}', { mono: <Mono>clm_test_4hT9…</Mono> })}
  />
);

const NoClaims = ({ hasListings }: { hasListings: boolean }) => (
  <EmptyState
    sentence={
      hasListings
        ? t('None of your offers has been claimed yet. New claims appear here.')
        : t('Claims on your offers appear here. Create a listing first.')
    }
    link={hasListings ? [t('Share your listing'), SHARE_PATH] : [t('Create a listing'), NEW_LISTING_PATH]}
    example={
      <Ticket
        kind="spring_newsletter"
        title={t('20% off the first year')}
        stub={<StateBadge state="redeemed" />}
      />
    }
  />
);

/** A separate form that uses POST, because the text may be a token, which must not appear in a URL. */
const Find = ({ form }: { form: FormState }) => (
  <search>
    <form class="filters" method="post" action={`${OWNER_CLAIMS_PATH}/find`}>
      <FilterField
        name="q"
        label={t('Find by token, code, ID, short ID, link or reference')}
        value={form.typed('q')}
        problem={wordsOf(form.problemOf('q') ?? '') || null}
        placeholder="clm_…"
      />
      <FormActions>
        <Button>{t('Find')}</Button>
      </FormActions>
    </form>
  </search>
);

type ClaimResultsProps = OwnerClaimsPageProps & SearchPage<ListedClaim>;

const ClaimResults = ({
  rows,
  next,
  searchedUntil,
  total,
  texts,
  mode,
  listings,
  isFirst,
  now,
}: ClaimResultsProps) => (
  <SearchedList
    {...{ rows, next, searchedUntil, total, isFirst }}
    words={{
      caption: t('Matching claims'),
      none: t('No claims match.'),
      amount: (count) => t('{count, plural, one {# claim} other {# claims}}', { count }),
    }}
    columns={claimColumns(listings, now)}
    pathOf={(after) => ownerClaimsPath(texts, after)}
    unfiltered={ownerClaimsPath({ mode: texts.mode })}
    actions={
      (rows.length > 0 || next !== null) && (
        <DownloadButtons
          formats={EXPORT_FORMATS}
          pathOf={(format) => ownerExportPath(format, { ...texts, mode })}
          small
        />
      )
    }
  />
);

export function claimColumns(
  listings: readonly Pick<FilterListing, 'slug' | 'name'>[],
  now: EpochMs,
): readonly Column<ListedClaim>[] {
  const names = new Map(listings.map(({ slug, name }) => [slug, name]));
  return [
    {
      header: t('Claim'),
      isName: true,
      cell: ({ id, offer, listing, claimant, reference }) => {
        const who = claimant === null ? '' : ` · ${t('for {name}', { name: isolated(claimant) })}`;
        const yours = reference === null ? '' : ` · ${isolated(reference)}`;
        const about = `${shortClaimId(id)} · ${names.get(listing) ?? listing}${who}${yours}`;
        return <NameCell href={ownerClaimPath(id)} name={offer} sub={about} />;
      },
    },
    {
      header: t('State'),
      cell: (claim) => (
        <>
          <ClaimState claim={claim} />
          {claim.redeemed_at !== null && (
            <span class="sub">
              <Time at={claim.redeemed_at} now={now} />
            </span>
          )}
        </>
      ),
      isPlain: true,
      isLine: true,
    },
    {
      header: t('Claimed'),
      cell: ({ claimed_at }) => <Time at={claimed_at} now={now} />,
      isNowrap: true,
      isHalf: true,
    },
    { header: t('Label'), cell: ({ via }) => <LabelOrNone via={via} />, isHalf: true },
  ];
}

/** Narrow screens show each row as a card and omit “No label”. */
export const LabelOrNone = ({ via }: { via: string | null }) =>
  via === null ? <span class="quiet-text wide-only">{t('No label')}</span> : <Label text={via} />;

export const ClaimState = ({
  claim,
}: {
  claim: Pick<ListedClaim, 'redeemed_at' | 'replaced_at' | 'code_only'>;
}) => (
  <>
    <StateBadge state={shownClaimState(claim)} />
    {claim.replaced_at !== null && (
      <>
        {' '}
        <StateBadge state="replaced" />
      </>
    )}
  </>
);

function claimFilters({ listings, labels, texts, problems }: OwnerClaimsPageProps): readonly Filter[] {
  const filter = filterFields(texts, problems);
  const chosen = listings.filter(({ slug, id }) => texts.listing === slug || texts.listing === id);
  return [
    filter(
      'listing',
      listings.length < FILTER_LISTINGS
        ? t('Listing')
        : t('Listing (the first {count})', { count: FILTER_LISTINGS }),
      {
        choices: [
          { value: '', label: t('All listings') },
          ...listings.map(({ id, slug, name }) => ({ value: id === texts.listing ? id : slug, label: name })),
        ],
      },
    ),
    filter('offer', t('Offer'), {
      choices: offerChoices(chosen.length === 0 ? listings : chosen, listings.length === 1),
    }),
    filter('state', t('State'), {
      choices: choicesOf(t('Any state'), { redeemed: t('Redeemed'), not_redeemed: t('Not redeemed') }),
    }),
    filter(
      'via',
      labels.length < FILTER_LABELS ? t('Label') : t('Label (the first {count})', { count: FILTER_LABELS }),
      { choices: labelChoices(labels, texts.via) },
    ),
    ...(texts.short_id === undefined ? [] : [filter('short_id', t('Short ID'))]),
    ...(texts.claimant === undefined && problems.claimant === undefined
      ? []
      : [filter('claimant', t('Claimant'))]),
    filter('reference', t('Reference'), { isMore: true, placeholder: t('An order number') }),
    filter('claimed_from', t('Claimed from'), { isMore: true, type: 'date' }),
    filter('claimed_to', t('Claimed until'), { isMore: true, type: 'date' }),
    filter('redeemed_from', t('Redeemed from'), { isMore: true, type: 'date' }),
    filter('redeemed_to', t('Redeemed until'), { isMore: true, type: 'date' }),
  ];
}

/** Includes `chosen` even if it is not in `labels`, because a link to this page may contain any label. */
function labelChoices(labels: readonly string[], chosen = NO_LABEL_FILTER): readonly Choice[] {
  const isKnown = chosen === NO_LABEL_FILTER || labels.includes(chosen);
  return [
    { value: '', label: t('Any label') },
    { value: NO_LABEL_FILTER, label: t('No label') },
    ...(isKnown ? labels : [chosen, ...labels]).map((via) => ({ value: via, label: via })),
  ];
}

/** `isOne`: the account has only one listing, so the choices omit its name. */
export const offerChoices = (listings: readonly FilterListing[], isOne: boolean): readonly Choice[] => [
  { value: '', label: t('All offers') },
  ...listings.flatMap(({ name, offers }) =>
    offers.map(({ id, offer }) => ({
      value: id,
      label: isOne ? offer : `${isolated(offer)} (${isolated(name)})`,
    })),
  ),
];
