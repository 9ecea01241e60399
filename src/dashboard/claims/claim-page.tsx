import { NO_LABEL_FILTER } from '../../claims/claim-filter.ts';
import type { ClaimDetail, ClaimHistoryEntry } from '../../claims/search.ts';
import { kindName } from '../../offers/offer.ts';
import { shortId } from '../../store/uuid.ts';
import { isolated } from '../../text/text.ts';
import { Mono } from '../../ui/code.tsx';
import { DefinitionList, Timeline, type TimelineEntry } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { OWNER_CLAIMS_PATH, ownerClaimsPath, requestPath } from '../paths.ts';
import { ClaimState } from './list-page.tsx';

const ORIGINS: Readonly<Record<ClaimDetail['origin'], string>> = {
  person: 'A signed-in person, on your listing’s page',
  operator: 'The operator of this marketplace',
  import: 'An import by the operator of this marketplace',
};

interface OwnerClaimProps {
  readonly claim: ClaimDetail;
  /** The code it was given from a list, of which only the end of a long one is shown; `null`: none. */
  readonly code: { readonly end: string | null } | null;
}

export const OwnerClaimPage = ({ claim, code }: OwnerClaimProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Claims', OWNER_CLAIMS_PATH]]} />}
      title={claim.offer}
      badge={
        <>
          <ClaimState claim={claim} />
          {claim.mode === 'test' && <StateBadge state="test" />}
        </>
      }
      lead={`Claim …${shortId(claim.id)}`}
    />
    <div class="columns">
      <div class="stack">
        {claim.replaced_at !== null && (
          <Notice title="Replaced">
            The operator has issued a new claim to replace this one, which stays redeemed.
          </Notice>
        )}
        <section class="section">
          <h2>What happened</h2>
          <Timeline entries={entriesOf(claim)} />
          {claim.lookedUntil !== null && (
            <p class="small-text soft-text top-space">
              Only calls until <Time at={claim.lookedUntil} precision="second" /> were searched, because your
              server made very many since the claim.
            </p>
          )}
        </section>
      </div>
      <aside class="card">
        <h2>The claim</h2>
        <DefinitionList
          facts={[
            ['Id', <Mono>{claim.id}</Mono>],
            [
              'Listing',
              <a href={ownerClaimsPath({ listing: claim.listing })}>{isolated(claim.listing_name)}</a>,
            ],
            ['Offer', <a href={ownerClaimsPath({ offer: claim.offer_id })}>{isolated(claim.offer)}</a>],
            ['Kind', kindName(claim.kind)],
            [
              'Label',
              <a href={ownerClaimsPath({ listing: claim.listing, via: claim.via ?? NO_LABEL_FILTER })}>
                {claim.via === null ? 'none' : <Mono>{claim.via}</Mono>}
              </a>,
            ],
            claim.claimant !== null && [
              'Claimant',
              <a href={ownerClaimsPath({ claimant: claim.claimant })}>{isolated(claim.claimant)}</a>,
            ],
            claim.reference !== null && [
              'Reference',
              <a href={ownerClaimsPath({ reference: claim.reference })}>{isolated(claim.reference)}</a>,
            ],
            code !== null && ['Code', code.end === null ? 'given' : <Mono>…{code.end}</Mono>],
            ['Created by', ORIGINS[claim.origin]],
          ]}
        />
      </aside>
    </div>
  </>
);

function entriesOf(claim: ClaimDetail): readonly TimelineEntry[] {
  const entries = claim.timeline.map(
    (entry): TimelineEntry => ({
      what: wordsOf(entry),
      when: <Time at={entry.at} precision="second" />,
      detail: <EntryDetail entry={entry} claim={claim} />,
      state: entry.what === 'verified' && entry.outcome !== 'valid' ? 'bad' : 'done',
    }),
  );
  const isOpen = claim.redeemed_at === null && claim.code_only === 0;
  return isOpen ? [...entries, { what: 'Not redeemed yet', state: 'open' }] : entries;
}

const WORDS: Readonly<Record<Exclude<ClaimHistoryEntry['what'], 'verified'>, string>> = {
  claimed: 'Claimed',
  opened: 'Opened your page',
  redeemed: 'Redeemed',
  repeated: 'Retried: the response was “redeemed” again',
  replaced: 'Replaced by a new claim',
};

function wordsOf({ what, outcome }: ClaimHistoryEntry): string {
  if (what !== 'verified') return WORDS[what];
  if (outcome === 'valid') return 'Verified: valid';
  return outcome === 'already_redeemed' ? 'Refused: already redeemed' : `Answered ${outcome}`;
}

function EntryDetail({ entry, claim }: { entry: ClaimHistoryEntry; claim: ClaimDetail }) {
  const { what, key, requestId } = entry;
  return (
    <div class="small-text">
      {what === 'claimed' && claim.via !== null && (
        <>
          With the label <Mono>{claim.via}</Mono>
        </>
      )}
      {what === 'repeated' && <p>The call had the same Idempotency-Key. Nothing was redeemed twice.</p>}
      {key !== null && (
        <p>
          By the key “{isolated(key.name)}” (
          <Mono>
            cck_{claim.mode}_{key.start}…
          </Mono>
          )
        </p>
      )}
      {requestId !== null && (
        <p>
          Request{' '}
          <a class="mono" href={requestPath(requestId)}>
            {requestId}
          </a>
        </p>
      )}
    </div>
  );
}
